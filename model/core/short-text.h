// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHORT_TEXT_H
#define LOSSLESS_SHORT_TEXT_H

#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::lossless
{

/// The units of time, largest first.
inline constexpr std::array<std::pair<std::string_view, Time::Unit>, 5> TIME_UNITS{
    {{"s", Time::S}, {"ms", Time::MS}, {"us", Time::US}, {"ns", Time::NS}, {"ps", Time::PS}}};

/// @return the number with spaces between groups of three digits: "216 291"
std::string FormatCount(uint64_t number);

/// @return the time as an integer in the largest possible unit (s, ms, us, ns or ps), such as
/// "500us", which options accept. A time that is not a multiple of 1 ps has ns-3's format.
std::string FormatTime(Time time);

/// @return a measured time for a sentence: as FormatTime() writes it if that takes at most four
/// digits, such as "500us", otherwise with one decimal, such as "12.4ms"
std::string DescribeTime(Time time);

/**
 * @ingroup lossless
 * A line of text for a person to read, truncated to 255 bytes.
 *
 * It allocates no memory and can therefore be used in a signal handler.
 */
class ShortText
{
  public:
    /// Appends a string.
    ShortText& Add(std::string_view text);
    /// Appends a number with spaces between groups of three digits: "216 291".
    ShortText& AddCount(uint64_t number);
    /// Appends a time in the largest unit (s, ms, us or ns) in which it is at least 1, with one
    /// decimal unless the unit is ns: "12.0 s", "2.2 ms", "30 ns".
    ShortText& AddTime(uint64_t nanoseconds);

    /// @return the line
    std::string_view Get() const;

  private:
    std::array<char, 255> m_bytes{};
    std::size_t m_size{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHORT_TEXT_H */
