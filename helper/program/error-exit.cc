// SPDX-License-Identifier: GPL-2.0-only
#include "error-exit.h"

#include "quiet-ranks.h"

#include "ns3/text-lines.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <streambuf>
#include <string_view>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// The prefixes of the messages with which ns-3 stops a program, except after a failed assertion.
constexpr std::array<std::string_view, 2> MESSAGE_STARTS{"aborted. ", "msg=\""};
/// The prefix of the text that recent ns-3 versions write after the message.
constexpr std::string_view MESSAGE_END = "NS_FATAL";

bool
BeginsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

/// Forwards output to standard error, but holds back a message that may be the last one, because
/// ns-3 writes its message before it ends the program.
class MessageFilter : public std::streambuf
{
  public:
    MessageFilter()
        : m_sink(std::cerr.rdbuf(this)),
          m_logSink(std::clog.rdbuf(this)) // std::clog receives the time, which ns-3 writes within
                                           // a message
    {
    }

    ~MessageFilter() override
    {
        Release();
        std::cerr.rdbuf(m_sink);
        std::clog.rdbuf(m_logSink);
    }

    MessageFilter(const MessageFilter&) = delete;
    MessageFilter& operator=(const MessageFilter&) = delete;

    /// @return the held message, which will not be written; may be empty
    std::string TakeMessage()
    {
        return std::exchange(m_held, "");
    }

  protected:
    int_type overflow(int_type character) override
    {
        const char text = traits_type::to_char_type(character);
        return xsputn(&text, 1) == 1 ? character : traits_type::eof();
    }

    std::streamsize xsputn(const char* text, std::streamsize length) override
    {
        const std::string_view part(text, static_cast<std::size_t>(length));
        if (IsComplete() && !BeginsWith(part, MESSAGE_END))
        {
            Release(); // the held message was not the last one
        }
        const bool isStart =
            m_isLineStart && std::any_of(MESSAGE_STARTS.begin(),
                                         MESSAGE_STARTS.end(),
                                         [part](auto start) { return BeginsWith(part, start); });
        m_isLineStart = !part.empty() ? part.back() == '\n' : m_isLineStart;
        if (isStart || !m_held.empty())
        {
            m_held += part;
            return length;
        }
        return m_sink->sputn(text, length);
    }

    int sync() override
    {
        return m_sink->pubsync();
    }

  private:
    /// @return true if a complete message is held
    bool IsComplete() const
    {
        return !m_held.empty() && m_held.back() == '\n' &&
               m_held.find(", line=") != std::string::npos;
    }

    void Release()
    {
        const std::string held = TakeMessage();
        m_sink->sputn(held.data(), static_cast<std::streamsize>(held.size()));
        m_sink->pubsync();
    }

    std::streambuf* m_sink;    ///< original buffer of std::cerr
    std::streambuf* m_logSink; ///< original buffer of std::clog
    std::string m_held;        ///< held message; may be empty
    bool m_isLineStart{true};
};

struct ErrorExit
{
    std::string program;  ///< name of the program, with which messages start
    MessageFilter filter; ///< the filter that holds back the last message

    ~ErrorExit()
    {
        std::set_terminate(&std::abort);
        RequireOutput();
    }

    /// Ends the exiting program with an error if its output could not be written in full.
    void RequireOutput() const
    {
        if (!std::cout.flush())
        {
            std::cerr << program << ": standard output could not be written." << std::endl;
            std::_Exit(1);
        }
    }

    /// @return the only instance
    static ErrorExit& Get()
    {
        static ErrorExit errorExit;
        return errorExit;
    }
};

std::string
Describe(const std::exception_ptr& exception)
{
    try
    {
        std::rethrow_exception(exception);
    }
    catch (const std::bad_alloc&)
    {
        return "there is not enough memory.";
    }
    catch (const std::exception& error)
    {
        return std::string(error.what()) + ".";
    }
    catch (...)
    {
        return "an unknown exception.";
    }
}

/// @return the reason why the program ends, or an empty string for a failed assertion
std::string
GetReason()
{
    const std::string message = ErrorExit::Get().filter.TakeMessage();
    const std::exception_ptr exception = std::current_exception();
    if (!message.empty())
    {
        return GetErrorSentence(message);
    }
    return exception ? Describe(exception) : "";
}

/// Replaces std::abort().
[[noreturn]] void
EndProgram()
{
    const std::string reason = GetReason();
    if (reason.empty())
    {
        std::abort();
    }
    std::cerr << ErrorExit::Get().program << ": " << EscapeControls(reason) << std::endl;
    std::cout.flush();
    std::fflush(nullptr);
    QuietRanks::AwaitFirst();
    std::_Exit(1); // this skips destructors, because an event is in progress
}

} // namespace

void
EndErrorsBySentence(const std::string& program)
{
    ErrorExit::Get().program = program;
    std::set_terminate(&EndProgram);
    // With a handler, a write beyond the file size limit fails instead of ending the program, and
    // the writer reports the error.
    std::signal(SIGXFSZ, [](int) {});
}

std::string
GetErrorSentence(const std::string& message)
{
    constexpr std::string_view start = "msg=\"";
    // The end of the message. The time, node, file and line follow.
    constexpr std::string_view end = "\", ";
    const std::size_t place = std::min(message.rfind("file="), message.size());
    const std::size_t first = message.find(start);
    if (first == std::string::npos)
    {
        return message.substr(0, message.find_last_not_of("\r\n") + 1);
    }
    const std::size_t begin = first + start.size();
    const std::size_t last = std::min(message.rfind(end, place), message.size());
    const std::string sentence = message.substr(begin, last - std::min(begin, last));
    const bool isClosed = !sentence.empty() && (sentence.back() == '.' || sentence.back() == '?');
    return sentence + (isClosed ? "" : ".");
}

} // namespace ns3::lossless
