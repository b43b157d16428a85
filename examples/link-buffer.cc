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
#include "parts/link-trial.h"

#include "ns3/core-module.h"
#include "ns3/run-forecast.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Options of the command line.
struct Options
{
    DataRate rate{"100Gbps"};       ///< rate of both links
    std::string metres{"5,40,300"}; ///< lengths of the cable to the switch, in metres
    uint32_t mtu{1500};             ///< largest payload of a frame, in bytes
};

/// @param most a number for which `works` returns true
/// @param works a function that returns false up to some number and true beyond it
/// @return the smallest number for which `works` returns true
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
    uint64_t headroom{0};  ///< headroom under PFC, in bytes
    uint64_t threshold{0}; ///< XOFF and XON threshold under PFC, in bytes
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
    experiment.AddValues({
        {"rate", "Rate of the link.", o.rate, Range::Above(0)},
        {"metres",
         "Lengths of the cable in metres, separated by commas; a metre takes 5 ns.",
         o.metres},
        {"mtu", "Largest payload of an Ethernet frame, in bytes.", o.mtu, ByteRange{68, 9216}},
    });
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
    RunForecast::ExpectRuns(std::nullopt);
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
        const LinkTrial trial(experiment, o.rate, metres, o.mtu);
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
