// SPDX-License-Identifier: GPL-2.0-only
#include "ppfc-flow-control.h"

#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPpfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(PpfcFlowControl);
LOSSLESS_PLAIN_CLASS(PpfcSwitchNode, SwitchNode);

const RegisterScheme<PpfcSwitchNode> g_ppfc("P-PFC", 130, [](SchemeInfo& scheme) {
    scheme.what =
        "egress queues that are about to grow long stop one of the neighbours that fill them";
    scheme.policy = "Static";
    scheme.takesOtherPolicies = true;
});

TypeId
PpfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PpfcFlowControl, PfcFlowControl>("PpfcFlowControl")
            .AddAttribute(
                "PredictionTime",
                "How far ahead the length of an egress queue is predicted, and the minimum time "
                "over which its growth is measured (default: twice the time of a 1500 B frame on "
                "OFC's links of 20 ns at 40 Gb/s, including the delay; not stated in the paper).",
                TimeValue(NanoSeconds(640)),
                Fixed(MakeTimeAccessor(&PpfcFlowControl::m_horizon)),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PredictionLevel",
                          "Predicted length above which an egress queue stops contributors, in "
                          "bytes (default: XOFFc of OFC; not stated in the paper).",
                          UintegerValue(68000),
                          Fixed(MakeUintegerAccessor(&PpfcFlowControl::m_level)),
                          MakeCountChecker(1));
    return tid;
}

std::optional<std::string>
PpfcFlowControl::Configure(const SwitchShape& shape)
{
    Egress egress;
    egress.bytes.resize(shape.ports.size());
    m_egress.assign(shape.ports.size() * NUM_PRIORITIES, egress);
    return ContributorFlowControl::Configure(shape);
}

int64_t
PpfcFlowControl::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
PpfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    const QueueId queue = item.GetEgressQueue();
    if (Contains(Shape().lossless, queue.priority))
    {
        m_egress[Index(queue)].bytes[Index(item.ingress)] += item.bufferBytes;
        TakeSample(queue);
        if (Predict(queue) > static_cast<double>(m_level) &&
            static_cast<double>(Buffer().GetEgress(queue).bytes) > GetThreshold(queue))
        {
            const PortId port = DrawContributor(queue);
            if (StopContributor(queue, port))
            {
                NS_LOG_DEBUG("egress port "
                             << Index(queue.port) << " class " << Index(queue.priority)
                             << " stops port " << Index(port) << ": "
                             << Buffer().GetEgress(queue).bytes << " B, threshold "
                             << GetThreshold(queue) << " B; predicted " << Predict(queue)
                             << " B, PredictionLevel " << m_level << " B");
            }
        }
    }
    PfcFlowControl::OnEnqueue(item);
}

void
PpfcFlowControl::OnRelease(const SwitchItem& item, Ticks when)
{
    const QueueId queue = item.GetEgressQueue();
    if (Contains(Shape().lossless, queue.priority))
    {
        m_egress[Index(queue)].bytes[Index(item.ingress)] -= item.bufferBytes;
        Relax(queue.priority);
    }
    PfcFlowControl::OnRelease(item, when);
}

void
PpfcFlowControl::OnRefusal(const SwitchItem& item)
{
    if (Contains(Shape().lossless, item.frame.priority))
    {
        Relax(item.frame.priority);
    }
    RestartAfter(item);
}

void
PpfcFlowControl::TakeSample(QueueId queue)
{
    Egress& egress = m_egress[Index(queue)];
    const Time now = Simulator::Now();
    if (now - egress.latest.time >= m_horizon)
    {
        egress.before = egress.latest;
        egress.latest = {now, Buffer().GetEgress(queue).bytes};
    }
}

double
PpfcFlowControl::Predict(QueueId queue) const
{
    const Sample& before = m_egress[Index(queue)].before;
    const auto length = static_cast<double>(Buffer().GetEgress(queue).bytes);
    const Time past = Simulator::Now() - before.time;
    if (!past.IsStrictlyPositive())
    {
        return length;
    }
    const double growth = length - static_cast<double>(before.bytes);
    return length + growth * m_horizon.GetSeconds() / past.GetSeconds();
}

double
PpfcFlowControl::GetThreshold(QueueId queue) const
{
    return std::max(Buffer().GetMeanEgress(queue.priority), static_cast<double>(GetXon(queue)));
}

uint64_t
PpfcFlowControl::GetXon(QueueId queue) const
{
    const auto levels = Policy().GetThresholds(Buffer(), queue);
    return levels ? levels->xon : 0;
}

PortId
PpfcFlowControl::DrawContributor(QueueId queue)
{
    const std::vector<uint64_t>& bytes = m_egress[Index(queue)].bytes;
    const uint64_t all = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
    double place = m_random->GetValue(0, static_cast<double>(all));
    uint16_t port = 0;
    while (port + 1U < bytes.size() && place >= static_cast<double>(bytes[port]))
    {
        place -= static_cast<double>(bytes[port++]);
    }
    return PortId{port};
}

void
PpfcFlowControl::Relax(Priority priority)
{
    for (uint16_t i = 0; i < Shape().ports.size(); ++i)
    {
        const QueueId queue{PortId{i}, priority};
        if (HasStopped(queue) &&
            static_cast<double>(Buffer().GetEgress(queue).bytes) <= GetThreshold(queue))
        {
            LetGo(queue, [&](PortId port) {
                const QueueId ingress{port, priority};
                const uint64_t length = GetLength(ingress, Buffer().GetIngress(ingress).GetTotal());
                const bool mayGo = length <= GetXon(ingress);
                if (mayGo)
                {
                    NS_LOG_DEBUG("egress port " << Index(queue.port) << " class " << Index(priority)
                                                << " lets port " << Index(port)
                                                << " go: " << Buffer().GetEgress(queue).bytes
                                                << " B, threshold " << GetThreshold(queue)
                                                << " B; ingress queue of " << length << " B, XON "
                                                << GetXon(ingress) << " B");
                }
                return mayGo;
            });
        }
    }
}

ThresholdFlowControl::Demand
PpfcFlowControl::Assess(QueueId queue) const
{
    if (IsStoppedByEgress(queue))
    {
        return Demand::PAUSE;
    }
    const Demand own = PfcFlowControl::Assess(queue);
    // A queue also resumes at exactly XON, because this is the length at which egress queues
    // release it.
    const uint64_t length = GetLength(queue, Buffer().GetIngress(queue).GetTotal());
    return own == Demand::KEEP && length <= GetXon(queue) ? Demand::RESUME : own;
}

} // namespace ns3::lossless
