// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_CHECKS_H
#define LOSSLESS_TOPOLOGY_CHECKS_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

/**
 * @file
 * Common checks for network options and files. Each Check function returns an error message if the
 * value is not allowed.
 */

namespace ns3::lossless
{

/// @return true if a node name is allowed in files and options: it must not be empty, start with #,
/// or contain quotes, white space, or separators, which are commas, semicolons and, in places such
/// as leaf0:3, colons
bool IsFitForCsv(const std::string& name);

/// @return an error if the number is 0 or too large for the ports of a switch
std::optional<std::string> CheckCount(const std::string& what, uint64_t value);

/// @return a checker that accepts what CheckCount() does
/// @param least the minimum, for a number that may be 0
Ptr<const AttributeChecker> MakeNodeCountChecker(uint32_t least = 1);

/// @return an error if the rate is 0
std::optional<std::string> CheckRate(const std::string& what, DataRate rate);

/// @return an error if the delay is negative
std::optional<std::string> CheckDelay(const std::string& what, Time delay);

/// @return the first error in the list, if any
std::optional<std::string> FirstComplaint(std::initializer_list<std::optional<std::string>> checks);

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_CHECKS_H */
