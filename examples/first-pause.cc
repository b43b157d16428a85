// SPDX-License-Identifier: GPL-2.0-only
//
// The first PAUSE: a tutorial, to be read from top to bottom.
//
//   h0 ---+
//         s0 --- h2        100 Gb/s, 1 us each
//   h1 ---+
//
// Two hosts send to a third one at line rate. The switch receives twice what it can send, so its
// buffer fills; when an ingress queue exceeds its threshold the switch stops the neighbour behind
// it, and lets it go on when the queue has drained. Nothing is lost.
//
//   first-pause
//   first-pause --scheme=DropTail          the same without flow control: packets are lost
//   first-pause --buffer=1000000 --pcap    a smaller buffer, and captures for Wireshark

#include "ns3/core-module.h"
#include "ns3/experiment.h"
#include "ns3/fabric.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// The switch tells a neighbour to stop or to go on. @param queue ingress queue @param paused stop
void
PrintQueueState(QueueId queue, bool paused)
{
    std::cout << Simulator::Now().As(Time::US) << "  s0 " << (paused ? "PAUSE " : "RESUME")
              << " to h" << Index(queue.port) << ", class " << Index(queue.priority) << std::endl;
}

/// A flow has arrived. @param record the flow
void
PrintFlow(const FlowRecord& record)
{
    std::cout << Simulator::Now().As(Time::US) << "  flow " << record.flow.id << " complete after "
              << (record.received - record.start).As(Time::US) << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string schemeName = "SIH";
    uint64_t buffer = 2000000;
    uint64_t bytes = 2000000;
    bool pcap = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Two hosts send to a third one through one switch: when does it PAUSE them?");
    cmd.AddValue("scheme", "Flow control scheme: " + ListSchemes() + ".", schemeName);
    cmd.AddValue("buffer", "Packet memory of the switch, in bytes.", buffer);
    cmd.AddValue("bytes", "Size of each of the two flows, in bytes.", bytes);
    cmd.AddValue("pcap", "Write first-pause-*.pcap, which Wireshark opens.", pcap);
    cmd.Parse(argc, argv);
    UseFastScheduler(argc, argv);
    const auto scheme = FindScheme(schemeName);
    if (!scheme || bytes == 0)
    {
        std::cerr << "first-pause: --scheme must be one of " << ListSchemes()
                  << ", and --bytes at least 1." << std::endl;
        return 1;
    }

    // The network: what there is, and what its switches are like.
    StarOptions star;
    star.hosts = 3;
    star.delay = MicroSeconds(1);
    SwitchHelper switches(scheme->switchType);
    switches.SetBufferAttribute("Size", UintegerValue(buffer));
    Fabric fabric(Topology::Star(star), switches);

    // The traffic: two flows of class 3, both to h2, both at time zero.
    FlowList flows(2);
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        flows[i].id = i;
        flows[i].source = i;
        flows[i].destination = 2;
        flows[i].priority = 3;
        flows[i].bytes = bytes;
    }
    fabric.StartFlows(flows);

    // What to watch. A switch without flow control has no such trace.
    Ptr<SwitchNode> s0 = fabric.GetSwitch("s0");
    s0->GetFlowControl()->TraceConnectWithoutContext("QueueState", MakeCallback(&PrintQueueState));
    fabric.GetNic(2)->TraceConnectWithoutContext("FlowReceived", MakeCallback(&PrintFlow));
    if (pcap)
    {
        LosslessHelper().EnablePcapAll("first-pause");
    }

    Simulator::Stop(Seconds(1));
    Simulator::Run();

    uint64_t lost = 0;
    for (const uint64_t frames : s0->GetCounts().dropped)
    {
        lost += frames;
    }
    std::cout << "s0 received " << s0->GetCounts().received << " frames, sent "
              << s0->GetCounts().sent << ", lost " << lost << std::endl;
    Simulator::Destroy();
    return 0;
}
