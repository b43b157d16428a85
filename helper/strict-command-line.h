// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STRICT_COMMAND_LINE_H
#define LOSSLESS_STRICT_COMMAND_LINE_H

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <charconv>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

namespace ns3::lossless
{

/// @name Reading of an option
/// @{
/// @param text what the user gave @param [out] value set if the whole text is one of its values
/// @return what the text must be; empty if it is
std::string ReadOption(const std::string& text, bool& value);
std::string ReadOption(const std::string& text, double& value);
std::string ReadOption(const std::string& text, std::string& value);
std::string ReadOption(const std::string& text, Time& value);
std::string ReadOption(const std::string& text, DataRate& value);

template <typename T>
std::enable_if_t<std::is_integral_v<T>, std::string>
ReadOption(const std::string& text, T& value)
{
    T read = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, read);
    if (error != std::errc() || rest != end)
    {
        return "a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
               std::to_string(std::numeric_limits<T>::max());
    }
    value = read;
    return "";
}

/// @}

/**
 * @ingroup lossless
 * ns-3's CommandLine, which takes a number for what its first characters say ("1e6" for 1, "16MB"
 * for 16, "-5" for 2^64 - 5), a rate without a unit for bit/s, and ignores words that are no
 * options. This one refuses them with a sentence and exit status 1, and so it does with numbers,
 * times and rates that are given to attributes.
 */
class StrictCommandLine
{
  public:
    /**
     * @param file the program's __FILE__
     * @param usage a sentence for `--help`
     */
    StrictCommandLine(const std::string& file, const std::string& usage);

    /**
     * Adds an option.
     * @tparam T type of the variable
     * @param name name of the option
     * @param help text for `--help`
     * @param value variable with the default, set by Parse()
     */
    template <typename T>
    void AddValue(const std::string& name, const std::string& help, T& value)
    {
        constexpr bool isRead = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                                std::is_same_v<T, Time> || std::is_same_v<T, DataRate>;
        if constexpr (isRead)
        {
            std::ostringstream text;
            text << std::boolalpha;
            if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
            {
                text << +value; // a number, not a character
            }
            else
            {
                text << value;
            }
            AddReader(name, help, text.str(), [&value](const std::string& given) {
                return ReadOption(given, value);
            });
        }
        else
        {
            m_commandLine.AddValue(name, help, value);
        }
    }

    /// Reads the command line; a bad option stops the program with exit status 1.
    /// @param argc number of arguments @param argv program and arguments
    void Parse(int argc, char* argv[]);

    /**
     * Stops the program with exit status 1 and a sentence, unless a condition holds.
     * @param condition what must hold
     * @param sentence what is wrong and what is allowed
     */
    void Require(bool condition, const std::string& sentence) const;

  private:
    /// Stops the program if an argument sets an attribute to a text that is not one of its values.
    /// @param argument of the program, as "--ns3::lossless::RoceNic::Window=1000"
    void RequireAttribute(const std::string& argument) const;

    /// Reads a text; returns what it must be, empty if it is.
    using Reader = std::function<std::string(const std::string&)>;

    /// Adds an option. @param name of it @param help for `--help` @param text its default
    /// @param reader sets its variable
    void AddReader(const std::string& name,
                   const std::string& help,
                   const std::string& text,
                   const Reader& reader);

    std::string m_program;     ///< name of the program
    CommandLine m_commandLine; ///< all options
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STRICT_COMMAND_LINE_H */
