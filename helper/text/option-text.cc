// SPDX-License-Identifier: GPL-2.0-only
#include "option-text.h"

#include "quantity-text.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/split.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

namespace ns3::lossless
{

namespace
{

struct NamedTimeUnit
{
    double seconds;  ///< length of the unit
    Time::Unit unit; ///< unit in ns-3
};

/// @param name the name as ns-3 writes it; "us" may be written with a micro sign
/// @return the unit; unset if there is no such unit
std::optional<NamedTimeUnit>
FindUnit(const std::string& name)
{
    static const std::map<std::string, NamedTimeUnit> units = {{"fs", {1e-15, Time::FS}},
                                                               {"ps", {1e-12, Time::PS}},
                                                               {"ns", {1e-9, Time::NS}},
                                                               {"us", {1e-6, Time::US}},
                                                               {"\u00b5s", {1e-6, Time::US}},
                                                               {"\u03bcs", {1e-6, Time::US}},
                                                               {"ms", {1e-3, Time::MS}},
                                                               {"s", {1, Time::S}},
                                                               {"min", {60, Time::MIN}},
                                                               {"h", {3600, Time::H}},
                                                               {"d", {86400, Time::D}},
                                                               {"y", {31536000, Time::Y}}};
    const auto found = units.find(name);
    return found == units.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    boost::algorithm::split(parts, text, [separator](char c) { return c == separator; });
    return parts;
}

std::vector<std::string>
SplitList(const std::string& text)
{
    return text.empty() ? std::vector<std::string>() : Split(text, ',');
}

std::string
ReadOption(const std::string& text, bool& value)
{
    if (text.empty())
    {
        // An option without a value means true. ns-3 would toggle the current value, which may
        // already be true by default or because of --settings.
        value = true;
        return "";
    }
    static const std::map<std::string, bool> values =
        {{"true", true}, {"t", true}, {"1", true}, {"false", false}, {"f", false}, {"0", false}};
    const auto found = values.find(boost::algorithm::to_lower_copy(text));
    if (found == values.end())
    {
        return "true or false";
    }
    value = found->second;
    return "";
}

std::string
ReadOption(const std::string& text, double& value)
{
    constexpr double percent = 0.01;
    const bool isShare = !text.empty() && text.back() == '%';
    const auto number = ParseNumber(isShare ? text.substr(0, text.size() - 1) : text);
    value = number ? *number * (isShare ? percent : 1) : value;
    return number ? "" : "a number, as 0.5";
}

std::string
ReadOption(const std::string& text, std::string& value)
{
    value = text;
    return "";
}

std::string
ReadOption(const std::string& text, Time& value)
{
    const bool hasSign = !text.empty() && (text[0] == '-' || text[0] == '+');
    const auto quantity = SplitQuantity(text.substr(hasSign ? 1 : 0));
    const double number = quantity ? quantity->first : 0;
    const std::string name = quantity ? quantity->second : "";
    if (quantity && number == 0 && name.empty())
    {
        value = Time(0);
        return "";
    }
    if (quantity && name.empty())
    {
        return "a time with a unit, as 10us";
    }
    const auto unit = FindUnit(name);
    // In whole seconds, because the exact limit has more digits than a double.
    const double longest = std::floor(Time::Max().GetSeconds());
    if (!unit || number * unit->seconds > longest)
    {
        return "a time with a unit (s, ms, us, ns, ps), as 55us, of at most " +
               std::to_string(std::llround(longest)) + " s";
    }
    if (!IsWholeTicks(number * unit->seconds))
    {
        return DescribeTicks();
    }
    value = Time::FromDouble(text[0] == '-' ? -number : number, unit->unit);
    return "";
}

std::string
ReadOption(const std::string& text, DataRate& value)
{
    const auto number = ParseNumber(text);
    if (number && *number > 0)
    {
        return "a rate with a unit, as 100Gbps";
    }
    const auto rate = number && *number == 0 ? std::optional(DataRate(0)) : ParseRate(text);
    if (!rate)
    {
        return "a rate with a unit (bps, kbps, Mbps, Gbps, Tbps), as 100Gbps, of at most 9000Tbps";
    }
    value = *rate;
    return "";
}

Range
Range::Above(double limit, double most)
{
    return {limit, most, true};
}

bool
Range::Has(double number) const
{
    return (isAbove ? number > least : number >= least) && number <= most &&
           (!isEven || std::fmod(number, 2) == 0);
}

std::string
Range::DescribeBy(const std::function<std::string(double)>& show) const
{
    if (std::isinf(least) && std::isinf(most))
    {
        return "";
    }
    if (isEven)
    {
        return "an even number from " + show(least) + " to " + show(most);
    }
    if (std::isinf(most))
    {
        return (isAbove ? "above " : "at least ") + show(least);
    }
    return isAbove ? "above " + show(least) + " and at most " + show(most)
                   : show(least) + " to " + show(most);
}

std::string
Range::Describe() const
{
    return DescribeBy([](double number) {
        std::ostringstream text;
        text.precision(15);
        text << number;
        return text.str();
    });
}

std::string
Range::DescribeTimes() const
{
    return DescribeBy(
        [](double seconds) { return seconds == 0 ? "0" : FormatTime(Seconds(seconds)); });
}

std::string
Range::DescribeRates() const
{
    return DescribeBy([](double rate) {
        return rate == 0 ? "0" : FormatRate(DataRate(static_cast<uint64_t>(rate)));
    });
}

std::string
Range::Read(const std::string& text, std::vector<double>& values) const
{
    std::vector<double> numbers;
    for (const std::string& part : Split(text, ','))
    {
        const auto number = ParseNumber(part);
        if (!number || !Has(*number))
        {
            return "numbers separated by commas, each " + Describe();
        }
        numbers.push_back(*number);
    }
    values = numbers;
    return "";
}

std::string
ByteRange::ReadBytes(const std::string& text, uint64_t& bytes) const
{
    const auto read = ParseBytes(text);
    if (!read)
    {
        return "a size in whole bytes (or kB, MB, GB, KiB, MiB, GiB), as 2000000 or 2MB";
    }
    const bool isAllowed = *read >= least && *read <= most;
    bytes = isAllowed ? *read : bytes;
    return isAllowed ? "" : Describe();
}

std::string
ByteRange::Describe() const
{
    if (most != UINT64_MAX)
    {
        return FormatBytes(least) + " to " + FormatBytes(most);
    }
    return least > 0 ? "at least " + FormatBytes(least) : "";
}

std::string
OneOf::Read(const std::string& text, std::string& value) const
{
    if (std::find(names.begin(), names.end(), text) == names.end())
    {
        return Describe();
    }
    value = text;
    return "";
}

std::string
OneOf::Describe() const
{
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
    {
        text += (i + 1 < names.size() ? ", " : " or ") + names[i];
    }
    return text;
}

} // namespace ns3::lossless
