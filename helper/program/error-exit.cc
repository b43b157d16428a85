// SPDX-License-Identifier: GPL-2.0-only
#include "error-exit.h"

#include "quiet-ranks.h"

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

/// Beginnings of ns-3's messages that stop a program, except those of asserts.
constexpr std::array<std::string_view, 2> MESSAGE_STARTS{"aborted. ", "msg=\""};
/// Written by newer versions after the message.
constexpr std::string_view MESSAGE_END = "NS_FATAL";

bool
BeginsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

/// Passes on what is written to standard error, but holds back a message that may be the last: the
/// program ends only after ns-3 has written it.
class MessageFilter : public std::streambuf
{
  public:
    MessageFilter()
        : m_sink(std::cerr.rdbuf(this)),
          m_logSink(std::clog.rdbuf(this)) // gets the time that ns-3 writes within a message
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

    /// @return the message held back, which will not be written; may be empty
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
            Release(); // the program continues
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
    /// @return whether a message is held, including its last line
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
    std::string m_held;        ///< message held back; may be empty
    bool m_isLineStart{true};
};

struct ErrorExit
{
    std::string program;  ///< name
    MessageFilter filter; ///< holds back the last message

    ~ErrorExit()
    {
        std::set_terminate(&std::abort);
        RequireOutput();
    }

    /// Ends the program with an error, while it exits, if its output could not be written in full.
    void RequireOutput() const
    {
        if (!std::cout.flush())
        {
            std::cerr << program << ": standard output could not be written." << std::endl;
            std::_Exit(1);
        }
    }

    /// @return the only instance, which is never destroyed
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

/// @return why the program ends; empty: because of an assert
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
    std::cerr << ErrorExit::Get().program << ": " << reason << std::endl;
    std::cout.flush();
    std::fflush(nullptr);
    QuietRanks::AwaitFirst();
    std::_Exit(1); // without destructors: the simulation is in the middle of an event
}

} // namespace

void
EndErrorsBySentence(const std::string& program)
{
    ErrorExit::Get().program = program;
    std::set_terminate(&EndProgram);
    // A write beyond the limit of file sizes then fails, and the writer reports it.
    std::signal(SIGXFSZ, [](int) {});
}

std::string
GetErrorSentence(const std::string& message)
{
    constexpr std::string_view start = "msg=\"";
    constexpr std::string_view end = "\", "; // followed by time, node, file and line
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
