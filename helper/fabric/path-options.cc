// SPDX-License-Identifier: GPL-2.0-only
#include "path-options.h"

#include "ns3/config.h"
#include "ns3/object-factory.h"
#include "ns3/path-selection-info.h"
#include "ns3/roce-nic.h"

#include <algorithm>

namespace ns3::lossless
{

namespace
{

/// @return the type of the current default path selection, as set by an option or an attribute
std::string
GetDefaultType()
{
    TypeId::AttributeInformation info;
    RoceNic::GetTypeId().LookupAttributeByName("PathSelection", &info);
    return DynamicCast<const ObjectFactoryValue>(info.initialValue)->Get().GetTypeId().GetName();
}

} // namespace

void
PathOptions::AddTo(StrictCommandLine& commandLine)
{
    commandLine.AddChoice<PathSelectionInfo>(
        "path-selection",
        "How a RoCE flow chooses the paths of its packets, by their UDP source "
        "ports (" +
            DescribeParts<PathSelectionInfo>() + ").",
        m_name,
        "RoceNic::PathSelection");
    commandLine.AddAttribute("entropy-values", "PathSelection::EntropyValues");
}

void
PathOptions::Apply(const StrictCommandLine& commandLine, const SchemeInfo& scheme) const
{
    const PathSelectionInfo choice =
        commandLine.RequireChoice("path-selection", GetParts<PathSelectionInfo>(), m_name);
    // Without the option, the attribute determines the path selection.
    if (commandLine.IsGiven("path-selection"))
    {
        Config::SetDefault("ns3::lossless::RoceNic::PathSelection",
                           ObjectFactoryValue(ObjectFactory(choice.type)));
    }
    const bool isOfFlow = IsDefault();
    commandLine.RequireUse({"entropy-values"},
                           !isOfFlow,
                           "a --path-selection that has them, not Flow");
    commandLine.Require(isOfFlow || !scheme.needsOnePath,
                        "--scheme=" + scheme.name +
                            " needs one path for all frames of a flow; write "
                            "--path-selection=Flow");
    commandLine.Require(isOfFlow || !scheme.stopsFlows,
                        "--scheme=" + scheme.name +
                            " stops single flows, by their source ports, which then must not "
                            "change; write --path-selection=Flow");
}

bool
PathOptions::IsDefault() const
{
    return GetDefaultType() == "ns3::lossless::FlowPath";
}

std::string
PathOptions::GetReordering() const
{
    const auto& choices = GetParts<PathSelectionInfo>();
    const auto choice = std::find_if(choices.begin(), choices.end(), [](const auto& one) {
        return one.type == GetDefaultType();
    });
    return choice != choices.end() && choice->isReordering ? "--path-selection=" + choice->name
                                                           : "";
}

} // namespace ns3::lossless
