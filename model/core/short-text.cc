// SPDX-License-Identifier: GPL-2.0-only
#include "short-text.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

namespace
{

struct TimeUnit
{
    std::string_view name; ///< the name of the unit
    uint64_t nanoseconds;  ///< the length of the unit
};

constexpr std::array<TimeUnit, 3> UNITS{{{" s", 1000000000}, {" ms", 1000000}, {" us", 1000}}};

} // namespace

std::string
FormatCount(uint64_t number)
{
    return std::string(ShortText().AddCount(number).Get());
}

std::string
FormatTime(Time time)
{
    for (const auto& [name, unit] : TIME_UNITS)
    {
        const int64_t number = time.ToInteger(unit);
        if (Time::FromInteger(number, unit) == time && (number != 0 || unit == Time::S))
        {
            return std::to_string(number) + std::string(name);
        }
    }
    std::ostringstream text;
    text << time;
    return text.str();
}

std::string
DescribeTime(Time time)
{
    constexpr std::size_t MOST_CHARACTERS = 6; // four digits and a unit
    const std::string exact = FormatTime(time);
    if (exact.size() <= MOST_CHARACTERS || time < NanoSeconds(1))
    {
        return exact;
    }
    ShortText text;
    text.AddTime(static_cast<uint64_t>(time.GetNanoSeconds()));
    std::string rounded(text.Get());
    rounded.erase(std::remove(rounded.begin(), rounded.end(), ' '), rounded.end());
    return rounded;
}

ShortText&
ShortText::Add(std::string_view text)
{
    const std::size_t length = std::min(text.size(), m_bytes.size() - m_size);
    std::copy_n(text.begin(), length, m_bytes.begin() + m_size);
    m_size += length;
    return *this;
}

ShortText&
ShortText::AddCount(uint64_t number)
{
    std::array<char, 26> digits{}; // room for 20 digits and 6 spaces between groups
    std::size_t first = digits.size();
    std::size_t count = 0;
    do
    {
        if (count > 0 && count % 3 == 0)
        {
            digits[--first] = ' ';
        }
        digits[--first] = static_cast<char>('0' + number % 10);
        number /= 10;
        ++count;
    } while (number > 0);
    return Add({&digits[first], digits.size() - first});
}

ShortText&
ShortText::AddTime(uint64_t nanoseconds)
{
    // A unit is also used if rounding would yield 1000 of the next smaller unit.
    const auto unit = std::find_if(UNITS.begin(), UNITS.end(), [nanoseconds](const TimeUnit& one) {
        return nanoseconds >= one.nanoseconds - one.nanoseconds / 20000;
    });
    if (unit == UNITS.end())
    {
        return AddCount(nanoseconds).Add(" ns");
    }
    const uint64_t tenth = unit->nanoseconds / 10;
    const uint64_t tenths = nanoseconds / tenth + (nanoseconds % tenth >= tenth / 2 ? 1 : 0);
    return AddCount(tenths / 10).Add(".").AddCount(tenths % 10).Add(unit->name);
}

std::string_view
ShortText::Get() const
{
    return {m_bytes.data(), m_size};
}

} // namespace ns3::lossless
