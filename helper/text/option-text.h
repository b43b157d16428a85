// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OPTION_TEXT_H
#define LOSSLESS_OPTION_TEXT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
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

/// The range of a number, of a time in seconds, or of a rate in bit/s.
struct Range
{
    double least{-std::numeric_limits<double>::infinity()}; ///< minimum
    double most{std::numeric_limits<double>::infinity()};   ///< maximum
    bool isAbove{false};                                    ///< true if `least` itself is excluded
    bool isEven{false};                                     ///< true if only even numbers are valid

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

    /// @return a description such as "1 to 64", "at least 1", "above 0", "above 0 and at most 2" or
    /// "an even number from 2 to 64"
    std::string Describe() const;
    /// @tparam T an integer type
    /// @return a description of the valid numbers of this type, such as "a whole number from 1 to
    /// 64"
    template <typename T>
    std::string DescribeWhole() const;

    /// Parses the value of an option.
    /// @tparam T the type of the value; a text has no range
    /// @param [out] value the value; changed if the string is a number, even one outside the range
    /// @return a description of the valid values, or an empty string if the value is valid
    template <typename T>
    std::string Read(const std::string& text, T& value) const;

    /// Parses numbers, which are separated by commas.
    /// @param [out] values the numbers; unchanged unless all are in the range
    /// @return a description of the valid values, or an empty string if the value is valid
    std::string Read(const std::string& text, std::vector<double>& values) const;

    /// @tparam T the type of the value; the limits of a Time or a DataRate have units
    /// @return a description such as "at least 1ms"
    template <typename T>
    std::string DescribeFor() const
    {
        if constexpr (std::is_same_v<T, Time>)
        {
            return DescribeTimes();
        }
        else if constexpr (std::is_same_v<T, DataRate>)
        {
            return DescribeRates();
        }
        else if constexpr (std::is_same_v<T, std::vector<double>>)
        {
            return Describe() + ", separated by commas";
        }
        else
        {
            return Describe();
        }
    }

  private:
    /// @param show the function that writes a limit
    std::string DescribeBy(const std::function<std::string(double)>& show) const;
    std::string DescribeTimes() const;
    std::string DescribeRates() const;
};

template <typename T>
std::string
Range::DescribeWhole() const
{
    if (isEven)
    {
        return Describe();
    }
    constexpr T lowest = std::numeric_limits<T>::min();
    constexpr T highest = std::numeric_limits<T>::max();
    const T first = least > static_cast<double>(lowest) ? static_cast<T>(least) : lowest;
    const T last = most < static_cast<double>(highest) ? static_cast<T>(most) : highest;
    return "a whole number from " + std::to_string(isAbove ? first + 1 : first) + " to " +
           std::to_string(last);
}

/// @copydoc ReadOption(const std::string&, bool&)
/// @tparam T an integer type
/// @param range the valid values, for the description; values outside are read
template <typename T>
std::enable_if_t<std::is_integral_v<T>, std::string>
ReadOption(const std::string& text, T& value, const Range& range = {})
{
    T read = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, read);
    if (error != std::errc() || rest != end)
    {
        return range.DescribeWhole<T>();
    }
    value = read;
    return "";
}

template <typename T>
std::string
Range::Read(const std::string& text, T& value) const
{
    std::string allowed;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    {
        allowed = ReadOption(text, value, *this);
    }
    else
    {
        allowed = ReadOption(text, value);
    }
    if constexpr (!std::is_same_v<T, std::string>)
    {
        allowed = allowed.empty() && !Has(value) ? DescribeFor<T>() : allowed;
    }
    return allowed;
}

/// The range of a size in bytes. The size may be written with a unit; see ParseBytes().
struct ByteRange
{
    uint64_t least{0};         ///< minimum
    uint64_t most{UINT64_MAX}; ///< maximum

    /// Parses the value of an option.
    /// @tparam T an integer type, which may hold less than the maximum
    /// @param [out] value the size; unchanged if the string is not a size in the range
    /// @return a description of the valid values, or an empty string if the value is valid
    template <typename T>
    std::string Read(const std::string& text, T& value) const
    {
        uint64_t bytes = value;
        const ByteRange held{least, std::min<uint64_t>(most, std::numeric_limits<T>::max())};
        const std::string allowed = held.ReadBytes(text, bytes);
        value = static_cast<T>(bytes);
        return allowed;
    }

    /// @return a description such as "1000B to 9KiB" or "at least 1B"; empty if there are no limits
    std::string Describe() const;

    /// @copydoc Describe
    template <typename T>
    std::string DescribeFor() const
    {
        return Describe();
    }

  private:
    std::string ReadBytes(const std::string& text, uint64_t& bytes) const;
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

    /// @copydoc Describe
    template <typename T>
    std::string DescribeFor() const
    {
        return Describe();
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OPTION_TEXT_H */
