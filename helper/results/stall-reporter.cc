// SPDX-License-Identifier: GPL-2.0-only
#include "stall-reporter.h"

#include "flow-plan.h"

#include "ns3/callback.h"
#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(StallReporter);

const RegisterRecorder<StallReporter> g_stalls("stalls", 90);

TypeId
StallReporter::GetTypeId()
{
    static TypeId tid = MakeTypeId<StallReporter, Recorder>("StallReporter");
    return tid;
}

void
StallReporter::WatchNic(const WatchedNic& watched)
{
    const Ptr<RoceNic> nic = watched.roce;
    if (!nic)
    {
        return;
    }
    m_names[nic->GetAddress()] = watched.host;
    const Ptr<StallReporter> self(this);
    nic->TraceConnectWithoutContext("FlowStalled",
                                    MakeCallback(&StallReporter::NotifyStalled, self));
    ListenTo(*nic, "FlowGivenUp", [self, &sender = *nic](const FlowRecord& record) {
        UintegerValue limit;
        sender.GetAttribute("RetryLimit", limit);
        self->NotifyGivenUp(record, limit.Get());
    });
}

void
StallReporter::Silence()
{
    m_lines = MOST + 1;
}

void
StallReporter::NotifyStalled(const FlowRecord& record, Time since, const std::string& state)
{
    ShortText span;
    span.AddTime(static_cast<uint64_t>((Simulator::Now() - since).GetNanoSeconds()));
    Say(record, "has had no acknowledgement for " + std::string(span.Get()) + ": " + state + ".");
}

void
StallReporter::NotifyGivenUp(const FlowRecord& record, uint64_t limit)
{
    Say(record,
        "is given up upon timeout " + std::to_string(limit + 1) +
            " in a row: RoceNic::RetryLimit allows " + std::to_string(limit) +
            (limit == 1 ? " retry." : " retries."));
}

void
StallReporter::Say(const FlowRecord& record, const std::string& what)
{
    if (++m_lines > MOST + 1) // each rank counts separately
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
        line << "Flow " << record.flow.id << " from " << GetName(record.source) << " to "
             << GetName(record.flow.destination) << " " << what << '\n';
    }
    // This is a single write, because several ranks share a terminal.
    std::cerr << line.str() << std::flush;
}

std::string
StallReporter::GetName(Ipv4Address address) const
{
    const auto found = m_names.find(address);
    return found == m_names.end() ? ToText(address) : found->second;
}

} // namespace ns3::lossless
