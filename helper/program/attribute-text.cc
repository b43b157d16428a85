// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-text.h"

#include "ns3/double.h"
#include "ns3/factory-attribute.h"
#include "ns3/option-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::lossless
{

namespace
{

/// @tparam T type of an option @param text what the user gave @return see ReadOption()
template <typename T>
std::string
CheckText(const std::string& text)
{
    T value{};
    return ReadOption(text, value);
}

/// @param text what the user gave for an attribute @param checker of the attribute
/// @return see ReadOption(), without the range; nothing if the attribute is no number, time or rate
std::optional<std::string>
CheckNumber(const std::string& text, const AttributeChecker& checker)
{
    const Ptr<AttributeValue> value = checker.Create();
    if (DynamicCast<UintegerValue>(value))
    {
        const bool isRead = CheckText<uint64_t>(text).empty();
        return isRead ? "" : "a whole number " + DescribeRange(checker);
    }
    if (DynamicCast<DoubleValue>(value))
    {
        return CheckText<double>(text);
    }
    if (DynamicCast<TimeValue>(value))
    {
        return CheckText<Time>(text);
    }
    return DynamicCast<DataRateValue>(value) ? std::optional(CheckText<DataRate>(text))
                                             : std::nullopt;
}

} // namespace

std::string
DescribeRange(const AttributeChecker& checker)
{
    // As ns-3 writes it: the type and, if there are such, both ends: "uint64_t 1:64".
    const std::string range = checker.GetUnderlyingTypeInformation();
    const std::size_t blank = range.find(' ');
    const std::size_t colon = range.rfind(':');
    return blank == std::string::npos || colon == std::string::npos || colon < blank
               ? "in the range " + range
               : "from " + range.substr(blank + 1, colon - blank - 1) + " to " +
                     range.substr(colon + 1);
}

std::string
CheckAttribute(const std::string& text, const AttributeChecker& checker)
{
    const auto allowed = CheckNumber(text, checker);
    if (!allowed)
    {
        return CheckName(text, checker);
    }
    const bool isInRange = !allowed->empty() || checker.CreateValidValue(StringValue(text));
    return isInRange ? *allowed : DescribeRange(checker);
}

} // namespace ns3::lossless
