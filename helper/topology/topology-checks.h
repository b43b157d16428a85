// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_CHECKS_H
#define LOSSLESS_TOPOLOGY_CHECKS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

/**
 * @file
 * Common checks for network options and files. Each check returns an error message if there is an
 * error.
 */

namespace ns3::lossless
{

/// @return true if the name of a node contains no character that would end a CSV field
bool IsFitForCsv(const std::string& name);

/// @return an error if the number is 0 or exceeds the number of switch ports
std::optional<std::string> CheckCount(const std::string& what, uint64_t value);

/// @return an error if the rate is 0
std::optional<std::string> CheckRate(const std::string& what, DataRate rate);

/// @return an error if the delay is negative
std::optional<std::string> CheckDelay(const std::string& what, Time delay);

/// @return the first error in the list, if any
std::optional<std::string> FirstComplaint(std::initializer_list<std::optional<std::string>> checks);

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_CHECKS_H */
