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

/// @param unit of a time, as ns-3 writes it @return its length in seconds, if there is such a unit
std::optional<double>
GetSeconds(const std::string& unit)
{
    static const std::map<std::string, double> units = {{"fs", 1e-15},
                                                        {"ps", 1e-12},
                                                        {"ns", 1e-9},
                                                        {"us", 1e-6},
                                                        {"ms", 1e-3},
                                                        {"s", 1},
                                                        {"min", 60},
                                                        {"h", 3600},
                                                        {"d", 86400},
                                                        {"y", 31536000}};
    const auto found = units.find(unit);
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
        value = true; // not toggled, as in ns-3: it may be true by default, or in --settings
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
    const auto number = ParseNumber(text);
    value = number.value_or(value);
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
    const std::size_t split = std::min(text.find_first_not_of("+-.0123456789"), text.size());
    const auto number = ParseNumber(text.substr(0, split));
    const std::string unit = text.substr(split);
    const auto seconds = GetSeconds(unit);
    if (number && *number == 0 && unit.empty())
    {
        value = Time(0);
        return "";
    }
    if (number && unit.empty())
    {
        return "a time with a unit, as " + text + "us";
    }
    if (!number || !seconds || std::abs(*number * *seconds) >= Time::Max().GetSeconds())
    {
        return "a time with a unit (s, ms, us, ns, ps), as 55us, of less than " +
               std::to_string(std::llround(Time::Max().GetSeconds())) + " s";
    }
    if (!IsWholeTicks(*number * *seconds))
    {
        return DescribeTicks();
    }
    value = Time(text);
    return "";
}

std::string
ReadOption(const std::string& text, DataRate& value)
{
    const auto number = ParseNumber(text);
    if (number && *number > 0)
    {
        return "a rate with a unit, as " + text + "Gbps";
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
    return (isAbove ? number > least : number >= least) && number <= most;
}

std::string
Range::Describe() const
{
    std::ostringstream text;
    text.precision(15);
    if (std::isinf(most))
    {
        text << (isAbove ? "above " : "at least ") << least;
    }
    else if (isAbove)
    {
        text << "above " << least << " and at most " << most;
    }
    else
    {
        text << least << " to " << most;
    }
    return text.str();
}

std::string
ByteRange::Read(const std::string& text, uint64_t& bytes) const
{
    const auto read = ParseBytes(text);
    if (!read)
    {
        return "a size in bytes (or kB, MB, GB, KiB, MiB, GiB), as 2000000 or 2MB";
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

} // namespace ns3::lossless
