// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-scenarios.h"

#include "ns3/bit-error-model.h"
#include "ns3/cbfc-flow-control.h"
#include "ns3/cbfc-gate.h"
#include "ns3/cbfc-host.h"
#include "ns3/listen-to.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace ns3::lossless
{

namespace
{

/// Host index of the sender whose credit updates are lost.
constexpr uint32_t DEAF = 1;

/// Tracks the credits of frames of the congested class in one direction of a link.
class CreditWatch
{
  public:
    /// @param from the sending device
    /// @param receiver the receiver, which counts arrivals
    CreditWatch(const Ptr<LosslessNetDevice>& from, const CbfcReceiver& receiver)
        : m_from(from),
          m_receiver(receiver)
    {
        ListenTo(*from, "PhyTxBegin", [this](Ptr<const Packet> packet) { Note(1, packet); });
        ListenTo(*from->GetPeer(), "PhyRxEnd", [this](Ptr<const Packet> packet) {
            Note(-1, packet);
        });
    }

    /// @return whether the credits in use are at most those granted and cover all frames that are
    /// on the wire or stored by the receiver, or whose credits have been freed but not yet reported
    /// to the sender
    bool IsConserved() const
    {
        const CbfcGate& gate = GetGate();
        const CbfcPool& pool = gate.GetSender().GetPool();
        const uint8_t channel = gate.GetSettings().GetChannel(AcceptanceNetwork::LOSSLESS[0]);
        const int64_t known =
            m_onWire + m_receiver.GetStored(channel) + m_receiver.GetUntold(channel);
        return m_onWire >= 0 && pool.GetUsed(channel) >= known &&
               pool.GetAllUsed() <= pool.GetLimits().total;
    }

  private:
    const CbfcGate& GetGate() const
    {
        return *DynamicCast<CbfcGate>(m_from->GetGate());
    }

    /// Counts a frame.
    /// @param sign 1 when the frame begins to leave, -1 when it has arrived
    void Note(int sign, Ptr<const Packet> packet)
    {
        const Frame frame = ParseFrame(packet->Copy());
        if (frame.kind == FrameKind::IPV4 && frame.priority == AcceptanceNetwork::LOSSLESS[0])
        {
            m_onWire += sign * static_cast<int64_t>(GetGate().GetSettings().GetCredits(frame.size));
        }
    }

    Ptr<LosslessNetDevice> m_from;  ///< sending device
    const CbfcReceiver& m_receiver; ///< receiver at the other end
    int64_t m_onWire{0};            ///< number of credits of frames in flight
};

/// @return a watch for each link from a host to the switch, and one for the link to the receiver
std::deque<CreditWatch>
WatchCredits(const AcceptanceNetwork& network)
{
    const auto control = DynamicCast<CbfcFlowControl>(network.GetSwitch()->GetFlowControl());
    const uint32_t last = network.GetReceiverIndex();
    std::deque<CreditWatch> watches; // which stay in their places
    for (uint32_t host = 0; host <= last; ++host)
    {
        const Ptr<LosslessNetDevice> port = network.GetPort(host);
        const PortId id{static_cast<uint16_t>(port->GetIfIndex())};
        watches.emplace_back(port->GetPeer(), control->GetReceiver(id));
    }
    const Ptr<LosslessNetDevice> port = network.GetPort(last);
    watches.emplace_back(port, port->GetPeer()->GetObject<CbfcHost>()->GetReceiver());
    return watches;
}

/// A period in which a sender receives nothing.
struct Deafness
{
    Deafness(Ptr<LosslessNetDevice> device, Time at, Time length)
        : end(at + length)
    {
        const auto errors = CreateObject<BitErrorModel>();
        device->SetErrorModel(errors);
        Simulator::Schedule(at, &BitErrorModel::SetDead, errors, true);
        Simulator::Schedule(end, &BitErrorModel::SetDead, errors, false);
        ListenTo(*device, "PhyTxBegin", [this](Ptr<const Packet> packet) {
            const bool isData = ParseFrame(packet->Copy()).kind == FrameKind::IPV4;
            first = isData && Simulator::Now() >= end ? std::min(first, Simulator::Now()) : first;
        });
    }

    /// @return the time from the end of the period until the next frame leaves
    Time GetSilence() const
    {
        return first - end;
    }

    Time end;
    Time first{Time::Max()}; ///< time at which the first frame leaves after the period
};

/// Creates the gates of a network with credits.
void
InitializeCreditGates(const AcceptanceNetwork& network)
{
    network.GetSwitch()->Initialize();
    for (uint32_t host = 0; host <= network.GetReceiverIndex(); ++host)
    {
        network.GetFabric().GetHostDevice(host)->Initialize();
    }
}

const CbfcSettings&
GetCreditSettings(const AcceptanceNetwork& network)
{
    return DynamicCast<CbfcGate>(network.GetPort(DEAF)->GetGate())->GetSettings();
}

/// Checks the shares of the classes.
void
CheckCreditShares(const AcceptanceNetwork& network, AcceptanceBench& bench)
{
    const auto& options = bench.options;
    auto& checks = bench.checks;
    const uint32_t frame = RoceNic::GetFrameBytes(options.payload) + WIRE_OVERHEAD_BYTES;
    const double other = static_cast<double>(network.CountInnocent() * frame);
    const double left = 1 - 1.0 / options.senders; // share left by the congested class
    checks.Equal("frames lost for lack of buffer",
                 network.GetSwitch()->GetCounts().losslessDropped,
                 0);
    checks.AtLeast("what a class behind the same link gets, of what is left / %",
                   100 * other / options.GetCapacity() / left,
                   80);
    checks.AtMost("deviation of the congested link from full use / %",
                  100 * std::abs(1 - network.GetLinkShare(AcceptanceNetwork::LOSSLESS[0])),
                  5);
}

} // namespace

void
RunCredits(AcceptanceBench& bench)
{
    const auto& options = bench.options;
    AcceptanceNetwork network(bench.experiment, options, "None");
    InitializeCreditGates(network);
    const auto watches = WatchCredits(network);
    uint64_t violations = 0;
    for (Time at; at < options.duration; at += options.duration / 1000)
    {
        Simulator::Schedule(at, [&] {
            violations += std::count_if(watches.begin(), watches.end(), [](const auto& watch) {
                return !watch.IsConserved();
            });
        });
    }
    const Time repeated =
        options.rate.CalculateBytesTxTime(GetCreditSettings(network).refreshSpacing);
    const Deafness deafness(network.GetFabric().GetHostDevice(DEAF),
                            options.duration / 4,
                            2 * repeated);
    network.AddInnocent(AcceptanceNetwork::LOSSLESS[1], {});
    network.StartLossless(options.senders, 1, 1);
    bench.experiment.Run(options.duration);

    bench.checks.Equal("times that a link's credits are not conserved", violations, 0);
    bench.checks.AtMost(
        "time without updates until a sender goes on / periods of CC_Update",
        (deafness.GetSilence() / GetCreditSettings(network).counterPeriod).GetDouble(),
        1.1);
    CheckCreditShares(network, bench);
}

} // namespace ns3::lossless
