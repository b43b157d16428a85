// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-scenarios.h"

#include "ns3/listen-to.h"
#include "ns3/mac-control-header.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// The bytes of a MAC control frame.
using ControlBytes = std::vector<uint8_t>;

/// The name of a fault, and the function that introduces it into a PAUSE.
using PauseFault = std::pair<std::string, std::function<void(ControlBytes&)>>;

std::vector<PauseFault>
MakePauseFaults()
{
    return {
        {"802.3x PAUSE", [](ControlBytes& b) { b[14] = 0x00; }},
        {"unknown opcode", [](ControlBytes& b) { b[15] = 0x7f; }},
        {"PFC cut in its vector", [](ControlBytes& b) { b.resize(17); }},
        {"PFC cut in its times", [](ControlBytes& b) { b.resize(27); }},
        {"PFC to another group address", [](ControlBytes& b) { b[5] = 0x00; }},
        {"PFC to all stations", [](ControlBytes& b) { std::fill_n(b.begin(), 6, 0xff); }},
        {"PFC for no class", [](ControlBytes& b) { b[17] = 0; }},
        {"PFC for reserved bits of the vector", [](ControlBytes& b) { std::swap(b[16], b[17]); }},
        {"PFC under another EtherType", [](ControlBytes& b) { b[13] = 0x09; }},
    };
}

/// @return a PAUSE frame for all lossless classes with the maximum time
ControlBytes
MakePause()
{
    PfcHeader pfc;
    for (const Priority p : AcceptanceNetwork::LOSSLESS)
    {
        pfc.SetQuanta(p, 0xffff);
    }
    const Ptr<Packet> frame = MakePfcFrame("02:00:00:00:00:01", pfc);
    ControlBytes bytes(frame->GetSize());
    frame->CopyData(bytes.data(), bytes.size());
    return bytes;
}

/// Sends a control frame to a port of the switch and to a host.
/// @param count the number of frames sent to each of the two
/// @return the number of gates that closed, and the number of frames counted as lost
std::pair<uint64_t, uint64_t>
SendControl(const AcceptanceBench& bench, const ControlBytes& frame, uint32_t count)
{
    AcceptanceNetwork network(bench.experiment, bench.options, "None");
    network.GetSwitch()->Initialize(); // creates the gates of the switch
    uint64_t closed = 0;
    const uint32_t receiver = network.GetReceiverIndex();
    for (const auto& device : {network.GetFabric().GetHostDevice(receiver), network.GetPort(0)})
    {
        device->GetPeer()->Initialize(); // creates the host's gate
        ListenTo(*device->GetPeer()->GetGate(), "Closed", [&closed](PrioritySet) { ++closed; });
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(bench.options.delay,
                                &LosslessNetDevice::SendControl,
                                device,
                                Create<Packet>(frame.data(), frame.size()));
        }
    }
    // The run is longer than any response time to a PAUSE. The end of the pause does not matter.
    const Time quanta = network.GetPort(0)->GetGate()->QuantaToTime(0xffff);
    bench.experiment.Run(4 * bench.options.delay + 2 * quanta);
    return {closed, network.CountLost()};
}

} // namespace

void
RunControlFrames(AcceptanceBench& bench)
{
    constexpr uint32_t COUNT = 10;
    for (const auto& [name, spoil] : MakePauseFaults())
    {
        ControlBytes frame = MakePause();
        spoil(frame);
        const auto [closed, counted] = SendControl(bench, frame, COUNT);
        bench.checks.Equal(name + ": gates closed", closed, 0);
        bench.checks.Equal(name + ": frames counted", counted, 2 * COUNT);
    }
    const auto [closed, counted] = SendControl(bench, MakePause(), 1);
    bench.checks.Equal("PFC as it should be: gates closed", closed, 2);
    bench.checks.Equal("PFC as it should be: frames counted", counted, 0);
}

} // namespace ns3::lossless
