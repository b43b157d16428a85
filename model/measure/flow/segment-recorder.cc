// SPDX-License-Identifier: GPL-2.0-only
#include "segment-recorder.h"

#include "ns3/abort.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/lossless-types.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"

#include <utility>

namespace ns3::lossless
{

SegmentRecorder::SegmentRecorder()
    : m_log(Create<Log>())
{
}

void
SegmentRecorder::Watch(Ptr<Node> node)
{
    NS_ABORT_MSG_IF(Ranks::AreSeveral(),
                    "SegmentRecorder: it compares segments at both ends of a connection, which it "
                    "cannot follow on several ranks. Run it on one, without mpirun.");
    Ptr<Ipv4L3Protocol> ipv4 = node->GetObject<Ipv4L3Protocol>();
    NS_ABORT_MSG_IF(!ipv4, "SegmentRecorder: node " << node->GetId() << " has no Internet stack.");
    ipv4->TraceConnectWithoutContext("Tx", MakeCallback(&Log::NotifySent, m_log));
    ipv4->TraceConnectWithoutContext("Rx", MakeCallback(&Log::NotifyReceived, m_log));
}

ReorderDensity
SegmentRecorder::GetDensity() const
{
    ReorderDensity all;
    for (const auto& [connection, journal] : m_log->m_journals)
    {
        all.Merge(journal.order.GetDensity());
    }
    return all;
}

double
SegmentRecorder::GetMeanEntropy() const
{
    double sum = 0;
    uint64_t segments = 0;
    for (const auto& [connection, journal] : m_log->m_journals)
    {
        const ReorderDensity density = journal.order.GetDensity();
        sum += density.GetEntropy() * static_cast<double>(density.GetTotal());
        segments += density.GetTotal();
    }
    return segments == 0 ? 0 : sum / static_cast<double>(segments);
}

void
SegmentRecorder::Log::NotifySent(Ptr<const Packet> packet,
                                 Ptr<Ipv4> /* ipv4 */,
                                 uint32_t /* interface */)
{
    Connection connection;
    uint32_t sequence = 0;
    if (Parse(packet, connection, sequence))
    {
        ++m_transmissions;
        Journal& journal = m_journals[connection];
        const Time now = Simulator::Now();
        const Segment fresh{journal.segments.size(), now, now, false};
        Segment& segment = journal.segments.try_emplace(sequence, fresh).first->second;
        segment.sentBefore = std::exchange(segment.sent, now);
    }
}

void
SegmentRecorder::Log::NotifyReceived(Ptr<const Packet> packet,
                                     Ptr<Ipv4> /* ipv4 */,
                                     uint32_t /* interface */)
{
    Connection connection;
    uint32_t sequence = 0;
    if (Parse(packet, connection, sequence))
    {
        Journal& journal = m_journals[connection];
        const auto found = journal.segments.find(sequence);
        if (found != journal.segments.end() && !found->second.arrived)
        {
            Segment& segment = found->second;
            const Time now = Simulator::Now();
            const Time sent = segment.sent < now ? segment.sent : segment.sentBefore;
            segment.arrived = true;
            m_delays.Update((now - sent).GetSeconds());
            journal.order.Arrive(segment.number);
        }
    }
}

bool
SegmentRecorder::Log::Parse(Ptr<const Packet> packet, Connection& connection, uint32_t& sequence)
{
    Ptr<Packet> copy = packet->Copy();
    Ipv4Header ip;
    copy->RemoveHeader(ip);
    TcpHeader tcp;
    if (ip.GetProtocol() != PROTOCOL_TCP)
    {
        return false;
    }
    const uint32_t headerBytes = copy->RemoveHeader(tcp);
    connection = {ip.GetSource().Get(),
                  ip.GetDestination().Get(),
                  tcp.GetSourcePort(),
                  tcp.GetDestinationPort()};
    sequence = tcp.GetSequenceNumber().GetValue();
    // The size is taken from the IPv4 header, because a short frame arrives with padding.
    return ip.GetPayloadSize() > headerBytes;
}

} // namespace ns3::lossless
