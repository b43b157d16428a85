// SPDX-License-Identifier: GPL-2.0-only
//
// How much headroom does a link use in the worst case? The program provokes the worst case (see
// FindHeadroomWatermark()) and compares it with Eq. 1 of DSH and with the worst case computed by
// this module.
//
//   headroom-watermark --rate=100Gbps --metres=5,40,300 --cell=208
//   headroom-watermark --rate=400Gbps --metres=300 --mtu=9100 --cell=208 --quanta=905
//   headroom-watermark --random=100        random links; fails if one uses more than computed
//
// A metre of cable adds a delay of 5 ns. headroom-watermark.csv contains one row per link.

#include "ns3/headroom-search.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/run-forecast.h"

#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

void
ReadOptions(Experiment& experiment, HeadroomOptions& options, int argc, char* argv[])
{
    options.AddOptions(experiment);
    experiment.Withdraw({"watchdog", "watchdog-detect", "watchdog-restore", "watchdog-poll"},
                        "a watchdog is for PAUSEs that a switch receives, and this one "
                        "receives none");
    experiment.Withdraw({"routing"}, "there is one switch");
    experiment.WithdrawRunOptions(true);
    experiment.Parse(argc, argv);
    RunForecast::ExpectRuns(std::nullopt);
    const std::string& scheme = experiment.GetScheme().name;
    experiment.Require(scheme == "SIH" || scheme == "DSH",
                       "--scheme is \"" + scheme +
                           "\"; it must be SIH or DSH, whose thresholds let the memory be full "
                           "before the first PAUSE");
    options.Check(experiment);
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // A byte takes 10 ps at 800 Gb/s.
    Experiment experiment(__FILE__,
                          "How much headroom does a link use at its worst, and how much is "
                          "computed for it?",
                          "SIH");
    HeadroomOptions options;
    ReadOptions(experiment, options, argc, argv);

    auto table = ResultTable::WithHeader("speed,metres,mtu,cell,quanta,measured_bytes,eq1_bytes,"
                                         "worst_case_bytes,frame_bytes,lossless_mtu");
    bool isExceeded = false;
    for (const HeadroomLink& link : options.GetLinks())
    {
        const HeadroomWatermark most = FindHeadroomWatermark(experiment, link, options.phases);
        if (experiment.IsInterrupted())
        {
            break; // the run is incomplete
        }
        table.rows.push_back({link.rate.GetBitRate(),
                              link.metres,
                              link.mtu,
                              link.cellBytes,
                              link.quanta,
                              most.bytes,
                              link.GetEquation1(),
                              link.GetWorstCase(),
                              most.frameBytes,
                              link.GetLargestLossless() - ETHERNET_BYTES});
        isExceeded = isExceeded || most.bytes > link.GetWorstCase();
    }
    experiment.GetResults().AddTable("headroom-watermark", [&] { return table; });
    const int status = experiment.FinishUnjudged(); // there is no single run to judge
    WriteCsv(std::cout, table);
    if (isExceeded)
    {
        std::cerr << "headroom-watermark: a link has used more than its worst case" << std::endl;
    }
    return status == 0 && isExceeded ? 1 : status;
}
