// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/lossless-channel.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// The link type in pcap files. It is given as a number because ns-3 has renamed the constants.
constexpr uint32_t LINK_TYPE_ETHERNET = 1;

/// Aborts if a file is incomplete.
/// @param what a description of the file
void
RequireWritten(const std::string& what, bool failed)
{
    NS_ABORT_MSG_IF(failed, "the " << what << " could not be written in full; is the disk full?");
}

/// A capture that is being written.
struct Capture
{
    Ptr<PcapFileWrapper> file;
    std::string name;
};

/// The captures of the current simulation.
std::vector<Capture> g_captures;

/// Flushes the captures at the end of the simulation. Removes those that are incomplete because
/// data cannot be written, and then aborts.
void
FinishCaptures()
{
    std::string incomplete;
    for (const Capture& capture : std::exchange(g_captures, {}))
    {
        capture.file->Close();
        std::error_code ignored;
        if (capture.file->Fail() && std::filesystem::is_regular_file(capture.name, ignored))
        {
            std::filesystem::remove(capture.name, ignored);
        }
        incomplete = capture.file->Fail() && incomplete.empty() ? capture.name : incomplete;
    }
    RequireWritten("capture " + incomplete, !incomplete.empty());
}

/// @return a new capture with nanosecond timestamps. Microseconds would be too coarse, because the
/// transmission of a minimum-size frame takes 7 ns at 100 Gb/s.
Ptr<PcapFileWrapper>
StartCapture(const std::string& name)
{
    auto file = CreateObjectWithAttributes<PcapFileWrapper>("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    NS_ABORT_MSG_IF(file->Fail(),
                    "the capture " << name
                                   << " cannot be opened for writing; does its folder exist?");
    file->Init(LINK_TYPE_ETHERNET);
    if (g_captures.empty())
    {
        Simulator::ScheduleDestroy(&FinishCaptures);
    }
    g_captures.push_back({file, name});
    return file;
}

/// @param name the file name that ns-3 has created, PREFIX-NODE-DEVICE.EXTENSION
/// @param prefix the prefix of the file name, or its folder
/// @return the name, without the hyphen after the prefix if the prefix is a folder
std::string
TidyName(std::string name, const std::string& prefix)
{
    return !prefix.empty() && prefix.back() == '/' ? name.erase(prefix.size(), 1) : name;
}

/// @param stream an ASCII trace, which is written line by line
void
FinishTrace(Ptr<OutputStreamWrapper> stream, const std::string& name)
{
    RequireWritten("trace " + name, stream->GetStream()->fail());
}

} // namespace

LosslessHelper::LosslessHelper()
    : m_deviceFactory("ns3::lossless::LosslessNetDevice"),
      m_channelFactory("ns3::lossless::LosslessChannel")
{
}

void
LosslessHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
}

void
LosslessHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channelFactory.Set(name, value);
}

NetDeviceContainer
LosslessHelper::Install(Ptr<Node> a, Ptr<Node> b)
{
    Ptr<LosslessNetDevice> deviceA = CreateDevice(a);
    Ptr<LosslessNetDevice> deviceB = CreateDevice(b);
    auto channel = m_channelFactory.Create<LosslessChannel>();
    deviceA->Attach(channel);
    deviceB->Attach(channel);
    NetDeviceContainer devices;
    devices.Add(deviceA);
    devices.Add(deviceB);
    return devices;
}

NetDeviceContainer
LosslessHelper::Install(const NodeContainer& nodes)
{
    NS_ABORT_MSG_IF(nodes.GetN() != 2,
                    "LosslessHelper::Install: " << nodes.GetN()
                                                << " nodes given; a cable joins exactly 2.");
    return Install(nodes.Get(0), nodes.Get(1));
}

Ptr<LosslessNetDevice>
LosslessHelper::CreateDevice(Ptr<Node> node) const
{
    NS_ABORT_MSG_IF(!node, "LosslessHelper::Install: a node is null.");
    auto device = m_deviceFactory.Create<LosslessNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    node->AddDevice(device);
    if (device->GetHostPort()) // switch ports have no stack
    {
        device->AggregateObject(
            CreateObjectWithAttributes<NetDeviceQueueInterface>("NTxQueues",
                                                                UintegerValue(NUM_PRIORITIES)));
    }
    return device;
}

TrafficControlHelper
LosslessHelper::MakeTrafficControl()
{
    TrafficControlHelper helper;
    const uint16_t root = helper.SetRootQueueDisc("ns3::MqQueueDisc");
    const auto classes = helper.AddQueueDiscClasses(root, NUM_PRIORITIES, "ns3::QueueDiscClass");
    helper.AddChildQueueDiscs(root,
                              classes,
                              "ns3::FqCoDelQueueDisc",
                              "Target",
                              StringValue("1000s"),
                              "MaxSize",
                              StringValue("1000000p"));
    return helper;
}

void
LosslessHelper::EnablePcapInternal(std::string prefix,
                                   Ptr<NetDevice> nd,
                                   bool promiscuous,
                                   bool explicitFilename)
{
    Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(nd);
    if (!device)
    {
        return; // ns-3 also calls this function for devices of other modules
    }
    if (!Ranks::IsOwn(*device->GetNode()))
    {
        return; // another rank writes this file
    }
    PcapHelper pcap;
    const std::string name =
        explicitFilename ? prefix : TidyName(pcap.GetFilenameFromDevice(prefix, device), prefix);
    Ptr<PcapFileWrapper> file = StartCapture(name);
    pcap.HookDefaultSink<LosslessNetDevice>(device,
                                            promiscuous ? "PromiscSniffer" : "Sniffer",
                                            file);
}

void
LosslessHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                    std::string prefix,
                                    Ptr<NetDevice> nd,
                                    bool explicitFilename)
{
    Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(nd);
    if (!device || !Ranks::IsOwn(*device->GetNode()))
    {
        return;
    }
    Packet::EnablePrinting();
    if (!stream)
    {
        AsciiTraceHelper ascii;
        const std::string name =
            explicitFilename ? prefix
                             : TidyName(ascii.GetFilenameFromDevice(prefix, device), prefix);
        stream = ascii.CreateFileStream(name);
        Simulator::ScheduleDestroy(&FinishTrace, stream, name);
        ascii.HookDefaultEnqueueSinkWithoutContext<LosslessNetDevice>(device, "MacTx", stream);
        ascii.HookDefaultDequeueSinkWithoutContext<LosslessNetDevice>(device, "PhyTxBegin", stream);
        ascii.HookDefaultReceiveSinkWithoutContext<LosslessNetDevice>(device, "PhyRxEnd", stream);
        ascii.HookDefaultDropSinkWithoutContext<LosslessNetDevice>(device, "PhyRxDrop", stream);
        return;
    }
    if (WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek())
    {
        // A file can contain lines from several nodes. The lines must be in time order, so events
        // must also be executed in time order.
        simulator->SetAttribute("LongestWindow", TimeValue(Time(0)));
    }
    std::ostringstream path;
    path << "/NodeList/" << nd->GetNode()->GetId() << "/DeviceList/" << nd->GetIfIndex()
         << "/$ns3::lossless::LosslessNetDevice/";
    const auto hook = [&](const std::string& source, auto sink) {
        Config::Connect(path.str() + source, MakeBoundCallback(sink, stream));
    };
    hook("MacTx", &AsciiTraceHelper::DefaultEnqueueSinkWithContext);
    hook("PhyTxBegin", &AsciiTraceHelper::DefaultDequeueSinkWithContext);
    hook("PhyRxEnd", &AsciiTraceHelper::DefaultReceiveSinkWithContext);
    hook("PhyRxDrop", &AsciiTraceHelper::DefaultDropSinkWithContext);
}

} // namespace ns3::lossless
