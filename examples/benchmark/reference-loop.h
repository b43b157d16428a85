// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REFERENCE_LOOP_H
#define LOSSLESS_REFERENCE_LOOP_H

#include "ns3/lossless-fabric.h"
#include "ns3/packet.h"

#include <array>
#include <deque>
#include <vector>

namespace ns3::lossless
{

/**
 * The minimum work that a packet simulator based on ns-3 has to do, as a reference. This class
 * moves the packets of a set of RoCE flows without loss or flow control (data packets with one
 * acknowledgement each) over the links and routes of a topology.
 *
 * A packet is an ns-3 Packet with one header of 54 bytes, which is written once. At each hop, the
 * header is read with CopyData(), the port is looked up in a table, and the packet is put into a
 * std::deque of its port and class. Each transmission requires a transmit-complete event and a
 * receive event. There is no buffer management, flow control, marking, transport or tracing.
 */
class ReferenceLoop
{
  public:
    /// @param topology the network
    /// @param flows the flows, which start at time zero
    /// @param payloadBytes the payload of a data packet
    ReferenceLoop(const Topology& topology, const FlowList& flows, uint32_t payloadBytes);

    /// Starts the flows. The caller must then call Simulator::Run().
    void Start();

    /// @return the number of times that a frame has crossed a link
    uint64_t GetPacketHops() const
    {
        return m_hops;
    }

  private:
    /// A port with two classes. Acknowledgements take precedence over data.
    struct Port
    {
        uint32_t node;                                   ///< node of the port
        uint32_t peer;                                   ///< node at the other end
        double secondsPerByte;                           ///< inverse of the link's rate
        Time delay;                                      ///< delay of the link
        std::array<std::deque<Ptr<Packet>>, 2> queues{}; ///< packets to send, by class
        bool busy{false};                                ///< whether a frame is being transmitted
    };

    void Receive(uint32_t node, Ptr<Packet> packet);
    /// @param priority 0 or 1
    void Enqueue(uint32_t port, Ptr<Packet> packet, std::size_t priority);
    /// @param port the index of a port whose wire is free
    void Transmit(uint32_t port);
    /// @return the next data packet of a host, or null if its flow has been sent completely
    Ptr<Packet> NextData(uint32_t host);

    std::vector<Port> m_ports;                                ///< ports of all nodes
    std::vector<uint32_t> m_firstPort;                        ///< index of the first port, by node
    std::vector<std::vector<std::vector<uint32_t>>> m_routes; ///< ports, by node and destination
    std::vector<uint32_t> m_hostOf;                           ///< host index or NO_HOST, by node
    std::vector<uint32_t> m_nodeOf;                           ///< node, by host index
    std::vector<uint64_t> m_packetsLeft;                      ///< packets left in each host's flow
    std::vector<uint32_t> m_destination;                      ///< destination of each host's flow
    uint32_t m_payloadBytes;
    uint64_t m_hops{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REFERENCE_LOOP_H */
