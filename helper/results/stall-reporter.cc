// SPDX-License-Identifier: GPL-2.0-only
#include "stall-reporter.h"

#include "ns3/callback.h"
#include "ns3/quantity-text.h"
#include "ns3/simulator.h"

#include <iostream>
#include <sstream>

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
    if (++m_lines > MOST + 1) // of several ranks, each says as many
    {
        return;
    }
    std::ostringstream line;
    if (m_lines > MOST)
    {
        line << "Further flows without acknowledgement are not named.\n";
    }
    else
    {
        line << "Flow " << record.flow.id << " from " << record.source << " to "
             << record.flow.destination << " " << what << '\n';
    }
    std::cerr << line.str() << std::flush; // at once: several ranks write to one terminal
}

} // namespace ns3::lossless
