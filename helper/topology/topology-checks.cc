// SPDX-License-Identifier: GPL-2.0-only
#include "topology-checks.h"

#include "topology-options.h"

#include "ns3/short-text.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

bool
IsFitForCsv(const std::string& name)
{
    return !name.empty() && name[0] != '#' &&
           name.find_first_of(",;:\"' \t\r\n") == std::string::npos;
}

std::optional<std::string>
CheckCount(const std::string& what, uint64_t value)
{
    if (NODE_COUNTS.Has(static_cast<double>(value)))
    {
        return std::nullopt;
    }
    return "number of " + what + " is " + std::to_string(value) + "; it must be from " +
           NODE_COUNTS.Describe();
}

Ptr<const AttributeChecker>
MakeNodeCountChecker(uint32_t least)
{
    return MakeUintegerChecker<uint32_t>(least, static_cast<uint64_t>(NODE_COUNTS.most));
}

std::optional<std::string>
CheckRate(const std::string& what, DataRate rate)
{
    if (rate.GetBitRate() > 0)
    {
        return std::nullopt;
    }
    return what + " is 0 bit/s; it must be above 0";
}

std::optional<std::string>
CheckDelay(const std::string& what, Time delay)
{
    if (delay.IsStrictlyNegative())
    {
        return what + " is negative; it must be at least 0";
    }
    const Time longest = Seconds(1000); // so that sums of delays cannot overflow
    return delay <= longest ? std::nullopt
                            : std::optional(what + " is above " + FormatTime(longest));
}

std::optional<std::string>
FirstComplaint(std::initializer_list<std::optional<std::string>> checks)
{
    const auto* found = std::find_if(checks.begin(), checks.end(), [](const auto& check) {
        return check.has_value();
    });
    return found == checks.end() ? std::nullopt : *found;
}

} // namespace ns3::lossless
