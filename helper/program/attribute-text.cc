// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-text.h"

#include "ns3/double.h"
#include "ns3/factory-attribute.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/option-text.h"
#include "ns3/pointer.h"
#include "ns3/quantity-text.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>

namespace ns3::lossless
{

namespace
{

template <typename T>
std::string
CheckText(const std::string& text)
{
    T value{};
    return ReadOption(text, value);
}

/// @return a description of valid queue sizes, or an empty string if the size is valid
std::string
CheckQueueSize(const std::string& text)
{
    const bool isCount = !text.empty() && text.back() == 'p';
    const auto size = isCount ? ParseWhole(text.substr(0, text.size() - 1)) : ParseBytes(text);
    // ns-3 supports units up to MB and MiB.
    const bool isKnown = text.find_first_of("GT") == std::string::npos;
    return size && *size <= UINT32_MAX && isKnown
               ? ""
               : "packets or bytes, as 1000p or 1MB, at most 4294967295";
}

/// @return a description of valid rates, or an empty string if the rate is valid
std::string
CheckRate(const std::string& text)
{
    const std::string allowed = CheckText<DataRate>(text);
    // Attribute values are parsed by ns-3, which does not support Tbps.
    return allowed.empty() && text.find('T') != std::string::npos ? "in Gbps, as 1600Gbps"
                                                                  : allowed;
}

/// @return a description of the valid values, or an empty string if the value can be parsed; unset
/// if the attribute is not a number, time, rate or queue size. The range is not checked.
std::optional<std::string>
CheckNumber(const std::string& text, const AttributeChecker& checker)
{
    const Ptr<AttributeValue> value = checker.Create();
    if (DynamicCast<UintegerValue>(value))
    {
        const bool isRead = CheckText<uint64_t>(text).empty();
        const std::string hint = ParseBytes(text) ? ", for a size in bytes and without a unit" : "";
        return isRead ? "" : "a whole number " + DescribeRange(checker) + hint;
    }
    if (DynamicCast<DoubleValue>(value))
    {
        return CheckText<double>(text);
    }
    if (DynamicCast<TimeValue>(value))
    {
        return CheckText<Time>(text);
    }
    if (DynamicCast<IntegerValue>(value))
    {
        const auto whole = ParseWhole(text.substr(text.rfind('-', 0) == 0 ? 1 : 0));
        return whole && *whole <= INT64_MAX ? "" : "a whole number " + DescribeRange(checker);
    }
    if (DynamicCast<QueueSizeValue>(value))
    {
        return CheckQueueSize(text);
    }
    return DynamicCast<DataRateValue>(value) ? std::optional(CheckRate(text)) : std::nullopt;
}

/// @param text a serialized object, "type[name=value|name=value]"
/// @return a description of valid values for the first invalid setting, or an empty string if all
/// settings are valid
std::string
CheckSettings(const std::string& text)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(text.substr(0, text.find('[')), &type))
    {
        return "";
    }
    std::set<std::string> names;
    for (const auto& [name, value] : SplitSettings(text))
    {
        if (!names.insert(name).second)
        {
            return "one that sets " + name + " once";
        }
        TypeId::AttributeInformation info;
        const bool isKnown = value && type.LookupAttributeByName(name, &info);
        const std::string allowed = isKnown ? CheckAttribute(*value, *info.checker) : "";
        if (!allowed.empty())
        {
            return "one whose " + name + " is " + allowed;
        }
    }
    return "";
}

} // namespace

std::string
DescribeRange(const AttributeChecker& checker)
{
    // ns-3 writes the type, followed by both limits if there are any: "uint64_t 1:64".
    const std::string range = checker.GetUnderlyingTypeInformation();
    const std::size_t blank = range.find(' ');
    const std::size_t colon = range.rfind(':');
    if (blank == std::string::npos || colon == std::string::npos || colon < blank)
    {
        return "in the range " + range;
    }
    // Times are written with a sign.
    const std::size_t first = blank + (range[blank + 1] == '+' ? 2 : 1);
    const std::string least = range.substr(first, colon - first);
    const std::string most = range.substr(colon + 1);
    std::ostringstream longest;
    longest << Time::Max();
    return most == longest.str() ? "at least " + least : "from " + least + " to " + most;
}

std::string
DescribeDefault(const TypeId::AttributeInformation& info)
{
    if (info.checker->GetValueTypeName() == "ns3::PointerValue")
    {
        return "";
    }
    const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(info.originalInitialValue));
    return time ? FormatTime(time->Get())
                : info.originalInitialValue->SerializeToString(info.checker);
}

std::string
CheckAttribute(const std::string& text, const AttributeChecker& checker)
{
    const auto allowed = CheckNumber(text, checker);
    if (!allowed)
    {
        const Ptr<AttributeValue> value = checker.Create();
        const bool isMade =
            DynamicCast<ObjectFactoryValue>(value) || DynamicCast<PointerValue>(value);
        const std::string setting = isMade ? CheckSettings(text) : "";
        return setting.empty() ? CheckName(text, checker) : setting;
    }
    const bool isInRange = !allowed->empty() || checker.CreateValidValue(StringValue(text));
    return isInRange ? *allowed : DescribeRange(checker);
}

} // namespace ns3::lossless
