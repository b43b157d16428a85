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

/// @return the parts between separators; "a," has a second, empty one, and "" is one empty part
std::vector<std::string> Split(const std::string& text, char separator);

/// @param text entries separated by commas
/// @return the entries; none for an empty text
std::vector<std::string> SplitList(const std::string& text);

/// Reads an option.
/// @param [out] value set if the whole text is a valid value
/// @return what the text must be; empty if it is valid
std::string ReadOption(const std::string& text, bool& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, double& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, std::string& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, Time& value);
/// @copydoc ReadOption(const std::string&, bool&)
std::string ReadOption(const std::string& text, DataRate& value);

/// @copydoc ReadOption(const std::string&, bool&)
/// @tparam T an integer type
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

/// Range of a number; of a time in seconds, of a rate in bit/s.
struct Range
{
    double least{-std::numeric_limits<double>::infinity()}; ///< minimum, unless isAbove
    double most{std::numeric_limits<double>::infinity()};   ///< maximum
    bool isAbove{false};                                    ///< `least` itself is excluded

    /// @return the numbers above `limit`, up to `most`
    static Range Above(double limit, double most = std::numeric_limits<double>::infinity());

    /// @return whether the number is in the range
    bool Has(double number) const;
    /// @return text such as "1 to 64", "at least 1", "above 0" or "above 0 and at most 2"
    std::string Describe() const;
};

/// Range of a size in bytes, with or without a unit, see ParseBytes().
struct ByteRange
{
    uint64_t least{0};         ///< minimum
    uint64_t most{UINT64_MAX}; ///< maximum

    /// Reads an option.
    /// @param [out] bytes set if the text is a size in the range
    /// @return what the text must be; empty if it is valid
    std::string Read(const std::string& text, uint64_t& bytes) const;
    /// @return text such as "1000B to 9KiB" or "at least 1B"; empty without limits
    std::string Describe() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OPTION_TEXT_H */
