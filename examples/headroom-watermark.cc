// SPDX-License-Identifier: GPL-2.0-only
//
// How much headroom does a link use in the worst case? The program provokes the worst case (see
// headroom-link.h) and compares it with Eq. 1 of DSH and with the worst case computed by this
// module.
//
//   headroom-watermark --rate=100Gbps --metres=5,40,300 --cell=208
//   headroom-watermark --rate=400Gbps --metres=300 --mtu=9100 --cell=208 --quanta=905
//   headroom-watermark --random=100        random links; fails if one uses more than computed
//
// A metre of cable adds a delay of 5 ns. headroom-watermark.csv contains one row per link.

#include "parts/headroom-link.h"

#include "ns3/core-module.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/mac-control-header.h"
#include "ns3/run-forecast.h"
#include "ns3/transmit-gate.h"

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Options of the command line.
struct Options
{
    HeadroomLink link;                      ///< the link, without the cable length
    std::vector<double> metres{5, 40, 300}; ///< cable lengths
    uint32_t phases{8};                     ///< number of phases tried in addition to the worst one
    uint32_t random{0};                     ///< number of random links to try instead
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    HeadroomLink& link = o.link;
    experiment.AddValues({
        {"rate", "Rate of the link, in bit/s.", link.rate, Range{1000000}},
        {"metres", "Lengths of the cable, in metres of 5 ns each.", o.metres, Range{0, 1000000}},
        {"mtu", "Largest payload of an Ethernet frame, in bytes.", link.mtu, ByteRange{68, 9216}},
        {"lossless-mtu",
         "MTU of the class that headroom is for; 0: --mtu. The computed headroom does not depend "
         "on it.",
         link.losslessMtu,
         Range{0, 9216}},
        {"cell", "Allocation unit of the memory, in bytes.", link.cellBytes, ByteRange{1, 4096}},
        {"quanta",
         "Response time of the sender to a PAUSE, in quanta of 512 bit times. Hardware may take "
         "more (IEEE 802.3): 67, 80, 118, 394, 905 and 905 at 10, 25, 40, 100, 400 and 800 Gb/s.",
         link.quanta,
         Range{60, 65535}},
        {"phases",
         "Phases of the reverse traffic tried in addition to the worst one.",
         o.phases,
         Range{0, 1000}},
        {"random",
         "Number of links drawn at random (--RngRun) in place of the one given by the other "
         "options.",
         o.random,
         Range{0, 1000000}},
    });
    experiment.SetsAttribute("mtu", "LosslessNetDevice::Mtu");
    experiment.SetsAttribute("cell", "SharedBuffer::CellBytes");
    experiment.SetsAttribute("quanta", "TransmitGate::ResponseQuanta");
    experiment.Withdraw({"watchdog", "watchdog-detect", "watchdog-restore", "watchdog-poll"},
                        "a watchdog is for PAUSEs that a switch receives, and this one "
                        "receives none");
    experiment.Withdraw({"routing"}, "there is one switch");
    experiment.Parse(argc, argv);
}

/// @return random links, about half of which have a smaller MTU in the lossless class
std::vector<HeadroomLink>
DrawLinks(uint32_t count)
{
    const std::vector<uint32_t> gigabits = {1, 10, 25, 40, 50, 100, 200, 400, 800};
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(0);
    std::vector<HeadroomLink> links(count);
    for (HeadroomLink& link : links)
    {
        const auto index = random->GetInteger(0, static_cast<uint32_t>(gigabits.size()) - 1);
        link.rate = DataRate(gigabits[index] * 1000000000ULL);
        link.metres = std::pow(10, random->GetValue(0, 3.3));
        link.mtu = random->GetInteger(68, 9216);
        link.cellBytes = random->GetInteger(1, 512);
        link.quanta = random->GetInteger(60, 1000);
        const bool isSmaller = random->GetInteger(0, 1) > 0;
        const uint32_t losslessMtu = random->GetInteger(68, link.mtu); // drawn even if unused
        link.losslessMtu = isSmaller ? losslessMtu : 0;
    }
    return links;
}

/// Stops the program if the options are inconsistent.
void
CheckOptions(const Experiment& experiment, const Options& o)
{
    const std::string& scheme = experiment.GetScheme().name;
    experiment.Require(scheme == "SIH" || scheme == "DSH",
                       "--scheme is \"" + scheme +
                           "\"; it must be SIH or DSH, whose thresholds let the memory be full "
                           "before the first PAUSE");
    experiment.RequireUse({"rate", "metres", "mtu", "lossless-mtu", "cell", "quanta"},
                          o.random == 0,
                          "the given link, and --random draws others; leave one out");
    experiment.Require(o.link.losslessMtu == 0 || o.link.losslessMtu >= 68,
                       "--lossless-mtu is \"" + std::to_string(o.link.losslessMtu) +
                           "\"; it must be 0 or 68 to --mtu");
    experiment.Require(o.link.losslessMtu <= o.link.mtu, "--lossless-mtu must be at most --mtu");
}

/// Warns if hardware that conforms to the standard may need more headroom than the program
/// measures.
void
WarnOfQuanta(Experiment& experiment, const HeadroomLink& link)
{
    const uint32_t allowed = GetStandardResponseQuanta(link.rate);
    if (link.quanta < allowed)
    {
        experiment.Warn(
            "--quanta is " + std::to_string(link.quanta) + "; a sender that takes the " +
            std::to_string(allowed) + " that IEEE 802.3 allows at this rate needs " +
            std::to_string((allowed - link.quanta) * PAUSE_QUANTUM_BITS / 8) + " B more.");
    }
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
    Options options;
    ReadOptions(experiment, options, argc, argv);
    RunForecast::ExpectRuns(std::nullopt);
    CheckOptions(experiment, options);
    if (options.random == 0)
    {
        WarnOfQuanta(experiment, options.link);
    }

    auto links = DrawLinks(options.random);
    for (std::size_t i = 0; options.random == 0 && i < options.metres.size(); ++i)
    {
        links.push_back(options.link);
        links.back().metres = options.metres[i];
    }
    auto table = ResultTable::WithHeader("speed,metres,mtu,cell,quanta,measured_bytes,eq1_bytes,"
                                         "worst_case_bytes,frame_bytes,lossless_mtu");
    bool isExceeded = false;
    for (const HeadroomLink& link : links)
    {
        const HeadroomWatermark most = HeadroomSearch(experiment, link).Find(options.phases);
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
