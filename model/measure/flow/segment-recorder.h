// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SEGMENT_RECORDER_H
#define LOSSLESS_SEGMENT_RECORDER_H

#include "reorder-metrics.h"

#include "ns3/average.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <map>
#include <tuple>
#include <unordered_map>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Follows TCP segments with data from the IPv4 layer of their source to that of their destination:
 * the order in which they arrive, and their delays.
 *
 * A segment's number in the sending order is that of its first transmission (PABO, Sec. III). Its
 * delay counts from its last transmission before it arrives, and is too short if the first one
 * arrives after a needless retransmission. Segments are identified by their first sequence number,
 * so a retransmission must not be cut differently, and a connection must carry less than 4 GiB. A
 * segment takes some 60 bytes. Only for runs on one rank, see Ranks.
 */
class SegmentRecorder
{
  public:
    SegmentRecorder();

    /// Follows a node with ns-3's Internet stack as source and destination.
    void Watch(Ptr<Node> node);

    /// @return displacements of the segments, all connections together
    ReorderDensity GetDensity() const;

    /// @return delays of the segments at their first arrival, in seconds
    const Average<double>& GetDelays() const
    {
        return m_log->m_delays;
    }

    /// @return transmissions of segments, with retransmissions
    uint64_t GetTransmissions() const
    {
        return m_log->m_transmissions;
    }

  private:
    /// One direction of a connection: source, destination, ports.
    using Connection = std::tuple<uint32_t, uint32_t, uint16_t, uint16_t>;

    /// A segment that was sent.
    struct Segment
    {
        uint64_t number{0};  ///< in the order of first transmissions
        Time sent;           ///< last transmission
        Time sentBefore;     ///< the one before: nodes do not report strictly in the order of time
        bool arrived{false}; ///< at least once
    };

    /// The segments of one connection.
    struct Journal
    {
        std::unordered_map<uint32_t, Segment> segments; ///< by first sequence number
        ReorderMetrics order;                           ///< in which they arrive
    };

    /// Records of the nodes, which keep this alive.
    class Log : public SimpleRefCount<Log>
    {
      public:
        /// @param packet with its IPv4 header
        void NotifySent(Ptr<const Packet> packet, Ptr<Ipv4> ipv4, uint32_t interface);
        /// @param packet with its IPv4 header
        void NotifyReceived(Ptr<const Packet> packet, Ptr<Ipv4> ipv4, uint32_t interface);

        std::map<Connection, Journal> m_journals; ///< by connection
        Average<double> m_delays;                 ///< in seconds
        uint64_t m_transmissions{0};              ///< of segments

      private:
        /// @param packet with its IPv4 header
        /// @param connection set to that of a data segment
        /// @param sequence set to its first sequence number
        /// @return whether it is a data segment
        static bool Parse(Ptr<const Packet> packet, Connection& connection, uint32_t& sequence);
    };

    Ptr<Log> m_log; ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SEGMENT_RECORDER_H */
