// SPDX-License-Identifier: GPL-2.0-only
//
// How much memory does one class on one link need so that no frame is lost and the link stays fully
// utilized? The program compares PFC and CBFC on the same link. A host sends at line rate to a
// switch whose output is blocked until all traffic has stopped and is then released. Simulations
// search for the minimum.
//
//   link-buffer --scheme=CBFC --rate=100Gbps --metres=5,40,300
//   link-buffer --scheme=PFC --rate=400Gbps --metres=300 --mtu=9000
//
// A metre of cable adds a delay of 5 ns. link-buffer.csv contains one row per cable length.

#include "parts/cable-lengths.h"

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/raw-source.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"
#include "ns3/transmit-gate.h"

#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

constexpr uint32_t SENDER = 0;
constexpr uint32_t RECEIVER = 1;
/// Class of the frames.
constexpr uint8_t CLASS = 3;

/// Options of the command line.
struct Options
{
    DataRate rate{"100Gbps"};       ///< rate of both links
    std::string metres{"5,40,300"}; ///< lengths of the cable to the switch
    uint32_t mtu{1500};             ///< largest payload of a frame, in bytes
};

/// Blocks all frames until it is opened.
class Valve : public TransmitGate
{
  public:
    Valve()
    {
        Held(Layer::SCHEME) = ALL_PRIORITIES;
        Publish();
    }

    void Open()
    {
        Held(Layer::SCHEME) = 0;
        Publish();
    }

  private:
    bool Apply(const Frame& /* frame */) override
    {
        return true; // the receiver does not control this gate
    }
};

/// Result of a run.
struct Outcome
{
    bool isLossless{false}; ///< whether no frame was lost at the switch
    /// Whether the wire after the switch was never idle once the output was released.
    bool isFull{false};
};

class LinkTrial
{
  public:
    LinkTrial(Experiment& experiment, const Options& o, double metres)
        : m_experiment(experiment),
          m_options(o),
          m_delay(Time::FromDouble(5 * metres, Time::NS))
    {
    }

    /// @param set a function that configures the switch
    Outcome Run(const std::function<void(SwitchHelper&)>& set) const;

    /// @return the transmission time of a frame of maximum size
    Time GetFrameTime() const
    {
        return m_options.rate.CalculateBytesTxTime(GetFrameBytes() + WIRE_OVERHEAD_BYTES);
    }

    /// @return the size of a frame of maximum size, without FCS, in bytes
    uint32_t GetFrameBytes() const
    {
        return m_options.mtu + ETHERNET_BYTES;
    }

    /// @return a number of bytes that is sufficient for all searches
    uint64_t GetPlenty() const
    {
        const double bits = 2 * m_delay.GetSeconds() * m_options.rate.GetBitRate();
        return static_cast<uint64_t>(bits / 8) + 8 * GetFrameBytes() + 40000;
    }

  private:
    Experiment& m_experiment;
    Options m_options;
    Time m_delay; ///< delay of the cable
};

Outcome
LinkTrial::Run(const std::function<void(SwitchHelper&)>& set) const
{
    Topology topology;
    const uint32_t node = topology.AddSwitch("s");
    topology.AddLink(topology.AddHost("sender"), node, m_options.rate, m_delay);
    topology.AddLink(topology.AddHost("receiver"), node, m_options.rate, Time(0));
    SwitchHelper switches = m_experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue(1 << CLASS));
    switches.SetBufferAttribute("Size", UintegerValue(100 * GetPlenty() + 10000000));
    set(switches);
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("PayloadBytes",
             UintegerValue(1)); // The NICs do not send, so a payload of 1 byte fits any MTU.
    Fabric fabric(topology, switches, nics);
    auto source = CreateObject<RawSource>();
    source->SetAttribute("FrameBytes", UintegerValue(GetFrameBytes()));
    source->SetAttribute("Priority", UintegerValue(CLASS));
    source->Install(fabric.GetHostDevice(SENDER), fabric.GetAddress(SENDER));
    source->SetDestination(fabric.GetAddress(RECEIVER),
                           Mac48Address::ConvertFrom(fabric.GetHostDevice(RECEIVER)->GetAddress()));
    const Ptr<LosslessNetDevice> out = fabric.GetHostDevice(RECEIVER)->GetPeer();
    auto valve = CreateObject<Valve>();
    const Time rest =
        4 * m_delay + TimeStep(4 * GetPlenty() / GetFrameBytes() * GetFrameTime().GetTimeStep());
    const Time window = 10 * m_delay + 400 * GetFrameTime();
    Time due = Time::Max(); // latest start of the next frame if the wire does not become idle
    bool isFull = true;
    const Callback<void, Ptr<const Packet>> note([&](Ptr<const Packet>) {
        isFull = isFull && Simulator::Now() <= due;
        due = Simulator::Now() + GetFrameTime() + TimeStep(1);
    });
    Simulator::ScheduleNow([&] { out->SetGate(valve); });
    Simulator::Schedule(rest, [&] {
        out->TraceConnectWithoutContext("PhyTxBegin", note);
        valve->Open();
    });
    Simulator::Stop(rest + window);
    m_experiment.Run();
    const Outcome outcome{fabric.GetSwitch(0)->GetCounts().losslessDropped == 0,
                          isFull && due >= rest + window};
    Simulator::Destroy();
    return outcome;
}

/// @param most a number that satisfies the condition
/// @param works the condition, which must be monotonic: false up to some number, then true
/// @return the smallest number that satisfies the condition
uint64_t
FindLeast(uint64_t most, const std::function<bool(uint64_t)>& works)
{
    uint64_t least = 1;
    while (least < most)
    {
        const uint64_t middle = (least + most) / 2;
        const bool isEnough = works(middle);
        (isEnough ? most : least) = isEnough ? middle : middle + 1;
    }
    return most;
}

/// Memory needed for one class of a link, in bytes.
struct LinkNeed
{
    uint64_t headroom{0};  ///< headroom under PFC
    uint64_t threshold{0}; ///< XOFF and XON threshold under PFC
    uint64_t credits{0};   ///< number of credits under CBFC
};

LinkNeed
SearchPfc(const LinkTrial& trial)
{
    const auto set = [](SwitchHelper& switches, uint64_t headroom, uint64_t threshold) {
        switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom));
        switches.SetPolicyAttribute("Xoff", UintegerValue(threshold));
        switches.SetPolicyAttribute("Xon", UintegerValue(threshold));
    };
    LinkNeed need;
    const uint64_t plenty = trial.GetPlenty();
    need.headroom = FindLeast(plenty, [&](uint64_t bytes) {
        return trial.Run([&](SwitchHelper& switches) { set(switches, bytes, plenty); }).isLossless;
    });
    need.threshold = FindLeast(plenty, [&](uint64_t bytes) {
        return trial.Run([&](SwitchHelper& switches) { set(switches, plenty, bytes); }).isFull;
    });
    return need;
}

LinkNeed
SearchCbfc(const LinkTrial& trial)
{
    constexpr uint32_t CREDIT_BYTES = 128;
    const uint64_t least = (trial.GetFrameBytes() + 4 + CREDIT_BYTES - 1) / CREDIT_BYTES;
    LinkNeed need;
    const uint64_t credits = FindLeast(2 * trial.GetPlenty() / CREDIT_BYTES, [&](uint64_t count) {
        return count >= least &&
               trial
                   .Run([&](SwitchHelper& switches) {
                       switches.SetFlowControlAttribute("ChannelCredits", UintegerValue(count));
                   })
                   .isFull;
    });
    need.credits = credits * CREDIT_BYTES;
    return need;
}

void
AddOptions(Experiment& experiment, Options& o)
{
    experiment.AddValue("rate", "Rate of the link.", o.rate, Range::Above(0));
    experiment.AddValue("metres",
                        "Lengths of the cable in metres, separated by commas; a metre takes 5 ns.",
                        o.metres);
    experiment.AddValue("mtu",
                        "Largest payload of an Ethernet frame, in bytes.",
                        o.mtu,
                        ByteRange{68, 9216});
    experiment.SetsAttribute("mtu", "LosslessNetDevice::Mtu");
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    Experiment experiment(__FILE__,
                          "How much memory does one class of a link need under PFC and CBFC, so "
                          "that nothing is lost and the link is full?",
                          "CBFC");
    Options o;
    AddOptions(experiment, o);
    experiment.Parse(argc, argv);
    const std::string scheme = experiment.GetScheme().name;
    experiment.Require(scheme == "PFC" || scheme == "CBFC",
                       "--scheme is \"" + scheme +
                           "\"; it must be CBFC, or PFC with --buffer-policy=Static");
    const std::string policy =
        experiment.MakeSwitchHelper().Create()->GetBufferPolicy()->GetInstanceTypeId().GetName();
    Simulator::Destroy(); // otherwise the next run would also count this switch
    experiment.Require(scheme == "CBFC" || policy == "ns3::lossless::StaticBufferPolicy",
                       "--scheme=PFC needs --buffer-policy=Static, whose thresholds are searched");
    Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(o.mtu));
    ResultTable table{
        {"speed", "metres", "mtu", "headroom_bytes", "threshold_bytes", "credit_bytes"},
        {}};
    for (const double metres : ReadMetres(experiment, o.metres, 100000))
    {
        const LinkTrial trial(experiment, o, metres);
        const LinkNeed need = scheme == "CBFC" ? SearchCbfc(trial) : SearchPfc(trial);
        if (experiment.IsInterrupted())
        {
            break; // the run is incomplete
        }
        if (table.rows.empty())
        {
            std::cout << "  Gb/s   metres   headroom  threshold    credits (bytes)" << std::endl;
        }
        table.rows.push_back(
            {o.rate.GetBitRate(), metres, o.mtu, need.headroom, need.threshold, need.credits});
        std::cout << std::setw(6) << o.rate.GetBitRate() / 1000000000 << std::setw(9) << metres
                  << std::setw(11) << need.headroom << std::setw(11) << need.threshold
                  << std::setw(11) << need.credits << std::endl;
    }
    experiment.GetResults().AddTable("link-buffer", [&] { return table; });
    return experiment.FinishUnjudged(); // no single run can be judged
}
