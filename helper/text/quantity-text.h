// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_QUANTITY_TEXT_H
#define LOSSLESS_QUANTITY_TEXT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/short-text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ns3::lossless
{

/**
 * @file
 * Rates, delays and sizes in files and options. Each is written as a number followed by its unit,
 * without a space.
 */

/// Splits a string such as "1.5us" or "1e-06s" into the number and the unit.
/// @return the number and the unit; unset if the string does not begin with an unsigned number
std::optional<std::pair<double, std::string>> SplitQuantity(const std::string& text);

/// Parses an entire string as a decimal number.
/// @return the number; unset if the string is not a finite number
std::optional<double> ParseNumber(const std::string& text);

/// Parses an entire string as an unsigned integer.
/// @return the number; unset if the string is not an integer or the integer is out of range
std::optional<uint64_t> ParseWhole(const std::string& text);

/// Parses an integer that a program has written, perhaps as 1e+06 or 7.0.
/// @return the number; unset if the string is not an integer or the integer is out of range
std::optional<uint64_t> ParseCount(const std::string& text);

/// Parses a rate such as "2.5Gbps".
/// @return the rate; unset if it is out of range or if the string is not a number in bps, kbps,
/// Mbps, Gbps or Tbps (or b/s, kb/s and so on)
std::optional<DataRate> ParseRate(const std::string& text);

/// Parses a delay such as "1.5us".
/// @return the delay; unset if the string is not a number in s, ms, us, ns or ps, if the delay
/// exceeds the largest Time, or if it would have to be rounded
std::optional<Time> ParseDelay(const std::string& text);
/// @return true if the time is a multiple of the resolution (Time::SetResolution())
bool IsWholeTicks(double seconds);
/// @return a description of the times that are multiples of the resolution
std::string DescribeTicks();

/// Parses a size such as "2MB".
/// @return the size in bytes; unset if the string is not a whole number of bytes. The unit is B,
/// kB, MB or GB (powers of 1000), or KiB, MiB or GiB (powers of 1024). If it is omitted, the number
/// is in bytes.
std::optional<uint64_t> ParseBytes(const std::string& text);

/// @return the rate in the largest unit that gives an integer, in a form that ParseRate() accepts
std::string FormatRate(DataRate rate);

/// @return the delay in nanoseconds if that is an integer, and otherwise in picoseconds, in a form
/// that ParseDelay() accepts
std::string FormatDelay(Time delay);

/// @return the size in the largest unit that gives an integer, in a form that ParseBytes() accepts
std::string FormatBytes(uint64_t bytes);

/// @param thing the name of one thing, whose plural ends in s
/// @return the number, with spaces between groups of three digits, and the name, such as "216 291
/// hops"
std::string FormatThings(uint64_t number, const std::string& thing);

/// @return the time in nanoseconds without a unit, with decimals only if needed
std::string FormatNanoSeconds(Time time);

} // namespace ns3::lossless

#endif // LOSSLESS_QUANTITY_TEXT_H
