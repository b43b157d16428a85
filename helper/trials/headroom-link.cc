// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-link.h"

#include "ns3/mac-control-header.h"
#include "ns3/random-variable-stream.h"
#include "ns3/transmit-gate.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::lossless
{

namespace
{

/// @return random links, about half of which have a smaller MTU in the lossless class
std::vector<HeadroomLink>
DrawHeadroomLinks(uint32_t count)
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

} // namespace

Time
HeadroomLink::GetDelay() const
{
    return Time::FromDouble(5 * metres, Time::NS);
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

void
HeadroomOptions::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"rate", "Rate of the link.", link.rate, Range{1000000}},
        {"metres", "Lengths of the cable, in metres of 5 ns each.", metres, Range{0, 1000000}},
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
         phases,
         Range{0, 1000}},
        {"random",
         "Number of links drawn at random (--RngRun) in place of the one given by the other "
         "options.",
         random,
         Range{0, 1000000}},
    });
    experiment.SetsAttribute("mtu", "LosslessNetDevice::Mtu");
    experiment.SetsAttribute("cell", "SharedBuffer::CellBytes");
    experiment.SetsAttribute("quanta", "TransmitGate::ResponseQuanta");
}

void
HeadroomOptions::Check(Experiment& experiment) const
{
    experiment.RequireUse({"rate", "metres", "mtu", "lossless-mtu", "cell", "quanta"},
                          random == 0,
                          "the given link, and --random draws others; leave one out");
    experiment.Require(link.losslessMtu == 0 || link.losslessMtu >= 68,
                       "--lossless-mtu is \"" + std::to_string(link.losslessMtu) +
                           "\"; it must be 0 or 68 to --mtu");
    experiment.Require(link.losslessMtu <= link.mtu, "--lossless-mtu must be at most --mtu");
    experiment.Require(!experiment.IsGiven("ns3::lossless::TransmitGate::StandardResponse"),
                       "--ns3::lossless::TransmitGate::StandardResponse is for other programs; "
                       "here --quanta is the response time");
    const uint32_t allowed = GetStandardResponseQuanta(link.rate);
    if (random == 0 && link.quanta < allowed)
    {
        experiment.Warn(
            "--quanta is " + std::to_string(link.quanta) + "; a sender that takes the " +
            std::to_string(allowed) + " that IEEE 802.3 allows at this rate needs " +
            std::to_string((allowed - link.quanta) * PAUSE_QUANTUM_BITS / 8) + " B more.");
    }
}

std::vector<HeadroomLink>
HeadroomOptions::GetLinks() const
{
    if (random > 0)
    {
        return DrawHeadroomLinks(random);
    }
    std::vector<HeadroomLink> links(metres.size(), link);
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        links[i].metres = metres[i];
    }
    return links;
}

} // namespace ns3::lossless
