// SPDX-License-Identifier: GPL-2.0-only
//
// The part of StrictCommandLine that concerns attributes: options that are attributes, with their
// help and ranges, options that set attributes, and whether what was set has an effect.

#include "attribute-survey.h"
#include "attribute-text.h"
#include "option-names.h"
#include "strict-command-line.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <boost/algorithm/string.hpp>
#include <cmath>
#include <regex>

namespace ns3::lossless
{

namespace
{

/// @return the value of an attribute as a string, in which a time has the same format as in an
/// option
std::string
ShowValue(const std::string& attribute, const std::string& value)
{
    TimeValue time;
    const auto checker = FindAttribute(attribute);
    const bool isTime =
        DynamicCast<TimeValue>(checker->Create()) && time.DeserializeFromString(value, checker);
    return isTime ? FormatTime(time.Get()) : value;
}

/// @return the description of an attribute, without the attribute's own default if the program has
/// another one, which ns-3 adds
std::string
DescribeAttribute(const TypeId::AttributeInformation& info)
{
    static const std::regex ownDefault(R"( \(default[^()]*\))");
    const bool isOwn = info.initialValue->SerializeToString(info.checker) ==
                       info.originalInitialValue->SerializeToString(info.checker);
    return isOwn ? info.help : std::regex_replace(info.help, ownDefault, "");
}

/// Reads the value of an option that AddAttribute() has added.
/// @tparam VALUE the type of the attribute
/// @param range the limits of the option, a Range or a ByteRange
/// @param [out] value the value
/// @return a description of the valid values, or an empty string if the value is valid
template <typename VALUE, typename RANGE>
std::string
ReadAttribute(const std::string& given,
              const AttributeChecker& checker,
              const RANGE& range,
              VALUE& value)
{
    std::decay_t<decltype(value.Get())> read{};
    const std::string allowed = range.Read(given, read);
    if constexpr (std::is_integral_v<decltype(read)> && std::is_same_v<RANGE, Range>)
    {
        if (!allowed.empty() && std::isinf(range.most))
        {
            const std::string known = CheckAttribute(given, checker); // includes the maximum
            return known.empty() ? allowed : known;
        }
    }
    value.Set(read);
    return allowed.empty() && !checker.Check(value) ? DescribeRange(checker) : allowed;
}

} // namespace

std::string
StrictCommandLine::NoteAttribute(const std::string& option,
                                 const std::string& attribute,
                                 const AttributeValue& own)
{
    std::string name = FindAttribute(attribute) ? attribute : "ns3::lossless::" + attribute;
    NS_ABORT_MSG_IF(!FindAttribute(name), "--" + option + ": there is no attribute " + name + ".");
    if (!dynamic_cast<const EmptyAttributeValue*>(&own))
    {
        Config::SetDefault(name, own);
    }
    m_attributeOf[option] = name;
    return name;
}

template <typename VALUE, typename RANGE>
bool
StrictCommandLine::TryAddAttribute(const std::string& option,
                                   const std::string& attribute,
                                   const RANGE& range)
{
    const std::size_t split = attribute.rfind("::");
    TypeId::AttributeInformation info;
    TypeId::LookupByName(attribute.substr(0, split))
        .LookupAttributeByName(attribute.substr(split + 2), &info);
    const auto initial = DynamicCast<const VALUE>(info.initialValue);
    if (!initial)
    {
        return false;
    }
    const auto read = [attribute, range, checker = info.checker](const std::string& given) {
        VALUE value;
        const std::string allowed = ReadAttribute(given, *checker, range, value);
        if (allowed.empty())
        {
            Config::SetDefault(attribute, value);
        }
        return allowed;
    };
    using Held = decltype(VALUE().Get());
    AddReader(option,
              AddRange(DescribeAttribute(info), range.template DescribeFor<Held>()),
              Show<RANGE>(initial->Get()),
              read);
    return true;
}

void
StrictCommandLine::AddAttribute(const std::string& option,
                                const std::string& attribute,
                                const Range& range,
                                const AttributeValue& own)
{
    const std::string name = NoteAttribute(option, attribute, own);
    const bool isAdded = TryAddAttribute<UintegerValue>(option, name, range) ||
                         TryAddAttribute<DoubleValue>(option, name, range) ||
                         TryAddAttribute<TimeValue>(option, name, range) ||
                         TryAddAttribute<DataRateValue>(option, name, range) ||
                         TryAddAttribute<BooleanValue>(option, name, range) ||
                         TryAddAttribute<StringValue>(option, name, range);
    NS_ABORT_MSG_IF(!isAdded, "--" + option + ": " + name + " is of a kind that no option has.");
}

void
StrictCommandLine::AddAttribute(const std::string& option,
                                const std::string& attribute,
                                const ByteRange& range,
                                const AttributeValue& own)
{
    const std::string name = NoteAttribute(option, attribute, own);
    const bool isAdded = TryAddAttribute<UintegerValue>(option, name, range);
    NS_ABORT_MSG_IF(!isAdded, "--" + option + ": " + name + " is not a number of bytes.");
}

void
StrictCommandLine::SetsAttribute(const std::string& option, const std::string& attribute)
{
    const std::string name = "ns3::lossless::" + attribute;
    NS_ABORT_MSG_IF(m_names.count(option) == 0 || !FindAttribute(name),
                    "StrictCommandLine: there is no option " << option << " or no attribute "
                                                             << name << ".");
    m_optionOf[name] = option;
}

void
StrictCommandLine::SetsOnlyAttribute(const std::string& option, const std::string& attribute)
{
    SetsAttribute(option, attribute);
    m_onlyAttributes[option].push_back("ns3::lossless::" + attribute);
}

void
StrictCommandLine::RequireEffect(const std::function<void(AttributeSurvey&)>& addMore) const
{
    std::vector<std::string> options;
    for (const auto& [option, attributes] : m_onlyAttributes)
    {
        if (IsGiven(option) && m_translated.count(option) == 0)
        {
            options.push_back(option);
        }
    }
    if (m_attributes.empty() && options.empty())
    {
        return; // the survey would be slow
    }
    AttributeSurvey survey;
    survey.AddDefaults();
    survey.AddSimulation();
    if (addMore)
    {
        addMore(survey);
    }
    for (const auto& [name, setting] : m_attributes)
    {
        const auto& [value, given] = setting;
        if (m_judged.count(given) > 0)
        {
            continue;
        }
        const std::string inForce = ShowValue(name, *survey.GetValues(name).begin());
        const auto option = m_optionOf.find(name);
        Require(survey.IsInForce(name, value),
                "--" + given + " has no effect, since the program sets it itself" +
                    (inForce.empty() ? "" : ", to " + inForce) + "; " +
                    (option == m_optionOf.end() || m_withdrawn.count(option->second) > 0
                         ? "no option changes that"
                         : "write --" + option->second));
        RequireAnyUse(survey, given, {name});
    }
    for (const std::string& option : options)
    {
        RequireAnyUse(survey, option, m_onlyAttributes.at(option));
    }
}

void
StrictCommandLine::RequireAnyUse(const AttributeSurvey& survey,
                                 const std::string& option,
                                 const std::vector<std::string>& attributes) const
{
    std::string obstacle;
    for (const std::string& attribute : attributes)
    {
        obstacle = survey.IsUnused(attribute)
                       ? DescribeMissing(attribute.substr(0, attribute.rfind("::")))
                       : survey.FindContradiction(attribute);
        if (obstacle.empty())
        {
            return;
        }
    }
    Require(false, "--" + option + " has no effect, since " + obstacle);
}

std::string
StrictCommandLine::DescribeMissing(const std::string& type) const
{
    const TypeId wanted = TypeId::LookupByName(type);
    std::string makers;
    for (const auto& [option, parts] : m_choices)
    {
        std::vector<std::string> names;
        for (const PartInfo& part : parts)
        {
            AttributeSurvey made;
            made.AddObject(ObjectFactory(part.type).Create<Object>());
            names.insert(names.end(), made.Has(wanted) ? 1 : 0, part.name);
        }
        if (!names.empty())
        {
            const std::string list = boost::algorithm::join(names, ", ");
            makers += (makers.empty() ? "; --" : " or --") + option +
                      (names.size() == 1 ? "=" + list : " (one of " + list + ")");
        }
    }
    return "nothing here is of the type " + type + (makers.empty() ? "" : makers + " has one");
}

} // namespace ns3::lossless
