// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-controls.h"

#include "named-choices.h"

namespace ns3::lossless
{

const std::vector<CongestionControlChoice>&
GetCongestionControls()
{
    static const std::vector<CongestionControlChoice> choices = {
        {"None", "ns3::lossless::NoCongestionControl", "", "line rate, and the NIC's fixed window"},
        {"DCQCN",
         "ns3::lossless::Dcqcn",
         "ns3::lossless::RedMarker",
         "rate, by congestion notification packets (Zhu et al.)"},
        {"DCTCP",
         "ns3::lossless::Dctcp",
         "ns3::lossless::StepMarker",
         "rate and window, by the share of marked packets (Alizadeh et al.)"},
        {"TIMELY", "ns3::lossless::Timely", "", "rate, by round trip times (Mittal et al.)"},
        {"HPCC", "ns3::lossless::Hpcc", "", "rate and window, by in-band telemetry (Li et al.)"},
        {"PowerTCP",
         "ns3::lossless::PowerTcp",
         "",
         "rate and window, by in-band telemetry (Addanki et al.)"},
    };
    return choices;
}

std::string
ListCongestionControls()
{
    return ListNames(GetCongestionControls());
}

std::string
DescribeCongestionControls()
{
    std::string text;
    for (const CongestionControlChoice& choice : GetCongestionControls())
    {
        text += (text.empty() ? "" : "; ") + choice.name + ": " + choice.what;
    }
    return text;
}

std::optional<CongestionControlChoice>
FindCongestionControl(const std::string& name)
{
    return FindByName(GetCongestionControls(), name);
}

std::string
GetCongestionControlName(TypeId type)
{
    for (const CongestionControlChoice& choice : GetCongestionControls())
    {
        if (choice.type == type.GetName())
        {
            return choice.name;
        }
    }
    return type.GetName();
}

} // namespace ns3::lossless
