// SPDX-License-Identifier: GPL-2.0-only
#include "astra-network.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

/// The network interface of one NPU.
class AstraRank : public AstraSim::AstraNetworkAPI
{
  public:
    AstraRank(AstraNetwork& network, uint32_t npu)
        : AstraNetworkAPI(static_cast<int>(npu)),
          m_network(network),
          m_npu(npu)
    {
    }

    // Even an empty message has a header on the wire; in this model, it is sent as one byte.

    int sim_send(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int dst,
                 int tag,
                 AstraSim::sim_request* /* request */,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override
    {
        m_network.Send({tag, m_npu, m_network.Check(dst)},
                       std::max<uint64_t>(count, 1),
                       {msg_handler, fun_arg});
        return 0;
    }

    int sim_recv(void* /* buffer */,
                 uint64_t count,
                 int /* type */,
                 int src,
                 int tag,
                 AstraSim::sim_request* /* request */,
                 void (*msg_handler)(void* fun_arg),
                 void* fun_arg) override
    {
        m_network.Receive({tag, m_network.Check(src), m_npu},
                          {std::max<uint64_t>(count, 1), {msg_handler, fun_arg}});
        return 0;
    }

    void sim_schedule(AstraSim::timespec_t delta,
                      void (*fun_ptr)(void* fun_arg),
                      void* fun_arg) override
    {
        // The timer runs in the context of this NPU's host, from which the callback may send
        // messages.
        const uint32_t host = m_network.m_hosts[m_npu];
        Simulator::ScheduleWithContext(m_network.m_fabric.GetHost(host)->GetId(),
                                       ToTime(delta),
                                       [fun_ptr, fun_arg] { fun_ptr(fun_arg); });
    }

    AstraSim::timespec_t sim_get_time() override
    {
        return {AstraSim::NS, static_cast<long double>(Simulator::Now().GetNanoSeconds())};
    }

    void sim_notify_finished() override
    {
        m_network.Finish(m_npu);
    }

  private:
    /// Converts a time of ASTRA-sim, rounding it to nanoseconds.
    static Time ToTime(const AstraSim::timespec_t& time)
    {
        const std::map<AstraSim::time_type_e, long double> nanoSeconds = {
            {AstraSim::SE, 1e9L},
            {AstraSim::MS, 1e6L},
            {AstraSim::US, 1e3L},
            {AstraSim::NS, 1},
            {AstraSim::FS, 1e-6L},
        };
        const long double value = time.time_val * nanoSeconds.at(time.time_res);
        const auto latest = static_cast<long double>(GetLatestStart().GetNanoSeconds());
        NS_ABORT_MSG_IF(!(value >= 0 && value <= latest),
                        "AstraNetwork: ASTRA-sim asks for a call in " << value << " ns");
        return NanoSeconds(std::llround(value));
    }

    AstraNetwork& m_network;
    uint32_t m_npu;
};

void
AstraCall::Schedule() const
{
    Simulator::ScheduleNow(function, argument);
}

AstraNetwork::AstraNetwork(Fabric& fabric, const std::vector<uint32_t>& hosts, Priority priority)
    : m_fabric(fabric),
      m_hosts(hosts),
      m_priority(priority),
      m_sent(hosts.size()),
      m_isFinished(hosts.size()),
      m_unfinished(static_cast<uint32_t>(hosts.size())),
      m_finishes([this](const NetworkTally::Counts& counts) { CountFinished(counts); })
{
    for (uint32_t npu = 0; npu < hosts.size(); ++npu)
    {
        const Ptr<RoceNic> nic = fabric.GetNic(hosts[npu]);
        nic->TraceConnectWithoutContext("FlowReceived",
                                        MakeCallback(&AstraNetwork::NotifyReceived, this));
        nic->TraceConnectWithoutContext("FlowAcknowledged",
                                        MakeCallback(&AstraNetwork::NotifyAcknowledged, this));
        m_ranks.push_back(std::make_unique<AstraRank>(*this, npu));
    }
}

AstraSim::AstraNetworkAPI*
AstraNetwork::GetRank(uint32_t npu) const
{
    return m_ranks.at(npu).get();
}

uint32_t
AstraNetwork::Check(int npu) const
{
    NS_ABORT_MSG_IF(npu < 0 || static_cast<uint32_t>(npu) >= m_hosts.size(),
                    "AstraNetwork: a message names NPU " << npu << "; there are "
                                                         << m_hosts.size());
    return static_cast<uint32_t>(npu);
}

void
AstraNetwork::Send(const Key& key, uint64_t bytes, const AstraCall& sent)
{
    const auto [tag, source, destination] = key;
    NS_ABORT_MSG_IF(source == destination,
                    "AstraNetwork: NPU " << source << " sends to itself, tag " << tag);
    RoceFlow flow;
    // The ID includes the sender, because the order in which NPUs send at the same time depends on
    // the simulator.
    flow.id = (uint64_t{source} << 40) + m_sent[source]++;
    flow.priority = m_priority;
    flow.bytes = bytes;
    m_messages.emplace(flow.id, Message{key, bytes, sent});
    m_fabric.GetNic(m_hosts[source])->StartFlow(m_fabric.GetNic(m_hosts[destination]), flow);
}

void
AstraNetwork::Receive(const Key& key, const Wanted& wanted)
{
    m_streams[key].wanted.push_back(wanted);
    Match(key);
}

void
AstraNetwork::Match(const Key& key)
{
    const auto found = m_streams.find(key);
    Stream& stream = found->second;
    while (stream.arrived > 0 && !stream.wanted.empty())
    {
        Wanted& first = stream.wanted.front();
        const uint64_t bytes = std::min(stream.arrived, first.bytes);
        stream.arrived -= bytes;
        first.bytes -= bytes;
        if (first.bytes == 0)
        {
            first.received.Schedule();
            stream.wanted.pop_front();
        }
    }
    if (stream.arrived == 0 && stream.wanted.empty())
    {
        m_streams.erase(found);
    }
}

void
AstraNetwork::NotifyReceived(const FlowRecord& record)
{
    const auto message = m_messages.find(record.flow.id);
    if (message != m_messages.end())
    {
        m_streams[message->second.key].arrived += message->second.bytes;
        Match(message->second.key);
    }
}

void
AstraNetwork::NotifyAcknowledged(const FlowRecord& record)
{
    const auto message = m_messages.find(record.flow.id);
    if (message != m_messages.end())
    {
        message->second.sent.Schedule();
        m_messages.erase(message);
    }
}

void
AstraNetwork::Finish(uint32_t npu)
{
    if (!m_isFinished[npu])
    {
        m_isFinished[npu] = true;
        m_finishes.Note(Simulator::Now());
    }
}

void
AstraNetwork::CountFinished(const NetworkTally::Counts& counts)
{
    m_unfinished -= static_cast<uint32_t>(counts.count);
    m_lastFinish = Max(m_lastFinish, TimeStep(counts.latest));
    if (m_unfinished == 0)
    {
        StopRun(m_lastFinish);
    }
}

std::vector<std::string>
AstraNetwork::DescribeOpen() const
{
    constexpr std::size_t MOST = 10;
    std::vector<std::string> sentences;
    const auto describe = [&sentences](const Key& key, const std::string& what) {
        const auto [tag, source, destination] = key;
        if (sentences.size() < MOST)
        {
            sentences.push_back("from NPU " + std::to_string(source) + " to " +
                                std::to_string(destination) + ", tag " + std::to_string(tag) +
                                ": " + what);
        }
    };
    for (const auto& [key, stream] : m_streams)
    {
        for (const Wanted& wanted : stream.wanted)
        {
            describe(key, std::to_string(wanted.bytes) + " bytes are waited for");
        }
    }
    for (const auto& [id, message] : m_messages)
    {
        describe(message.key, std::to_string(message.bytes) + " bytes are under way");
    }
    return sentences;
}

} // namespace ns3::lossless
