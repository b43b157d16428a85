// SPDX-License-Identifier: GPL-2.0-only
#include "test-network.h"

#include "lossless-test.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/udp-header.h"

#include <csignal>
#include <iomanip>
#include <iterator>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

namespace ns3::lossless::tests
{

namespace
{

constexpr uint32_t HEADER_BYTES = MIN_UDP_FRAME_BYTES - 4;
constexpr uint8_t PROTOCOL_UDP = 17;
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t DISCARD_PORT = 9;

Ptr<Packet>
MakePayload(uint32_t sequence, uint32_t bytes)
{
    std::vector<uint8_t> payload(bytes);
    for (std::size_t i = 0; i < 4; ++i)
    {
        payload[i] = static_cast<uint8_t>(sequence >> (24 - 8 * i));
    }
    return Create<Packet>(payload.data(), bytes);
}

uint32_t
ReadSequence(const Frame& frame)
{
    std::array<uint8_t, MIN_UDP_FRAME_BYTES> bytes{};
    frame.packet->CopyData(bytes.data(), bytes.size());
    uint32_t sequence = 0;
    for (std::size_t i = HEADER_BYTES; i < bytes.size(); ++i)
    {
        sequence = sequence << 8 | bytes[i];
    }
    return sequence;
}

LosslessHelper
MakeHelper(const Cable& cable)
{
    LosslessHelper helper;
    helper.SetDeviceAttribute("DataRate", DataRateValue(cable.rate));
    helper.SetChannelAttribute("Delay", TimeValue(cable.delay));
    return helper;
}

void
SetDeviceLinkUp(Ptr<LosslessNetDevice> device, bool up)
{
    DynamicCast<LosslessChannel>(device->GetChannel())->SetUp(up);
}

} // namespace

std::vector<SchemeInfo>
GetModuleSchemes()
{
    std::vector<SchemeInfo> schemes;
    std::copy_if(GetParts<SchemeInfo>().begin(),
                 GetParts<SchemeInfo>().end(),
                 std::back_inserter(schemes),
                 [](const SchemeInfo& scheme) {
                     return TypeId::LookupByName(scheme.type).GetGroupName() == "Lossless";
                 });
    return schemes;
}

void
WatchHosts(FlowRecorder& recorder, const Fabric& fabric)
{
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        recorder.Watch(fabric.GetNic(host));
    }
}

Ipv4Address
GetHostAddress(uint32_t host)
{
    return Ipv4Address((10U << 24) + 1 + host);
}

ObjectFactory
ParseFactory(const std::string& text)
{
    ObjectFactory factory;
    std::istringstream(text) >> factory;
    return factory;
}

Frame
MakeControlFrame(const Header& body)
{
    Frame frame;
    frame.kind = FrameKind::MAC_CONTROL;
    frame.packet = MakeMacControlFrame(Mac48Address("02:00:00:00:00:02"), body);
    return frame;
}

std::vector<uint8_t>
BytesOf(const Packet& packet)
{
    std::vector<uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), bytes.size());
    return bytes;
}

std::string
ToHex(const Packet& packet)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (const uint8_t byte : BytesOf(packet))
    {
        text << std::setw(2) << +byte;
    }
    return text.str();
}

Frame
MakeUdpFrame(Ipv4Address source,
             Ipv4Address destination,
             uint8_t dscp,
             uint32_t bytes,
             uint32_t sequence,
             uint8_t ecn,
             uint16_t sourcePort)
{
    NS_ABORT_MSG_IF(bytes < MIN_UDP_FRAME_BYTES,
                    "MakeUdpFrame: " << bytes << " bytes; at least " << MIN_UDP_FRAME_BYTES
                                     << " are needed.");
    Ptr<Packet> packet = MakePayload(sequence, bytes - HEADER_BYTES);
    UdpHeader udp;
    udp.SetSourcePort(sourcePort);
    udp.SetDestinationPort(DISCARD_PORT);
    packet->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(source);
    ip.SetDestination(destination);
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTos(static_cast<uint8_t>(dscp << 2 | ecn));
    ip.SetTtl(64);
    ip.SetPayloadSize(packet->GetSize());
    ip.EnableChecksum();
    packet->AddHeader(ip);
    EthernetHeader ethernet(false);
    ethernet.SetSource(Mac48Address("02:00:00:00:00:01"));
    ethernet.SetDestination(Mac48Address("02:00:00:00:00:02"));
    ethernet.SetLengthType(ETHERTYPE_IPV4);
    packet->AddHeader(ethernet);
    return ParseFrame(packet);
}

namespace
{

void
Look(Ptr<const Packet> /* packet */)
{
}

} // namespace

Topology
MakeTopology(const std::string& links)
{
    std::istringstream input("node_a,node_b,rate,delay\n" + links);
    return Topology::ParseCsv(input, "links");
}

void
SendPfcIn(Time delay, const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta)
{
    Simulator::Schedule(delay, &SendPfc, device, classes, quanta);
}

void
LookAtAllFrames()
{
    Config::ConnectWithoutContext(
        "/NodeList/*/DeviceList/*/$ns3::lossless::LosslessNetDevice/PhyRxEnd",
        MakeCallback(&Look));
}

void
LoseFrames(LosslessNetDevice& device, const std::list<uint32_t>& which)
{
    const auto model = CreateObject<ReceiveListErrorModel>();
    model->SetList(which);
    device.SetErrorModel(model);
}

FlowList
MakeFlows(uint32_t sources, const std::vector<uint32_t>& destinations, uint8_t classes)
{
    FlowList flows;
    for (uint32_t source = 0; source < sources; ++source)
    {
        for (const uint32_t destination : destinations)
        {
            const uint64_t id = flows.size();
            const uint32_t other = destination == source ? source + 1 : destination;
            const auto priority = static_cast<uint8_t>(id % classes);
            flows.push_back({id, source, other, priority, 1000000, Time(0), ""});
        }
    }
    return flows;
}

std::string
GetAbortMessage(const std::function<void()>& function)
{
    std::array<int, 2> ends{};
    NS_ABORT_MSG_IF(pipe(ends.data()) != 0, "GetAbortMessage: no pipe.");
    const pid_t child = fork();
    NS_ABORT_MSG_IF(child < 0, "GetAbortMessage: no process.");
    if (child == 0)
    {
        dup2(ends[1], STDERR_FILENO);
        // A function that stops with std::exit(1) must not destroy the suites of this process.
        std::atexit([]() { _exit(1); });
        function();
        _exit(0);
    }
    close(ends[1]);
    std::string message;
    std::array<char, 256> part{};
    for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    {
        message.append(part.data(), n);
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT)
    {
        return "killed by signal " + std::to_string(WTERMSIG(status));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) != 1)
    {
        const int exit = WEXITSTATUS(status);
        return exit == 0 ? "" : "exit status " + std::to_string(exit);
    }
    return message;
}

void
ExpectStop(const std::string& part, const std::function<void()>& function)
{
    ExpectPart(GetAbortMessage(function), part);
}

std::string
Show(const std::optional<std::string>& error)
{
    return error.value_or("(no complaint)");
}

void
ExpectError(const std::optional<std::string>& error, const std::string& part)
{
    const std::string text = Show(error);
    ExpectPart(text, part);
    NS_TEST_EXPECT_MSG_EQ(text.find('\n'), std::string::npos, "one sentence");
}

std::string
ReadFile(const std::string& path)
{
    return TextOf(std::ifstream(path).rdbuf());
}

SwitchItem
MakeItem(uint16_t ingress, uint8_t priority, uint32_t bytes, uint16_t egress)
{
    SwitchItem item;
    item.frame.priority = Priority{priority};
    item.frame.size = bytes;
    item.ingress = PortId{ingress};
    item.egress = PortId{egress};
    item.bufferBytes = bytes;
    return item;
}

std::string
ToText(const std::vector<Time>& times)
{
    std::string text;
    for (const Time& time : times)
    {
        text.append(text.empty() ? "" : " ").append(std::to_string(time.GetNanoSeconds()));
    }
    return text;
}

std::string
ToText(const std::vector<uint32_t>& numbers)
{
    std::string text;
    for (const uint32_t number : numbers)
    {
        text.append(text.empty() ? "" : " ").append(std::to_string(number));
    }
    return text;
}

std::string
ToText(const FlowList& flows)
{
    std::ostringstream text;
    for (const FlowSpec& flow : flows)
    {
        text << flow.id << ' ' << flow.source << ' ' << flow.destination << ' ' << +flow.priority
             << ' ' << flow.bytes << ' ' << flow.start.GetNanoSeconds() << ' ' << flow.group
             << '\n';
    }
    return text.str();
}

std::string
ToCsv(const ResultTable& table)
{
    std::ostringstream text;
    WriteCsv(text, table);
    return text.str();
}

bool
Recorder::TryReceive(const Frame& frame)
{
    if (frame.kind != FrameKind::IPV4)
    {
        return false;
    }
    m_arrivals.push_back({Simulator::Now(),
                          frame.priority,
                          frame.size,
                          Ipv4Address(frame.flow.source),
                          frame.flow.sourcePort,
                          ReadSequence(frame),
                          frame.IsMarked()});
    return true;
}

std::vector<Arrival>
Recorder::GetArrivals(Priority priority) const
{
    std::vector<Arrival> arrivals;
    std::copy_if(m_arrivals.begin(),
                 m_arrivals.end(),
                 std::back_inserter(arrivals),
                 [priority](const Arrival& arrival) { return arrival.priority == priority; });
    return arrivals;
}

std::vector<Time>
Recorder::GetTimes() const
{
    std::vector<Time> times;
    for (const Arrival& arrival : m_arrivals)
    {
        times.push_back(arrival.time);
    }
    return times;
}

std::vector<uint32_t>
Recorder::GetSequences() const
{
    std::vector<uint32_t> sequences;
    for (const Arrival& arrival : m_arrivals)
    {
        sequences.push_back(arrival.sequence);
    }
    return sequences;
}

std::size_t
Recorder::Count(Ipv4Address source) const
{
    return std::count_if(m_arrivals.begin(), m_arrivals.end(), [source](const Arrival& arrival) {
        return arrival.source == source;
    });
}

bool
Recorder::IsInOrder() const
{
    std::map<std::tuple<Ipv4Address, uint16_t, Priority>, uint32_t> latest;
    return std::all_of(m_arrivals.begin(), m_arrivals.end(), [&latest](const Arrival& arrival) {
        const auto flow = std::tuple(arrival.source, arrival.sourcePort, arrival.priority);
        const auto [entry, isFirst] = latest.emplace(flow, arrival.sequence);
        const bool rises = isFirst || arrival.sequence > entry->second;
        entry->second = arrival.sequence;
        return rises;
    });
}

BurstSource::BurstSource(Ptr<LosslessNetDevice> device)
    : m_device(device)
{
    device->GetHostPort()->AddSource(this);
}

void
BurstSource::Send(const Frame& frame)
{
    m_waiting.push_back(frame);
    m_device->Kick();
}

void
BurstSource::SendIn(Time delay, const Frame& frame)
{
    Simulator::ScheduleWithContext(m_device->GetNode()->GetId(), delay, [this, frame]() {
        Send(frame);
    });
}

bool
BurstSource::Prepare(const Permit& permit)
{
    return FindNext(permit) != m_waiting.end();
}

std::deque<Frame>::iterator
BurstSource::FindNext(const Permit& permit)
{
    std::set<std::pair<Priority, uint64_t>> stopped;
    return std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Frame& frame) {
        const auto flow = std::make_pair(frame.priority, frame.flowHash);
        const bool mayLeave = stopped.count(flow) == 0 && permit.Allows(frame);
        if (!mayLeave && permit.selective)
        {
            stopped.insert(flow);
        }
        return mayLeave;
    });
}

Frame
BurstSource::Dequeue(const Permit& permit)
{
    const auto next = FindNext(permit);
    Frame frame = *next;
    m_waiting.erase(next);
    m_starts.push_back(Simulator::Now());
    return frame;
}

TestHost::TestHost(Ptr<LosslessNetDevice> hostDevice, uint32_t index)
    : device(hostDevice),
      address(GetHostAddress(index)),
      source(hostDevice)
{
    device->GetHostPort()->AddReceiver(&received);
}

void
TestHost::Send(uint32_t destination, uint8_t dscp, uint32_t bytes, uint32_t count, Time delay)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        source.SendIn(
            delay,
            MakeUdpFrame(address, GetHostAddress(destination), dscp, bytes, nextSequence++));
    }
}

Pair::Pair(const Cable& cable)
{
    const NetDeviceContainer devices =
        MakeHelper(cable).Install(CreateObject<Node>(), CreateObject<Node>());
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        auto device = DynamicCast<LosslessNetDevice>(devices.Get(i));
        m_hosts.push_back(std::make_unique<TestHost>(device, i));
    }
}

TestHost&
Pair::GetHost(uint32_t index)
{
    return *m_hosts.at(index);
}

void
Pair::SetLinkUp(bool up)
{
    SetDeviceLinkUp(m_hosts.front()->device, up);
}

ObjectFactory
MakeNics(const Attributes& attributes)
{
    ObjectFactory nics("ns3::lossless::RoceNic");
    for (const auto& [name, value] : attributes)
    {
        nics.Set(name, StringValue(value));
    }
    return nics;
}

NicPair::NicPair(const Attributes& attributes)
{
    const NetDeviceContainer devices =
        LosslessHelper().Install(CreateObject<Node>(), CreateObject<Node>());
    for (uint32_t i = 0; i < 2; ++i)
    {
        m_devices[i] = DynamicCast<LosslessNetDevice>(devices.Get(i));
        m_gates[i] = CreateObject<ManualGate>();
        m_devices[i]->SetGate(m_gates[i]);
        m_nics[i] = MakeNics(attributes).Create<RoceNic>();
        m_nics[i]->Install(m_devices[i], GetHostAddress(i));
    }
}

NicPair::~NicPair()
{
    Simulator::Destroy();
}

void
NicPair::StartFrom(uint32_t host, uint64_t id, Priority priority, uint64_t bytes)
{
    RoceFlow flow;
    flow.id = id;
    flow.priority = priority;
    flow.bytes = bytes;
    m_nics[host]->StartFlow(m_nics[1 - host], flow);
}

Star::Star(Ptr<SwitchNode> node, const std::vector<Cable>& cables)
    : m_switch(node)
{
    for (const Cable& cable : cables)
    {
        const uint32_t index = m_hosts.size();
        const NetDeviceContainer ends = MakeHelper(cable).Install(node, CreateObject<Node>());
        auto device = DynamicCast<LosslessNetDevice>(ends.Get(1));
        m_hosts.push_back(std::make_unique<TestHost>(device, index));
        node->GetForwarding()->SetRoute(GetHostAddress(index),
                                        {PortId{static_cast<uint16_t>(index)}});
    }
}

Star::Star(Ptr<SwitchNode> node, uint32_t hosts, const Cable& cable)
    : Star(node, std::vector<Cable>(hosts, cable))
{
}

TestHost&
Star::GetHost(uint32_t index)
{
    return *m_hosts.at(index);
}

Ptr<LosslessNetDevice>
Star::GetPort(uint32_t index) const
{
    return m_switch->GetPortDevice(PortId{static_cast<uint16_t>(index)});
}

void
Star::SetLinkUp(uint32_t index, bool up)
{
    SetDeviceLinkUp(m_hosts.at(index)->device, up);
}

SwitchHelper
MakeStaticSwitch(uint64_t xoff,
                 uint64_t xon,
                 const std::map<std::string, uint64_t>& more,
                 SwitchHelper switches)
{
    switches.SetBufferPolicy("ns3::lossless::StaticBufferPolicy");
    switches.SetPolicyAttribute("Xoff", UintegerValue(xoff));
    switches.SetPolicyAttribute("Xon", UintegerValue(xon));
    for (const auto& [name, value] : more)
    {
        switches.SetPolicyAttribute(name, UintegerValue(value));
    }
    return switches;
}

SwitchHelper
MakeTightSwitch()
{
    return MakeStaticSwitch(20000, 10000);
}

Ring::Ring(const std::function<Ptr<SwitchNode>()>& make)
{
    LosslessHelper cables;
    cables.SetDeviceAttribute("DataRate", DataRateValue(DataRate("8Gbps")));
    cables.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        m_switches.push_back(make());
        const NetDeviceContainer ends = cables.Install(m_switches.back(), CreateObject<Node>());
        m_hosts.push_back(
            std::make_unique<TestHost>(DynamicCast<LosslessNetDevice>(ends.Get(1)), i));
    }
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        cables.Install(m_switches[i], m_switches[(i + 1) % SIZE]);
    }
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        for (uint32_t host = 0; host < SIZE; ++host)
        {
            m_switches[i]->GetForwarding()->SetRoute(GetHostAddress(host),
                                                     {host == i ? PortId{0} : GetWayOn(i)});
        }
    }
}

PortId
Ring::GetWayOn(uint32_t i)
{
    return PortId{static_cast<uint16_t>(i == 0 ? 1 : 2)};
}

PortId
Ring::GetWayIn(uint32_t i)
{
    return PortId{static_cast<uint16_t>(i == 0 ? 2 : 1)};
}

void
Ring::Watch(DeadlockDetector& detector) const
{
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        detector.WatchSwitch("s" + std::to_string(i), m_switches[i]);
    }
}

void
Ring::Send(uint32_t hops, uint32_t frames, const std::array<uint8_t, SIZE>& dscp)
{
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        m_hosts[i]->Send((i + hops) % SIZE, dscp[i], FRAME_BYTES, frames);
    }
}

void
Ring::SlowHosts() const
{
    for (const Ptr<SwitchNode>& node : m_switches)
    {
        node->GetPortDevice(PortId{0})->SetAttribute("DataRate",
                                                     DataRateValue(DataRate("800Mbps")));
    }
}

void
Ring::SetCable(Time at, bool up) const
{
    auto device = m_switches[0]->GetPortDevice(GetWayOn(0));
    Simulator::Schedule(at, [device, up]() {
        DynamicCast<LosslessChannel>(device->GetChannel())->SetUp(up);
    });
}

Ptr<SwitchNode>
Ring::GetSwitch(uint32_t i) const
{
    return m_switches[i];
}

TestHost&
Ring::GetHost(uint32_t i)
{
    return *m_hosts[i];
}

} // namespace ns3::lossless::tests
