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
 * Checks that options of networks, their files and networks themselves have in common. They return
 * one sentence about what is wrong, or nothing.
 */

namespace ns3::lossless
{

/// @param name of a node @return whether it has no character that would end a field of a CSV file
bool IsFitForCsv(const std::string& name);

/// @param what is counted @param value how many there are @return the complaint if there are none
/// or more than switches have ports
std::optional<std::string> CheckCount(const std::string& what, uint64_t value);

/// @param what has the rate @param rate the rate @return the complaint if it is 0
std::optional<std::string> CheckRate(const std::string& what, DataRate rate);

/// @param what takes the time @param delay the time @return the complaint if it is negative
std::optional<std::string> CheckDelay(const std::string& what, Time delay);

/// @param checks results of several checks @return the first one that is a complaint, or nothing
std::optional<std::string> FirstComplaint(std::initializer_list<std::optional<std::string>> checks);

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_CHECKS_H */
