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

/// @return the parts between the separators; "a," has an empty second part, and "" has one empty
/// part
std::vector<std::string> Split(const std::string& text, char separator);

/// @param text the entries, separated by commas
/// @return the entries, or an empty list if the string is empty
std::vector<std::string> SplitList(const std::string& text);

/// Parses the value of an option.
/// @param [out] value the value; unchanged if the string is not valid
/// @return a description of the valid values, or an empty string if the value is valid
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

/// The range of a number, of a time in seconds, or of a rate in bit/s.
struct Range
{
    double least{-std::numeric_limits<double>::infinity()}; ///< minimum
    double most{std::numeric_limits<double>::infinity()};   ///< maximum
    bool isAbove{false};                                    ///< true if `least` itself is excluded

    /// @return the range of numbers greater than `limit` and at most `most`
    static Range Above(double limit, double most = std::numeric_limits<double>::infinity());

    /// @return true if the number is in the range
    bool Has(double number) const;

    /// @copydoc Has(double) const
    bool Has(Time time) const
    {
        return Has(time.GetSeconds());
    }

    /// @copydoc Has(double) const
    bool Has(DataRate rate) const
    {
        return Has(static_cast<double>(rate.GetBitRate()));
    }

    /// @return a description such as "1 to 64", "at least 1", "above 0" or "above 0 and at most 2"
    std::string Describe() const;
};

/// The range of a size in bytes. The size may be written with a unit; see ParseBytes().
struct ByteRange
{
    uint64_t least{0};         ///< minimum
    uint64_t most{UINT64_MAX}; ///< maximum

    /// Parses the value of an option.
    /// @param [out] bytes the size; unchanged if the string is not a size in the range
    /// @return a description of the valid values, or an empty string if the value is valid
    std::string Read(const std::string& text, uint64_t& bytes) const;
    /// @return a description such as "1000B to 9KiB" or "at least 1B"; empty if there are no limits
    std::string Describe() const;
};

/// The names that an option accepts, at least two.
struct OneOf
{
    std::vector<std::string> names; ///< in the order of the description

    /// Parses the value of an option.
    /// @param [out] value the name; unchanged if the string is not one of the names
    /// @return a description of the valid values, or an empty string if the value is valid
    std::string Read(const std::string& text, std::string& value) const;
    /// @return a description such as "drop, forward or alert"
    std::string Describe() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OPTION_TEXT_H */
