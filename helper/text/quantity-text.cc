// SPDX-License-Identifier: GPL-2.0-only

#include "quantity-text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace ns3::lossless
{

namespace
{

struct Unit
{
    const char* name;  ///< unit written after the number
    const char* other; ///< alternative unit, also written by ns-3
    double factor;     ///< base units per unit
};

constexpr Unit RATE_UNITS[] = {{"bps", "b/s", 1},
                               {"kbps", "kb/s", 1e3},
                               {"Mbps", "Mb/s", 1e6},
                               {"Gbps", "Gb/s", 1e9},
                               {"Tbps", "Tb/s", 1e12}};

/// The units of size, largest first. If two units fit, the first one is used.
constexpr std::pair<const char*, uint64_t> BYTE_UNITS[] = {{"GiB", 1ULL << 30},
                                                           {"GB", 1000000000},
                                                           {"MiB", 1ULL << 20},
                                                           {"MB", 1000000},
                                                           {"KiB", 1ULL << 10},
                                                           {"kB", 1000},
                                                           {"B", 1}};

} // namespace

std::optional<std::pair<double, std::string>>
SplitQuantity(const std::string& text)
{
    static const std::string digits = "0123456789";
    auto end = std::min(text.find_first_not_of(digits + "."), text.size());
    // An "e" belongs to the number, because no unit begins with this letter.
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E'))
    {
        const auto sign = text.find_first_not_of("+-", end + 1) > end + 1 ? 1 : 0;
        end = std::min(text.find_first_not_of(digits, end + 1 + sign), text.size());
    }
    const auto number = ParseNumber(text.substr(0, end));
    if (!number)
    {
        return std::nullopt;
    }
    return std::make_pair(*number, text.substr(end));
}

std::optional<double>
ParseNumber(const std::string& text)
{
    // Other characters are refused, because strtod() also accepts spaces, names ("inf") and
    // hexadecimal numbers.
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos)
    {
        return std::nullopt;
    }
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool isWhole = end == text.c_str() + text.size();
    return isWhole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t>
ParseWhole(const std::string& text)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t>
ParseCount(const std::string& text)
{
    if (const auto whole = ParseWhole(text))
    {
        return whole;
    }
    const double number = ParseNumber(text).value_or(-1);
    const bool isWhole = number >= 0 && number < 0x1p53 && std::trunc(number) == number;
    return isWhole ? std::optional(static_cast<uint64_t>(number)) : std::nullopt;
}

std::optional<DataRate>
ParseRate(const std::string& text)
{
    const auto quantity = SplitQuantity(text);
    for (const auto& unit : RATE_UNITS)
    {
        if (quantity && (quantity->second == unit.name || quantity->second == unit.other))
        {
            const double bps = quantity->first * unit.factor;
            // Above 2^53, a double cannot represent every integer number of bit/s.
            if ((bps > 0 && bps < 1) || bps > 9e15)
            {
                return std::nullopt;
            }
            return DataRate(static_cast<uint64_t>(std::llround(bps)));
        }
    }
    return std::nullopt;
}

std::optional<Time>
ParseDelay(const std::string& text)
{
    const auto quantity = SplitQuantity(text);
    for (const auto& [name, unit] : TIME_UNITS)
    {
        const bool isMicro = name == "us" && quantity &&
                             (quantity->second == "\u00b5s" || quantity->second == "\u03bcs");
        if (quantity && (quantity->second == name || isMicro))
        {
            const double perSecond = Time::FromInteger(1, Time::S).ToDouble(unit);
            if (quantity->first / perSecond >= Time::Max().GetSeconds())
            {
                return std::nullopt;
            }
            return IsWholeTicks(quantity->first / perSecond)
                       ? std::optional(Time::FromDouble(quantity->first, unit))
                       : std::nullopt;
        }
    }
    return std::nullopt;
}

bool
IsWholeTicks(double seconds)
{
    const double ticks = seconds * Time::FromInteger(1, Time::S).GetTimeStep();
    // Most decimal fractions and the largest tick counts are not exact as doubles.
    return std::abs(ticks - std::round(ticks)) <= std::max(1e-6, 1e-15 * std::abs(ticks));
}

std::string
DescribeTicks()
{
    return "a multiple of " + FormatTime(TimeStep(1)) + ", the step in which times are counted";
}

std::optional<uint64_t>
ParseBytes(const std::string& text)
{
    if (const auto whole = ParseWhole(text))
    {
        return whole; // exact for all 64 bits, unlike the double below
    }
    const auto quantity = SplitQuantity(text);
    for (const auto& [name, factor] : BYTE_UNITS)
    {
        if (quantity && quantity->second == name)
        {
            const double product = quantity->first * static_cast<double>(factor);
            const double bytes = std::round(product);
            // Most decimal fractions are not exact as doubles. For example, the product for 4.1 MB
            // is too small by a billionth of a byte.
            const bool isWhole = bytes <= 9e15 && std::abs(product - bytes) <= 1e-15 * bytes;
            return isWhole ? std::optional(static_cast<uint64_t>(bytes)) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string
FormatRate(DataRate rate)
{
    uint64_t value = rate.GetBitRate();
    size_t unit = 0;
    while (value != 0 && value % 1000 == 0 && unit + 1 < std::size(RATE_UNITS))
    {
        value /= 1000;
        unit++;
    }
    return std::to_string(value) + RATE_UNITS[unit].name;
}

std::string
FormatDelay(Time delay)
{
    const bool wholeNanoSeconds = NanoSeconds(delay.GetNanoSeconds()) == delay;
    return wholeNanoSeconds ? std::to_string(delay.GetNanoSeconds()) + "ns"
                            : std::to_string(delay.GetPicoSeconds()) + "ps";
}

std::string
FormatBytes(uint64_t bytes)
{
    const auto* unit = std::find_if(std::begin(BYTE_UNITS), std::end(BYTE_UNITS), [&](auto u) {
        return bytes >= u.second && bytes % u.second == 0;
    });
    return unit == std::end(BYTE_UNITS) ? "0B" : std::to_string(bytes / unit->second) + unit->first;
}

std::string
FormatThings(uint64_t number, const std::string& thing)
{
    return FormatCount(number) + " " + thing + (number == 1 ? "" : "s");
}

std::string
FormatNanoSeconds(Time time)
{
    if (NanoSeconds(time.GetNanoSeconds()) == time)
    {
        return std::to_string(time.GetNanoSeconds());
    }
    // The time is not a whole number of nanoseconds.
    std::ostringstream text;
    text.setf(std::ios::fixed);
    text.precision(6);
    text << time.ToDouble(Time::NS);
    return text.str();
}

} // namespace ns3::lossless
