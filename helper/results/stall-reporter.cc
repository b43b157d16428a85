// SPDX-License-Identifier: GPL-2.0-only
#include "stall-reporter.h"

#include "ns3/callback.h"
#include "ns3/quantity-text.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"

#include <iostream>

namespace ns3::lossless
{

void
StallReporter::Watch(Ptr<RoceNic> nic)
{
    const Ptr<StallReporter> self(this);
    nic->TraceConnectWithoutContext("FlowStalled",
                                    MakeCallback(&StallReporter::NotifyStalled, self));
    nic->TraceConnectWithoutContext("FlowGivenUp",
                                    MakeCallback(&StallReporter::NotifyGivenUp, self));
}

void
StallReporter::NotifyStalled(const FlowRecord& record, Time since, const std::string& state)
{
    Say(record,
        "has had no acknowledgement for " + FormatTime(Simulator::Now() - since) + ": " + state +
            ".");
}

void
StallReporter::NotifyGivenUp(const FlowRecord& record)
{
    Say(record, "is given up, since RoceNic::RetryLimit timeouts in a row were not enough.");
}

void
StallReporter::Say(const FlowRecord& record, const std::string& what)
{
    // Of several ranks none knows how many lines the others have written.
    if (Ranks::AreSeveral() || ++m_lines > MOST + 1)
    {
        return;
    }
    if (m_lines > MOST)
    {
        std::cerr << "Further flows without acknowledgement are not named." << std::endl;
        return;
    }
    std::cerr << "Flow " << record.flow.id << " from " << record.source << " to "
              << record.flow.destination << " " << what << std::endl;
}

} // namespace ns3::lossless
