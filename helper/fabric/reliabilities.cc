// SPDX-License-Identifier: GPL-2.0-only
#include "reliabilities.h"

#include "ns3/named-choices.h"

namespace ns3::lossless
{

const std::vector<ReliabilityChoice>&
GetReliabilities()
{
    static const std::vector<ReliabilityChoice> choices = {
        {"GoBackN",
         "ns3::lossless::GoBackN",
         "all from the lost packet on is sent again, as RoCE NICs do"},
        {"SelectiveRepeat",
         "ns3::lossless::SelectiveRepeat",
         "only lost packets are sent again (IRN, Mittal et al.)"},
        {"Unordered",
         "ns3::lossless::Unordered",
         "packets are placed in whatever order they come (Ultra Ethernet, MRC)"},
    };
    return choices;
}

std::string
DescribeReliabilities()
{
    std::string text;
    for (const ReliabilityChoice& choice : GetReliabilities())
    {
        text += (text.empty() ? "" : "; ") + choice.name + ": " + choice.what;
    }
    return text;
}

std::optional<ReliabilityChoice>
FindReliability(const std::string& name)
{
    return FindByName(GetReliabilities(), name);
}

std::string
GetReliabilityName(TypeId type)
{
    for (const ReliabilityChoice& choice : GetReliabilities())
    {
        if (choice.type == type.GetName())
        {
            return choice.name;
        }
    }
    return type.GetName();
}

} // namespace ns3::lossless
