// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-link.h"

#include "ns3/core-module.h"
#include "ns3/mac-control-header.h"
#include "ns3/raw-source.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace ns3::lossless
{

namespace
{

constexpr uint32_t SENDER = 0;   ///< host index of the sender
constexpr uint32_t RECEIVER = 1; ///< host index of the receiver
constexpr uint32_t REVERSE = 2;  ///< host index of the source of the reverse traffic
constexpr uint8_t CLASS = 3;     ///< lossless class
constexpr uint8_t OTHER = 0;     ///< lossy class of the reverse traffic

/// @return a network in which the link leads to the switch's first port
Topology
MakeTopology(const HeadroomLink& link)
{
    Topology topology;
    for (const char* name : {"sender", "receiver", "reverse"})
    {
        topology.AddHost(name);
    }
    topology.AddSwitch("s0");
    topology.AddLink("sender", "s0", link.rate, link.GetDelay());
    topology.AddLink("receiver", "s0", DataRate("1bps"), Time(0));
    topology.AddLink("reverse", "s0", link.rate, Time(0));
    return topology;
}

Ptr<RawSource>
AddSource(const Fabric& fabric, uint32_t from, uint32_t to, uint32_t frameBytes, uint8_t priority)
{
    auto source = CreateObject<RawSource>();
    source->SetAttribute("Priority", UintegerValue(priority));
    source->SetAttribute("FrameBytes", UintegerValue(frameBytes));
    fabric.InstallSource(source, from, to);
    return source;
}

/// @param times times in ascending order
/// @return the latest time before the limit, or the limit itself if there is no such time, as in an
/// interrupted run
Time
LatestBefore(const std::vector<Time>& times, Time limit)
{
    const auto behind = std::lower_bound(times.begin(), times.end(), limit);
    return behind == times.begin() ? limit : *std::prev(behind);
}

} // namespace

Time
HeadroomLink::GetDelay() const
{
    return Time::FromDouble(metres * NANOSECONDS_PER_METRE, Time::NS);
}

uint32_t
HeadroomLink::GetLargestFrame() const
{
    return mtu + ETHERNET_BYTES;
}

uint32_t
HeadroomLink::GetLargestLossless() const
{
    return (losslessMtu > 0 ? losslessMtu : mtu) + ETHERNET_BYTES;
}

Time
HeadroomLink::GetFrameTime(uint32_t bytes) const
{
    return rate.CalculateBytesTxTime(bytes + WIRE_OVERHEAD_BYTES);
}

PortLink
HeadroomLink::GetPortLink() const
{
    // If the response time exceeds that of the formulas, the excess has the same effect as a longer
    // cable, half of it in each direction.
    const uint64_t granted = GetHeadroomBytes({rate, Time(0), 0, {}});
    const uint64_t needed = std::max<uint64_t>(granted, quanta * PAUSE_QUANTUM_BITS / 8);
    const Time beyond = rate.CalculateBytesTxTime(static_cast<uint32_t>(needed - granted));
    return {rate, GetDelay() + beyond / 2, mtu, {}};
}

uint64_t
HeadroomLink::GetEquation1() const
{
    return GetHeadroomBytes(GetPortLink());
}

uint64_t
HeadroomLink::GetWorstCase() const
{
    return GetWorstCaseHeadroomBytes(GetPortLink(), cellBytes);
}

HeadroomSearch::HeadroomSearch(Experiment& experiment, const HeadroomLink& link)
    : m_experiment(experiment),
      m_link(link)
{
    Config::SetDefault("ns3::lossless::TransmitGate::ResponseQuanta",
                       StringValue(std::to_string(link.quanta)));
    Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(link.mtu));
}

HeadroomWatermark
HeadroomSearch::Find(uint32_t phases)
{
    // Maximum-size frames have the least overhead; smaller ones can waste most of their last cell.
    const uint32_t largest = m_link.GetLargestLossless();
    const uint32_t cells =
        (MIN_ETHERNET_FRAME_BYTES + m_link.cellBytes - 1) / m_link.cellBytes * m_link.cellBytes;
    std::set<uint32_t> sizes{largest, MIN_ETHERNET_FRAME_BYTES, std::min(cells + 1, largest)};
    HeadroomPhase phase;
    phase.frameBytes = largest;
    if (const uint32_t fitting = FitSize(Run(phase)))
    {
        sizes.insert(fitting);
    }
    for (const uint32_t size : sizes)
    {
        TrySize(size, phases);
    }
    return m_most;
}

uint32_t
HeadroomSearch::FitSize(const HeadroomRun& run) const
{
    const Time largest = m_link.GetFrameTime(m_link.GetLargestLossless());
    // The window begins when the sender starts the frame after the one that finds the memory full.
    // The PAUSE may have to wait longer than in this run, for nearly a whole frame.
    const Time wait = run.full - LatestBefore(run.reverseStarts, run.full);
    const Time window = run.closed - run.full + m_link.GetDelay() + wait;
    const double frames = std::ceil(window.GetSeconds() / largest.GetSeconds());
    const double bytes =
        std::floor(window.GetSeconds() / frames * m_link.rate.GetBitRate() / 8 - 0.01);
    const double size = bytes - WIRE_OVERHEAD_BYTES;
    return size >= MIN_ETHERNET_FRAME_BYTES ? static_cast<uint32_t>(size) : 0;
}

void
HeadroomSearch::TrySize(uint32_t frameBytes, uint32_t phases)
{
    const Time halfFrame = m_link.GetFrameTime(frameBytes) / 2;
    const Time reverse = m_link.GetFrameTime(m_link.GetLargestFrame());
    HeadroomPhase phase;
    phase.frameBytes = frameBytes;
    const bool isSmall = frameBytes < m_link.GetLargestLossless();
    if (isSmall)
    {
        const HeadroomRun run = Run(phase);
        const Time finding = LatestBefore(run.starts, run.full - m_link.GetDelay());
        phase.firstFull = finding - halfFrame;
    }
    for (uint32_t i = 0; i < phases; ++i)
    {
        phase.reverseStart = reverse * i / phases;
        Run(phase);
    }
    // A reverse frame begins just before the switch generates the PAUSE.
    phase.reverseStart = Time(0);
    HeadroomRun run = Run(phase);
    const Time early = run.full - TimeStep(1) - LatestBefore(run.reverseStarts, run.full);
    phase.reverseStart = early;
    run = Run(phase);
    if (isSmall)
    {
        phase.lastFull = LatestBefore(run.starts, run.closed) - halfFrame;
        Run(phase);
    }
}

uint64_t
HeadroomSearch::CountFilling(uint32_t frameBytes) const
{
    // The memory fills so slowly that the reverse traffic begins first, regardless of its phase.
    const uint64_t wire = 6ULL * (m_link.GetLargestFrame() + WIRE_OVERHEAD_BYTES);
    return wire / (frameBytes + WIRE_OVERHEAD_BYTES) + 1;
}

SwitchHelper
HeadroomSearch::MakeSwitches(uint32_t frameBytes) const
{
    constexpr uint32_t PORTS = 3;
    const auto inCells = [this](uint64_t bytes) {
        return (bytes + m_link.cellBytes - 1) / m_link.cellBytes * m_link.cellBytes;
    };
    // The headroom is twice the expected maximum, and the other traffic has separate memory. The
    // shared memory holds a whole number of the sender's frames plus one byte of the next one.
    const uint64_t headroom = 2 * m_link.GetWorstCase();
    const uint64_t lossy = 16 * inCells(m_link.GetLargestFrame());
    const uint64_t shared = CountFilling(frameBytes) * inCells(frameBytes) + 1;
    SwitchHelper switches = m_experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue(1 << CLASS));
    switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom));
    switches.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    switches.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(lossy));
    switches.SetPolicyAttribute("Alpha", DoubleValue(1e6)); // no PAUSE until the memory is full
    switches.SetBufferAttribute("CellBytes", UintegerValue(m_link.cellBytes));
    switches.SetBufferAttribute(
        "Size",
        UintegerValue(shared + PORTS * (headroom + (NUM_PRIORITIES - 1) * lossy)));
    return switches;
}

void
HeadroomSearch::StartSender(const Fabric& fabric,
                            const HeadroomPhase& phase,
                            HeadroomRun& run) const
{
    const Callback<void, Ptr<const Packet>> note(
        [&run](Ptr<const Packet>) { run.starts.push_back(Simulator::Now()); });
    AddSource(fabric, SENDER, RECEIVER, phase.frameBytes, CLASS)
        ->TraceConnectWithoutContext("Sent", note);
    for (const auto& due : {phase.firstFull, phase.lastFull})
    {
        if (due)
        {
            auto source = AddSource(fabric, SENDER, RECEIVER, m_link.GetLargestLossless(), CLASS);
            source->SetAttribute("MaxFrames", UintegerValue(1));
            source->SetStartTime(*due);
            source->TraceConnectWithoutContext("Sent", note);
        }
    }
}

void
HeadroomSearch::StartReverse(const Fabric& fabric, const HeadroomPhase& phase) const
{
    fabric.InstallSink(SENDER);
    auto source = AddSource(fabric, REVERSE, SENDER, m_link.GetLargestFrame(), OTHER);
    source->SetStartTime(phase.reverseStart);
}

HeadroomRun
HeadroomSearch::Run(const HeadroomPhase& phase)
{
    HeadroomRun run;
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("PayloadBytes", UintegerValue(1)); // unused, but valid for any MTU
    Fabric fabric(MakeTopology(m_link), MakeSwitches(phase.frameBytes), nics);
    StartSender(fabric, phase, run);
    StartReverse(fabric, phase);
    const Callback<void, PortId, uint64_t> noteHeadroom([&run](PortId, uint64_t bytes) {
        run.full = run.peak == 0 ? Simulator::Now() : run.full;
        run.peak = std::max(run.peak, bytes);
    });
    fabric.GetSwitch(0)->GetSharedBuffer()->TraceConnectWithoutContext("PortHeadroomInUse",
                                                                       noteHeadroom);
    const Callback<void, Ptr<const Packet>> noteReverse([&run](Ptr<const Packet> frame) {
        if (!PeekMacControlOpcode(*frame))
        {
            run.reverseStarts.push_back(Simulator::Now());
        }
    });
    const auto sender = fabric.GetHostDevice(SENDER);
    sender->GetPeer()->TraceConnectWithoutContext("PhyTxBegin", noteReverse);
    // Frames that are in flight when the sender stops must still arrive.
    const Time rest = 2 * (m_link.GetDelay() + m_link.GetFrameTime(m_link.GetLargestFrame()));
    const Callback<void, PrioritySet> noteClosed([&run, rest](PrioritySet) {
        run.closed = Simulator::Now();
        Simulator::Stop(rest);
    });
    sender->GetGate()->TraceConnectWithoutContext("Closed", noteClosed);
    m_experiment.Run();
    Simulator::Destroy();
    if (run.peak > m_most.bytes)
    {
        m_most = {run.peak, phase.frameBytes};
    }
    return run;
}

} // namespace ns3::lossless
