// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-search.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mac-control-header.h"
#include "ns3/raw-source.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

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
MakeHeadroomStar(const HeadroomLink& link)
{
    Topology topology;
    const uint32_t node = topology.AddSwitch("s0");
    topology.AddLink(topology.AddHost("sender"), node, link.rate, link.GetDelay());
    topology.AddLink(topology.AddHost("receiver"), node, DataRate("1bps"), Time(0));
    topology.AddLink(topology.AddHost("reverse"), node, link.rate, Time(0));
    return topology;
}

Ptr<RawSource>
AddHeadroomSource(const Fabric& fabric,
                  uint32_t from,
                  uint32_t to,
                  uint32_t frameBytes,
                  uint8_t priority)
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

/// The search for the worst case of a link.
class HeadroomSearch
{
  public:
    HeadroomSearch(Experiment& experiment, const HeadroomLink& link)
        : m_experiment(experiment),
          m_link(link)
    {
    }

    HeadroomWatermark Find(uint32_t phases)
    {
        // Maximum-size frames have the least overhead; smaller ones can waste most of their last
        // cell.
        const uint32_t largest = m_link.GetLargestLossless();
        const uint32_t cells =
            (MIN_ETHERNET_FRAME_BYTES + m_link.cellBytes - 1) / m_link.cellBytes * m_link.cellBytes;
        std::set<uint32_t> sizes{largest, MIN_ETHERNET_FRAME_BYTES, std::min(cells + 1, largest)};
        Phase phase;
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

  private:
    /// Sizes and times of the frames of a run.
    struct Phase
    {
        uint32_t frameBytes{0};        ///< size of the frames to the switch, without FCS
        Time reverseStart;             ///< start of the reverse traffic
        std::optional<Time> firstFull; ///< due time of a full frame that finds the memory full
        std::optional<Time> lastFull;  ///< due time of a full frame that arrives last
    };

    /// Observations of a run.
    struct Observed
    {
        uint64_t peak{0};                ///< maximum headroom in use, in bytes
        Time full;                       ///< arrival time of the frame that found the memory full
        Time closed;                     ///< time at which the sender stopped
        std::vector<Time> starts;        ///< start times of frames to the switch
        std::vector<Time> reverseStarts; ///< start times of reverse frames
    };

    /// @param run a run in which the last frame did not start at the worst time
    /// @return the largest frame size with which one more frame fits; 0 if there is none
    uint32_t FitSize(const Observed& run) const
    {
        const Time largest = m_link.GetFrameTime(m_link.GetLargestLossless());
        // The window begins when the sender starts the frame after the one that finds the memory
        // full. The PAUSE may have to wait longer than in this run, for nearly a whole frame.
        const Time wait = run.full - LatestBefore(run.reverseStarts, run.full);
        const Time window = run.closed - run.full + m_link.GetDelay() + wait;
        const double frames = std::ceil(window.GetSeconds() / largest.GetSeconds());
        const double bytes =
            std::floor(window.GetSeconds() / frames * m_link.rate.GetBitRate() / 8 - 0.01);
        const double size = bytes - WIRE_OVERHEAD_BYTES;
        return size >= MIN_ETHERNET_FRAME_BYTES ? static_cast<uint32_t>(size) : 0;
    }

    /// @param frameBytes the size of the frames to the switch
    /// @param phases see FindHeadroomWatermark()
    void TrySize(uint32_t frameBytes, uint32_t phases)
    {
        const Time halfFrame = m_link.GetFrameTime(frameBytes) / 2;
        const Time reverse = m_link.GetFrameTime(m_link.GetLargestFrame());
        Phase phase;
        phase.frameBytes = frameBytes;
        const bool isSmall = frameBytes < m_link.GetLargestLossless();
        if (isSmall)
        {
            const Observed run = Run(phase);
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
        Observed run = Run(phase);
        const Time early = run.full - TimeStep(1) - LatestBefore(run.reverseStarts, run.full);
        phase.reverseStart = early;
        run = Run(phase);
        if (isSmall)
        {
            phase.lastFull = LatestBefore(run.starts, run.closed) - halfFrame;
            Run(phase);
        }
    }

    /// @param frameBytes the size of the frames to the switch
    SwitchHelper MakeSwitches(uint32_t frameBytes) const
    {
        constexpr uint32_t PORTS = 3;
        const auto inCells = [this](uint64_t bytes) {
            return (bytes + m_link.cellBytes - 1) / m_link.cellBytes * m_link.cellBytes;
        };
        // The headroom is twice the expected maximum, and the other traffic has separate memory.
        const uint64_t headroom = 2 * m_link.GetWorstCase();
        const uint64_t lossy = 16 * inCells(m_link.GetLargestFrame());
        // The shared memory holds a whole number of the sender's frames plus one byte of the next
        // one. It fills so slowly that the reverse traffic begins first, regardless of its phase.
        const uint64_t wire = 6ULL * (m_link.GetLargestFrame() + WIRE_OVERHEAD_BYTES);
        const uint64_t filling = wire / (frameBytes + WIRE_OVERHEAD_BYTES) + 1;
        const uint64_t shared = filling * inCells(frameBytes) + 1;
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

    /// @param run receives the start times of frames
    void StartSender(const Fabric& fabric, const Phase& phase, Observed& run) const
    {
        const auto note = [&run](Ptr<const Packet>) { run.starts.push_back(Simulator::Now()); };
        ListenTo(*AddHeadroomSource(fabric, SENDER, RECEIVER, phase.frameBytes, CLASS),
                 "Sent",
                 note);
        for (const auto& due : {phase.firstFull, phase.lastFull})
        {
            if (due)
            {
                auto source =
                    AddHeadroomSource(fabric, SENDER, RECEIVER, m_link.GetLargestLossless(), CLASS);
                source->SetAttribute("MaxFrames", UintegerValue(1));
                source->SetStartTime(*due);
                ListenTo(*source, "Sent", note);
            }
        }
    }

    Observed Run(const Phase& phase)
    {
        Observed run;
        ObjectFactory nics("ns3::lossless::RoceNic");
        nics.Set("PayloadBytes", UintegerValue(1)); // unused, but valid for any MTU
        Fabric fabric(MakeHeadroomStar(m_link), MakeSwitches(phase.frameBytes), nics);
        StartSender(fabric, phase, run);
        fabric.InstallSink(SENDER);
        AddHeadroomSource(fabric, REVERSE, SENDER, m_link.GetLargestFrame(), OTHER)
            ->SetStartTime(phase.reverseStart);
        const auto buffer = fabric.GetSwitch(0)->GetSharedBuffer();
        ListenTo(*buffer, "PortHeadroomInUse", [&run](PortId, uint64_t bytes) {
            run.full = run.peak == 0 ? Simulator::Now() : run.full;
            run.peak = std::max(run.peak, bytes);
        });
        const auto sender = fabric.GetHostDevice(SENDER);
        ListenTo(*sender->GetPeer(), "PhyTxBegin", [&run](Ptr<const Packet> frame) {
            if (!PeekMacControlOpcode(*frame))
            {
                run.reverseStarts.push_back(Simulator::Now());
            }
        });
        // Frames that are in flight when the sender stops must still arrive.
        const Time rest = 2 * (m_link.GetDelay() + m_link.GetFrameTime(m_link.GetLargestFrame()));
        ListenTo(*sender->GetGate(), "Closed", [&run, rest](PrioritySet) {
            run.closed = Simulator::Now();
            Simulator::Stop(rest);
        });
        m_experiment.Run();
        Simulator::Destroy();
        if (run.peak > m_most.bytes)
        {
            m_most = {run.peak, phase.frameBytes};
        }
        return run;
    }

    Experiment& m_experiment;
    HeadroomLink m_link;
    HeadroomWatermark m_most; ///< maximum so far
};

} // namespace

HeadroomWatermark
FindHeadroomWatermark(Experiment& experiment, const HeadroomLink& link, uint32_t phases)
{
    Config::SetDefault("ns3::lossless::TransmitGate::ResponseQuanta",
                       StringValue(std::to_string(link.quanta)));
    Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(link.mtu));
    return HeadroomSearch(experiment, link).Find(phases);
}

} // namespace ns3::lossless
