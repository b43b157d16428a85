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

#include "ns3/link-trial.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/run-forecast.h"
#include "ns3/static-buffer-policy.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Stops the program unless the switches have fixed thresholds or credits, whose minimum can be
/// found by a search.
void
CheckScheme(const Experiment& experiment)
{
    const std::string scheme = experiment.GetScheme().name;
    experiment.Require(scheme == "PFC" || scheme == "CBFC",
                       "--scheme is \"" + scheme +
                           "\"; it must be CBFC, or PFC with --buffer-policy=Static");
    const bool isStatic = experiment.MakeSwitchHelper().HasPolicy<StaticBufferPolicy>();
    experiment.Require(scheme == "CBFC" || isStatic,
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
    HeadroomLink link;
    std::vector<double> lengths{5, 40, 300};
    experiment.AddValues({
        {"rate", "Rate of the link.", link.rate, Range::Above(0)},
        {"metres", "Lengths of the cable, in metres of 5 ns each.", lengths, Range{0, 100000}},
        {"mtu", "Largest payload of an Ethernet frame, in bytes.", link.mtu, ByteRange{68, 9216}},
    });
    experiment.SetsAttribute("mtu", "LosslessNetDevice::Mtu");
    experiment.Withdraw({"routing"}, "there is one switch");
    experiment.WithdrawRunOptions(true);
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(std::nullopt);
    CheckScheme(experiment);

    auto table =
        ResultTable::WithHeader("speed,metres,mtu,headroom_bytes,threshold_bytes,credit_bytes");
    for (const double metres : lengths)
    {
        link.metres = metres;
        const bool hasCredits = experiment.GetScheme().name == "CBFC";
        const PfcNeed need = hasCredits ? PfcNeed{} : FindPfcNeed(experiment, link);
        const uint64_t credits = hasCredits ? FindCreditNeed(experiment, link) : 0;
        if (experiment.IsInterrupted())
        {
            break; // the run is incomplete
        }
        table.rows.push_back(
            {link.rate.GetBitRate(), metres, link.mtu, need.headroom, need.threshold, credits});
    }
    experiment.GetResults().AddTable("link-buffer", [&] { return table; });
    const int status = experiment.FinishUnjudged(); // there is no single run to judge
    WriteCsv(std::cout, table);
    return status;
}
