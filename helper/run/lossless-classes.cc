// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-classes.h"

#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

std::vector<uint8_t>
ReadClasses(const Experiment& experiment, const std::string& text, const std::string& option)
{
    std::vector<uint8_t> classes;
    for (const std::string& part : Split(text, ','))
    {
        const auto number = ParseWhole(part);
        experiment.Require(number && *number < NUM_PRIORITIES,
                           "--" + option + " is \"" + text +
                               "\"; it must be classes from 0 to 7, separated by commas, as 0,1,2");
        classes.push_back(static_cast<uint8_t>(*number));
    }
    return classes;
}

void
LosslessClasses::AddOption(Experiment& experiment)
{
    experiment.AddValue(
        "lossless-classes",
        "Classes under flow control, separated by commas, or none; frames of other classes may be "
        "dropped. Each class reserves headroom. Empty: those of the flows and of storms.",
        m_text);
    experiment.SetsAttribute("lossless-classes", "SwitchNode::LosslessClasses");
}

void
LosslessClasses::Check(const Experiment& experiment)
{
    if (m_text.empty())
    {
        return;
    }
    PrioritySet classes = 0;
    for (const uint8_t p : m_text == "none" ? std::vector<uint8_t>()
                                            : ReadClasses(experiment, m_text, "lossless-classes"))
    {
        classes |= SetOf(Priority{p});
    }
    m_chosen = classes;
}

void
LosslessClasses::Apply(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const
{
    const bool hasClasses =
        fabric.GetNSwitches() > 0 && fabric.GetSwitch(0)->GetFlowControl()->IsLossless();
    experiment.Require(hasClasses || !m_chosen,
                       "--lossless-classes is for switches with flow control; those of --scheme=" +
                           experiment.GetScheme().name + " have none");
    const bool isByAttribute =
        experiment.IsGiven("ns3::lossless::SwitchNode::LosslessClasses") && !m_chosen;
    if (!hasClasses || isByAttribute || (!m_chosen && used == 0))
    {
        return;
    }
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        fabric.GetSwitch(i)->SetAttribute("LosslessClasses",
                                          UintegerValue(m_chosen.value_or(used)));
    }
}

} // namespace ns3::lossless
