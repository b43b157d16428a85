// SPDX-License-Identifier: GPL-2.0-only
//
// How much memory does one class on one link need so that no frame is lost and the link stays fully
// utilized? The program compares PFC and CBFC on the same link. A host sends at line rate to a
// switch whose output is blocked until all traffic has stopped and is then released. The minimum is
// found by repeated simulations.
//
//   link-buffer --scheme=CBFC --rate=100Gbps --metres=5,40,300
//   link-buffer --scheme=PFC --rate=400Gbps --metres=300 --mtu=9000
//
// A metre of cable adds a delay of 5 ns. link-buffer.csv contains one row per cable length.

#include "parts/link-trial.h"

#include "ns3/core-module.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/run-forecast.h"

#include <array>
#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// @param most a number for which `works` returns true
/// @param works a function that returns false up to some number and true beyond it
/// @return the smallest number for which `works` returns true, found by bisection
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

/// Memory that one class of a link needs, in bytes: headroom and threshold (XOFF and XON) under
/// PFC, and credits under CBFC.
using LinkNeed = std::array<uint64_t, 3>;

LinkNeed
SearchPfc(const LinkTrial& trial)
{
    const auto run = [&trial](uint64_t headroom, uint64_t threshold) {
        return trial.Run([&](SwitchHelper& switches) {
            switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom));
            switches.SetPolicyAttribute("Xoff", UintegerValue(threshold));
            switches.SetPolicyAttribute("Xon", UintegerValue(threshold));
        });
    };
    const uint64_t plenty = trial.GetPlenty();
    return {FindLeast(plenty, [&](uint64_t bytes) { return run(bytes, plenty).isLossless; }),
            FindLeast(plenty, [&](uint64_t bytes) { return run(plenty, bytes).isFull; }),
            0};
}

LinkNeed
SearchCbfc(const LinkTrial& trial)
{
    constexpr uint32_t CREDIT_BYTES = 128;
    const uint64_t least = (trial.GetFrameBytes() + 4 + CREDIT_BYTES - 1) / CREDIT_BYTES;
    const auto run = [&trial](uint64_t credits) {
        return trial.Run([&](SwitchHelper& switches) {
            switches.SetFlowControlAttribute("ChannelCredits", UintegerValue(credits));
        });
    };
    const uint64_t credits = FindLeast(2 * trial.GetPlenty() / CREDIT_BYTES, [&](uint64_t count) {
        return count >= least && run(count).isFull;
    });
    return {0, 0, credits * CREDIT_BYTES};
}

/// Stops the program unless the switches have fixed thresholds or credits, whose minimum can be
/// found by a search.
void
CheckScheme(const Experiment& experiment)
{
    const std::string scheme = experiment.GetScheme().name;
    experiment.Require(scheme == "PFC" || scheme == "CBFC",
                       "--scheme is \"" + scheme +
                           "\"; it must be CBFC, or PFC with --buffer-policy=Static");
    const std::string policy =
        experiment.MakeSwitchHelper().Create()->GetBufferPolicy()->GetInstanceTypeId().GetName();
    Simulator::Destroy(); // otherwise, the next run would include this switch
    experiment.Require(scheme == "CBFC" || policy == "ns3::lossless::StaticBufferPolicy",
                       "--scheme=PFC needs --buffer-policy=Static, whose thresholds are searched");
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
    DataRate rate("100Gbps");
    std::vector<double> lengths{5, 40, 300};
    uint32_t mtu = 1500;
    experiment.AddValues({
        {"rate", "Rate of the link.", rate, Range::Above(0)},
        {"metres", "Lengths of the cable, in metres of 5 ns each.", lengths, Range{0, 100000}},
        {"mtu", "Largest payload of an Ethernet frame, in bytes.", mtu, ByteRange{68, 9216}},
    });
    experiment.SetsAttribute("mtu", "LosslessNetDevice::Mtu");
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(std::nullopt);
    CheckScheme(experiment);
    Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(mtu));

    auto table =
        ResultTable::WithHeader("speed,metres,mtu,headroom_bytes,threshold_bytes,credit_bytes");
    for (const double metres : lengths)
    {
        const LinkTrial trial(experiment, rate, metres, mtu);
        const auto [headroom, threshold, credits] =
            experiment.GetScheme().name == "CBFC" ? SearchCbfc(trial) : SearchPfc(trial);
        if (experiment.IsInterrupted())
        {
            break; // the run is incomplete
        }
        table.rows.push_back({rate.GetBitRate(), metres, mtu, headroom, threshold, credits});
    }
    experiment.GetResults().AddTable("link-buffer", [&] { return table; });
    const int status = experiment.FinishUnjudged(); // there is no single run to judge
    WriteCsv(std::cout, table);
    return status;
}
