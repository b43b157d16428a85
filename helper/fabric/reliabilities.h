// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RELIABILITIES_H
#define LOSSLESS_RELIABILITIES_H

#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A way of RoCE queue pairs to repair loss, as experiment programs name it.
struct ReliabilityChoice
{
    std::string name; ///< what `--reliability` takes
    std::string type; ///< TypeId of its Reliability subclass
    std::string what; ///< a line about it
};

/// @return the ways that exist, first the default
const std::vector<ReliabilityChoice>& GetReliabilities();

/// @return a line about each, for `--help`
std::string DescribeReliabilities();

/// @param name a name, in any case @return the way; nothing if there is none of that name
std::optional<ReliabilityChoice> FindReliability(const std::string& name);

/// @param type a subclass of Reliability @return its name; that of the type if it has none
std::string GetReliabilityName(TypeId type);

} // namespace ns3::lossless

#endif /* LOSSLESS_RELIABILITIES_H */
