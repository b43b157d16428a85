// SPDX-License-Identifier: GPL-2.0-only
//
// This tutorial shows the first PAUSE. Start reading at main(), at the end of the file; the
// functions before it contain the details.
//
//   h0 ---+
//         s0 --- h2        each link: 100 Gb/s, delay 1 us
//   h1 ---+
//
// Two hosts send to a third one at line rate. The switch receives twice what it can send, so its
// buffer fills. When an ingress queue exceeds its threshold, the switch pauses the neighbour at
// that port and resumes it when the queue has drained. No packet is lost.
//
//   first-pause
//   first-pause --scheme=DropTail          the same without flow control: packets are lost
//   first-pause --buffer=1000000 --pcap    a smaller buffer, and captures for Wireshark

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"

#include <iostream>
#include <numeric>
#include <string>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// @return two flows of class 3, from h0 and h1 to h2, at time zero
FlowList
MakeFlows(uint64_t bytes)
{
    FlowList flows(2);
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        flows[i].id = i;
        flows[i].source = i;
        flows[i].destination = 2;
        flows[i].priority = 3;
        flows[i].bytes = bytes;
    }
    return flows;
}

/// Prints that the switch pauses or resumes a neighbour.
/// @param paused whether the neighbour is paused
void
PrintQueueState(QueueId queue, bool paused)
{
    std::cout << Simulator::Now().As(Time::US) << "  s0 " << (paused ? "PAUSE " : "RESUME")
              << " to h" << Index(queue.port) << ", class " << Index(queue.priority) << std::endl;
}

void
PrintFlow(const FlowRecord& record)
{
    std::cout << Simulator::Now().As(Time::US) << "  flow " << record.flow.id << " complete after "
              << (record.received - record.start).As(Time::US) << std::endl;
}

void
PrintCounts(const SwitchNode::Counts& counts)
{
    const uint64_t lost =
        std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
    std::cout << "s0 received " << counts.received << " frames, sent " << counts.sent << ", lost "
              << lost << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    // Read the command line. The program exits if an option is invalid.
    StrictCommandLine cmd(__FILE__, "When does a switch PAUSE two hosts that send to a third one?");
    SwitchOptions switches;
    uint64_t bytes = 2000000;
    bool pcap = false;
    switches.AddTo(cmd);
    cmd.AddAttribute("buffer", "SharedBuffer::Size", ByteRange{1}, UintegerValue(2000000));
    cmd.AddValue("bytes", "Size of each of the two flows, in bytes.", bytes, ByteRange{1});
    cmd.AddValue("pcap", "Write first-pause-*.pcap, which Wireshark opens.", pcap);
    cmd.Parse(argc, argv);
    switches.Check(cmd);
    UseFastSimulator(argc, argv);

    // Create the network and its switches.
    StarOptions star;
    star.hosts = 3;
    star.delay = MicroSeconds(1);
    Fabric fabric(Topology::Star(star), switches.MakeSwitchHelper());

    // Collect the results; this program writes no files.
    ResultsWriter results("");
    results.AddFabric(fabric);

    if (pcap) // files are created when the run starts, so a rejected run creates none
    {
        Simulator::ScheduleNow([] { LosslessHelper().EnablePcapAll("first-pause"); });
    }

    // Start the traffic and print each PAUSE. A switch without flow control has no QueueState.
    fabric.StartFlows(MakeFlows(bytes));
    Ptr<SwitchNode> s0 = fabric.GetSwitch("s0");
    s0->GetFlowControl()->TraceConnectWithoutContext("QueueState", MakeCallback(&PrintQueueState));
    fabric.GetNic(2)->TraceConnectWithoutContext("FlowReceived", MakeCallback(&PrintFlow));
    cmd.RequireEffect(); // checks that the attributes set by the user have an effect
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    PrintCounts(s0->GetCounts());
    results.Finish(); // prints a summary
    Simulator::Destroy();
    return 0;
}
