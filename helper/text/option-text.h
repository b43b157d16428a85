// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OPTION_TEXT_H
#define LOSSLESS_OPTION_TEXT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::lossless
{

/// @param text a text @param separator between its parts @return the parts; of "a," also "", and of
/// "" that alone
std::vector<std::string> Split(const std::string& text, char separator);

/// @param text of an option: things, separated by commas @return them; none of an empty text
std::vector<std::string> SplitList(const std::string& text);

/// Reads an option. @param text what the user gave @param [out] value set if the whole text is one
/// of its values
/// @return what the text must be; empty if it is
std::string ReadOption(const std::string& text, bool& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, double& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, std::string& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, Time& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, DataRate& value);

/// @copydoc ReadOption(const std::string&, bool&) @tparam T a type of whole numbers
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

/// The numbers that an option may have; a time is taken in seconds, a rate in bit/s.
struct Range
{
    double least{-std::numeric_limits<double>::infinity()}; ///< allowed, unless isAbove
    double most{std::numeric_limits<double>::infinity()};   ///< allowed
    bool isAbove{false};                                    ///< the least itself is too small

    /// @param limit too small @param most allowed @return the numbers from the one to the other
    static Range Above(double limit, double most = std::numeric_limits<double>::infinity());

    /// @param number any @return whether it is one of these
    bool Has(double number) const;
    /// @return as "1 to 64", "at least 1", "above 0" or "above 0 and at most 2"
    std::string Describe() const;
};

/// The sizes in bytes that an option may have; they are read with or without a unit, see
/// ParseBytes().
struct ByteRange
{
    uint64_t least{0};         ///< allowed
    uint64_t most{UINT64_MAX}; ///< allowed

    /// Reads an option. @param text what the user gave @param [out] bytes set if the text is one
    /// of these sizes @return what the text must be; empty if it is
    std::string Read(const std::string& text, uint64_t& bytes) const;
    /// @return as "1000B to 9KiB" or "at least 1B"; empty if nothing is excluded
    std::string Describe() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OPTION_TEXT_H */
