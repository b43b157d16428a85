// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_QUANTITY_TEXT_H
#define LOSSLESS_QUANTITY_TEXT_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ns3::lossless
{

/**
 * @file
 * Rates, delays and sizes in files and options: a number followed by its unit, without a
 * blank.
 */

/// Splits a text such as "1.5us" or "1e-06s" into number and unit.
/// @return both, or nothing if the text does not begin with a number without a sign
std::optional<std::pair<double, std::string>> SplitQuantity(const std::string& text);

/// Reads a whole text as a decimal number.
/// @return the number, or nothing if the text is anything else or not finite
std::optional<double> ParseNumber(const std::string& text);

/// Reads a whole text as an unsigned integer.
/// @return the number, or nothing if the text is anything else or out of range
std::optional<uint64_t> ParseWhole(const std::string& text);

/// Reads a rate such as "2.5Gbps".
/// @return nothing if the text is not a number in bps, kbps, Mbps, Gbps or Tbps (or b/s, kb/s and
/// so on), or too large
std::optional<DataRate> ParseRate(const std::string& text);

/// Reads a delay such as "1.5us".
/// @return nothing if the text is not a number in s, ms, us, ns or ps, is longer than any Time, or
/// would be rounded
std::optional<Time> ParseDelay(const std::string& text);
/// @return whether a time is a multiple of the resolution (Time::SetResolution())
bool IsWholeTicks(double seconds);
/// @return a description of such times
std::string DescribeTicks();

/// Reads a size such as "2MB".
/// @return bytes, or nothing if the text is not a whole number of bytes, without a unit or in B,
/// kB, MB, GB (each 1000 times the one before) or KiB, MiB, GiB (1024 times)
std::optional<uint64_t> ParseBytes(const std::string& text);

/// @return rate in the largest unit that gives a whole number, readable by ParseRate()
std::string FormatRate(DataRate rate);

/// @return delay in nanoseconds, or in picoseconds if that is not a whole number, readable by
/// ParseDelay()
std::string FormatDelay(Time delay);

/// @return time in the largest of the units s, ms, us, ns and ps that gives a whole number; below 1
/// ps, as written by ns-3
std::string FormatTime(Time time);

/// @return size in the largest unit that gives a whole number, readable by ParseBytes()
std::string FormatBytes(uint64_t bytes);

/// @return time in nanoseconds without a unit, with decimals only if needed
std::string FormatNanoSeconds(Time time);

} // namespace ns3::lossless

#endif // LOSSLESS_QUANTITY_TEXT_H
