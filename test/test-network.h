// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TEST_NETWORK_H
#define LOSSLESS_TEST_NETWORK_H

#include "ns3/congestion-control.h"
#include "ns3/deadlock-detector.h"
#include "ns3/drop-recorder.h"
#include "ns3/error-model.h"
#include "ns3/flow-control.h"
#include "ns3/flow-recorder.h"
#include "ns3/frame-endpoint.h"
#include "ns3/header.h"
#include "ns3/host-pfc.h"
#include "ns3/host-port.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-forwarding.h"
#include "ns3/lossless-helper.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/mac-control-header.h"
#include "ns3/no-flow-control-switch-node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pause-gate.h"
#include "ns3/pause-propagation.h"
#include "ns3/pause-recorder.h"
#include "ns3/pfc-flow-control.h"
#include "ns3/pointer.h"
#include "ns3/queue-pair.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/result-table.h"
#include "ns3/results-writer.h"
#include "ns3/roce-header.h"
#include "ns3/roce-nic.h"
#include "ns3/scheme-registry.h"
#include "ns3/shared-buffer.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/switch-helper.h"
#include "ns3/switch-node.h"
#include "ns3/transmit-gate.h"
#include "ns3/unlimited-buffer-policy.h"

#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Small networks in which a test controls and records every frame. This file also includes the
// headers that most network tests use.

namespace ns3::lossless::tests
{

/// The size of the smallest frame that MakeUdpFrame() builds, with Ethernet, IPv4, UDP and a
/// sequence number.
inline constexpr uint32_t MIN_UDP_FRAME_BYTES = 14 + 20 + 8 + 4;

std::vector<SchemeInfo> GetModuleSchemes();

/// Makes the recorder watch the flows of all hosts.
void WatchHosts(FlowRecorder& recorder, const Fabric& fabric);

Ipv4Address GetHostAddress(uint32_t host);

Frame MakeControlFrame(const Header& body);

/// @param text the type and attributes of an object, such as "Type[Name=value]"
ObjectFactory ParseFactory(const std::string& text);

std::vector<uint8_t> BytesOf(const Packet& packet);

/// @return the bytes of the packet in hexadecimal
std::string ToHex(const Packet& packet);

/// Builds a UDP datagram in an Ethernet frame, with valid checksums.
/// @param source the IPv4 source address
/// @param destination the IPv4 destination address
/// @param dscp the code point; the class is dscp >> 3
/// @param bytes the size of the frame from the Ethernet header on, without FCS
/// @param sequence the number written into the payload; see Arrival::sequence
/// @param ecn the value of the two ECN bits; 2 is ECT(0), which allows switches to mark the frame
/// @param sourcePort the UDP source port, to distinguish flows
Frame MakeUdpFrame(Ipv4Address source,
                   Ipv4Address destination,
                   uint8_t dscp,
                   uint32_t bytes,
                   uint32_t sequence,
                   uint8_t ecn = 0,
                   uint16_t sourcePort = 49152);

/// @return a frame of a switch, without a packet
SwitchItem MakeItem(uint16_t ingress, uint8_t priority, uint32_t bytes, uint16_t egress = 0);

/// @return the times in nanoseconds, separated by spaces
std::string ToText(const std::vector<Time>& times);
/// @return the numbers, separated by spaces
std::string ToText(const std::vector<uint32_t>& numbers);

/// @return one line per flow
std::string ToText(const FlowList& flows);

/// @return the text of the table, as in its file
std::string ToCsv(const ResultTable& table);

/// A gate that the test opens and closes.
class ManualGate : public TransmitGate
{
  public:
    /// @param open the classes that can send after this call
    void Set(PrioritySet open)
    {
        Held(Layer::SCHEME) = ~open;
        Publish();
    }

    bool MaySend(const Frame& frame) const override
    {
        return m_stopped.count(frame.flow.sourcePort) == 0 && frame.size <= m_largest;
    }

    std::set<uint16_t> m_stopped;   ///< source ports of the paused flows
    uint32_t m_largest{UINT32_MAX}; ///< size of the largest permitted frame, in bytes

  private:
    bool Apply(const Frame& /* frame */) override
    {
        return true;
    }
};

/// @return switches with fixed thresholds in bytes; PFC switches by default
/// @param more additional attributes of the buffer policy
SwitchHelper MakeStaticSwitch(uint64_t xoff,
                              uint64_t xon,
                              const std::map<std::string, uint64_t>& more = {},
                              SwitchHelper switches = SwitchHelper("ns3::lossless::PfcSwitchNode"));
/// @return PFC switches with thresholds so low that a single TCP window makes them send PAUSEs
SwitchHelper MakeTightSwitch();

/// A frame of MakeUdpFrame() that has arrived.
struct Arrival
{
    Time time;            ///< arrival time of the last bit
    Priority priority{0}; ///< class of the frame
    uint32_t size{0};     ///< size of the frame, in bytes
    Ipv4Address source;   ///< IPv4 source address
    uint16_t sourcePort;  ///< UDP source port
    uint32_t sequence{0}; ///< number passed to MakeUdpFrame()
    bool marked{false};   ///< true if the frame is marked "congestion experienced"
};

/// @param links the links, one per line, such as "h0,s0,10Gbps,1us"; see Topology::FromCsv()
Topology MakeTopology(const std::string& links);

/// Makes a device send a PFC frame after a delay; see SendPfc().
void SendPfcIn(Time delay,
               const Ptr<LosslessNetDevice>& device,
               PrioritySet classes,
               uint16_t quanta);

/// Accesses the packets of all frames that arrive at any device, so that these packets are built.
void LookAtAllFrames();

/// Makes the device discard received frames with these numbers (counted from 0) as corrupt.
void LoseFrames(LosslessNetDevice& device, const std::list<uint32_t>& which);

/// @param parser the parser whose Parse() is called with "program" and the arguments
template <typename T>
void
ParseArguments(T& parser, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (std::string& argument : arguments)
    {
        argv.push_back(argument.data());
    }
    parser.Parse(static_cast<int>(argv.size()), argv.data());
}

/// Makes some hosts send 1 MB to each of some other hosts, all at the same time.
/// @param sources the number of hosts that send, from host 0 onwards
/// @param destinations the indices of the receiving hosts; if a host would send to itself, it sends
/// to the next host instead
FlowList MakeFlows(uint32_t sources,
                   const std::vector<uint32_t>& destinations,
                   uint8_t classes = 1);

/// Runs a function in a copy of this process.
/// @return an empty string if the function ended with exit status 0; its error output if it was
/// aborted or ended with exit status 1, as programs do; and otherwise a description of its end,
/// such as "killed by signal 11"
std::string GetAbortMessage(const std::function<void()>& function);

/// Expects that a function stops the program with an error message that contains a string.
void ExpectStop(const std::string& part, const std::function<void()>& function);

/// @return the error message, or "(no complaint)" if there is none
std::string Show(const std::optional<std::string>& error);

/// Expects a one-line error message that contains `part`.
void ExpectError(const std::optional<std::string>& error, const std::string& part);

/// @return the contents of the file, or an empty string if it does not exist
std::string ReadFile(const std::string& path);

/// Records the IPv4 frames that arrive at a host, and consumes them.
struct Recorder : FrameReceiver
{
    bool TryReceive(const Frame& frame) override;

    std::vector<Arrival> GetArrivals(Priority priority) const;
    std::vector<Time> GetTimes() const;
    std::vector<uint32_t> GetSequences() const;
    std::size_t Count(Ipv4Address source) const;
    /// @return true if the sequence numbers of each source, source port and class increase
    bool IsInOrder() const;

    std::vector<Arrival> m_arrivals; ///< data frames, in order of arrival
};

/// Sends the given frames, each as soon as the wire is free and its class is open.
class BurstSource : public FrameSource
{
  public:
    /// @param device the device of a host; the source registers with its HostPort
    explicit BurstSource(Ptr<LosslessNetDevice> device);

    /// Appends a frame to the queue.
    void Send(const Frame& frame);
    /// Appends a frame to the queue after a delay.
    /// @param delay the time until the frame is appended
    void SendIn(Time delay, const Frame& frame);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;

  private:
    /// @return the first frame in the queue that may be sent without overtaking its own flow or
    /// class, or the end if there is none
    std::deque<Frame>::iterator FindNext(const Permit& permit);

    Ptr<LosslessNetDevice> m_device; ///< device that pulls frames

  public:
    std::deque<Frame> m_waiting; ///< frames in order of sending; frames of open classes
                                 ///< overtake frames of closed classes
    std::vector<Time> m_starts;  ///< start of each frame sent
};

/// A node with one device that sends and records frames for a test.
struct TestHost
{
    TestHost(Ptr<LosslessNetDevice> hostDevice, uint32_t index);

    /// Appends frames of one flow to the queue, with sequence numbers that increase from 0 over all
    /// calls.
    /// @param destination the index of the receiving host
    /// @param dscp the code point
    /// @param bytes the size of each frame; see MakeUdpFrame()
    /// @param count the number of frames
    /// @param delay the time until the frames are appended to the queue
    void Send(uint32_t destination,
              uint8_t dscp,
              uint32_t bytes,
              uint32_t count = 1,
              Time delay = Time(0));

    Ptr<LosslessNetDevice> device; ///< device of the host
    Ipv4Address address;           ///< address of the host
    BurstSource source;            ///< frame source of the host
    Recorder received;             ///< frames that have arrived
    uint32_t nextSequence{0};      ///< sequence number for the next Send()
};

/// The rate and delay of a cable.
struct Cable
{
    DataRate rate{"100Gbps"};    ///< rate at both ends
    Time delay{MicroSeconds(1)}; ///< propagation delay
};

/// Two hosts connected by one cable.
class Pair
{
  public:
    explicit Pair(const Cable& cable = {});

    TestHost& GetHost(uint32_t index);
    /// Cuts or restores the cable.
    void SetLinkUp(bool up);

  private:
    std::vector<std::unique_ptr<TestHost>> m_hosts; ///< both hosts
};

/// The values of attributes, indexed by name.
using Attributes = std::map<std::string, std::string>;

/// @return RoCE NICs with these attributes
ObjectFactory MakeNics(const Attributes& attributes);

/// Two hosts, each with a NIC and a gate, connected by a link of 100 Gb/s with a delay of 1 us.
struct NicPair
{
    /// @param attributes the attributes of both NICs
    explicit NicPair(const Attributes& attributes);
    ~NicPair();
    NicPair(const NicPair&) = delete;
    NicPair& operator=(const NicPair&) = delete;

    /// Starts a flow to the other host now.
    void StartFrom(uint32_t host, uint64_t id, Priority priority, uint64_t bytes);

    std::array<Ptr<LosslessNetDevice>, 2> m_devices; ///< devices, by host
    std::array<Ptr<ManualGate>, 2> m_gates;          ///< gates, by host
    std::array<Ptr<RoceNic>, 2> m_nics;              ///< NICs, by host
};

/// A switch with hosts. Port n of the switch leads to host n.
class Star
{
  public:
    /// Connects the hosts and sets the routes.
    Star(Ptr<SwitchNode> node, const std::vector<Cable>& cables);
    Star(Ptr<SwitchNode> node, uint32_t hosts, const Cable& cable = {});

    TestHost& GetHost(uint32_t index);
    Ptr<LosslessNetDevice> GetPort(uint32_t index) const;
    /// Cuts or restores the cable of a host.
    void SetLinkUp(uint32_t index, bool up);

    Ptr<SwitchNode> m_switch; ///< the switch

  private:
    std::vector<std::unique_ptr<TestHost>> m_hosts; ///< hosts, indexed by switch port
};

/// Three switches in a ring with one host each. All routes go around in the same direction. Port 0
/// leads to the host. s0's port 1, s1's port 2 and s2's port 2 lead to the next switch. On the
/// wire, a byte takes 1 ns and a frame of FRAME_BYTES takes 1 us. Each cable has a delay of 1 us.
class Ring
{
  public:
    /// The number of switches.
    static constexpr uint32_t SIZE = 3;
    /// The size of the frames of Send().
    static constexpr uint32_t FRAME_BYTES = 976;

    explicit Ring(const std::function<Ptr<SwitchNode>()>& make);

    static PortId GetWayOn(uint32_t i);
    static PortId GetWayIn(uint32_t i);

    /// Makes a detector watch the switches.
    void Watch(DeadlockDetector& detector) const;

    /// Makes each host send to the host `hops` switches away, at the rate of its link.
    /// @param hops 1 or 2
    /// @param frames the number of frames
    /// @param dscp the code point of each host
    void Send(uint32_t hops, uint32_t frames, const std::array<uint8_t, SIZE>& dscp = {24, 24, 24});

    /// Gives the ports to the hosts a tenth of the rate of the ring.
    void SlowHosts() const;
    /// Cuts or restores the cable from s0 to s1 at a given time.
    void SetCable(Time at, bool up) const;

    Ptr<SwitchNode> GetSwitch(uint32_t i) const;
    TestHost& GetHost(uint32_t i);

  private:
    std::vector<Ptr<SwitchNode>> m_switches;        ///< switches, in the order of the ring
    std::vector<std::unique_ptr<TestHost>> m_hosts; ///< hosts, indexed by switch
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_TEST_NETWORK_H */
