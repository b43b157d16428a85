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
 * The minimum work of a packet simulator on ns-3, for comparison: the same packets as a set of RoCE
 * flows without loss or flow control (a data packet and an acknowledgement each), over the same
 * links and routes.
 *
 * A packet is an ns-3 Packet with one header of 54 bytes written once; at each hop the header is
 * read with CopyData, the port looked up in a table, and the packet put in a std::deque of its port
 * and class; a transmission costs a transmit-complete event and a receive event. There is no buffer
 * management, no flow control, no marking, no transport and no trace.
 */
class ReferenceLoop
{
  public:
    /// @param flows sent from time zero
    /// @param payloadBytes of a data packet
    ReferenceLoop(const Topology& topology, const FlowList& flows, uint32_t payloadBytes);

    /// Starts the flows; Simulator::Run() does the rest.
    void Start();

    /// @return frames that have crossed a link
    uint64_t GetPacketHops() const
    {
        return m_hops;
    }

  private:
    /// A port and its two classes: acknowledgements before data.
    struct Port
    {
        uint32_t node;                                   ///< its node
        uint32_t peer;                                   ///< node at the other end
        double secondsPerByte;                           ///< of the link
        Time delay;                                      ///< of the link
        std::array<std::deque<Ptr<Packet>>, 2> queues{}; ///< by class
        bool busy{false};                                ///< a frame is on the wire
    };

    void Receive(uint32_t node, Ptr<Packet> packet);
    /// @param priority 0 or 1
    void Enqueue(uint32_t port, Ptr<Packet> packet, std::size_t priority);
    /// @param port index of a port whose wire is free
    void Transmit(uint32_t port);
    /// @param port index of a port whose frame has left
    void TransmitComplete(uint32_t port);
    /// @return next data packet of a host; null when its flow is sent
    Ptr<Packet> NextData(uint32_t host);

    std::vector<Port> m_ports;                                ///< of all nodes
    std::vector<uint32_t> m_firstPort;                        ///< of each node
    std::vector<std::vector<std::vector<uint32_t>>> m_routes; ///< ports by node and host
    std::vector<uint32_t> m_hostOf;                           ///< host index by node, or none
    std::vector<uint32_t> m_nodeOf;                           ///< node by host index
    std::vector<uint64_t> m_packetsLeft;                      ///< of the flow of each host
    std::vector<uint32_t> m_destination;                      ///< of the flow of each host
    uint32_t m_payloadBytes;
    uint64_t m_hops{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REFERENCE_LOOP_H */
