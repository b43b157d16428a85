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
 * Rates, delays and sizes as files and options have them: a number and, without a blank, its unit.
 */

/// Divides a text such as "1.5us" or "1e-06s" into number and unit. @param text the text
/// @return both, or nothing if the text does not begin with a number, which has no sign
std::optional<std::pair<double, std::string>> SplitQuantity(const std::string& text);

/// Reads a whole text as a decimal number. @param text the text @return the number, or nothing if
/// the text is anything else or not finite
std::optional<double> ParseNumber(const std::string& text);

/// Reads a whole text as an unsigned integer. @param text the text @return the number, or nothing
/// if the text is anything else or out of range
std::optional<uint64_t> ParseWhole(const std::string& text);

/// Reads a rate such as "2.5Gbps". @param text the text @return the rate, or nothing if the text is
/// no number of bps, kbps, Mbps, Gbps or Tbps (or b/s, kb/s and so on), or too large
std::optional<DataRate> ParseRate(const std::string& text);

/// Reads a delay such as "1.5us". @param text the text @return the delay, or nothing if the text is
/// no number of s, ms, us, ns or ps, longer than any Time, or would be rounded
std::optional<Time> ParseDelay(const std::string& text);
/// @param seconds a time @return whether it is a multiple of the step in which times are counted
/// (Time::SetResolution())
bool IsWholeTicks(double seconds);
/// @return what such a time is, in words
std::string DescribeTicks();

/// Reads a size such as "2MB". @param text the text @return bytes, or nothing if the text is not a
/// whole number of bytes, written without a unit or in B, kB, MB, GB (1000 times the one before) or
/// KiB, MiB, GiB (1024 times)
std::optional<uint64_t> ParseBytes(const std::string& text);

/// Writes a rate in the largest unit that leaves a whole number. @param rate the rate @return the
/// text, readable by ParseRate
std::string FormatRate(DataRate rate);

/// Writes a delay in nanoseconds, or in picoseconds if it is no whole number of those. @param delay
/// the delay @return the text, readable by ParseDelay
std::string FormatDelay(Time delay);

/// Writes a time in the largest of the units s, ms, us, ns and ps that leaves a whole number.
/// @param time the time @return the text; a time below 1 ps is written as ns-3 does
std::string FormatTime(Time time);

/// Writes a size in the largest unit that leaves a whole number. @param bytes the size @return the
/// text, readable by ParseBytes
std::string FormatBytes(uint64_t bytes);

/// Writes an instant as the number of its nanoseconds, with decimals only if it needs them.
/// @param time the instant @return the number, without a unit
std::string FormatNanoSeconds(Time time);

} // namespace ns3::lossless

#endif // LOSSLESS_QUANTITY_TEXT_H
