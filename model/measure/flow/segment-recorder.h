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
 * Records the order of arrival and the delays of TCP segments that carry data, as observed between
 * the IPv4 layers of the source and the destination.
 *
 * The number of a segment is its position in the order of first transmissions (PABO, Sec. III). The
 * delay is measured from the last transmission before the segment arrives. It is therefore
 * underestimated if the first transmission arrives after a spurious retransmission has been sent.
 * Segments are identified by their first sequence number, so a retransmission must have the same
 * boundaries, and a connection must carry less than 4 GiB. Each segment occupies about 60 bytes of
 * memory. This class supports only runs on one rank; see Ranks.
 */
class SegmentRecorder
{
  public:
    SegmentRecorder();

    /// Starts recording the segments that a node with ns-3's Internet stack sends and receives.
    void Watch(Ptr<Node> node);

    /// @return the displacements of the segments of all connections
    ReorderDensity GetDensity() const;

    /// Returns the mean reorder entropy of the connections, weighted by the number of segments, in
    /// nats. The two directions of a connection count separately.
    double GetMeanEntropy() const;

    /// @return the delays of the first arrivals of all segments, in seconds
    const Average<double>& GetDelays() const
    {
        return m_log->m_delays;
    }

    /// @return the number of transmitted segments, including retransmissions
    uint64_t GetTransmissions() const
    {
        return m_log->m_transmissions;
    }

  private:
    /// One direction of a connection, identified by the source, the destination and their ports.
    using Connection = std::tuple<uint32_t, uint32_t, uint16_t, uint16_t>;

    /// A segment that has been sent.
    struct Segment
    {
        uint64_t number{0};  ///< the position in the order of first transmissions
        Time sent;           ///< the time of the last transmission
        Time sentBefore;     ///< the time of the previous transmission, which is used if the
                             ///< segment arrives at the time `sent`
        bool arrived{false}; ///< whether the segment has arrived at least once
    };

    /// The segments of one connection.
    struct Journal
    {
        std::unordered_map<uint32_t, Segment> segments; ///< the segments, keyed by first sequence
                                                        ///< number
        ReorderMetrics order;                           ///< the order in which the segments arrived
    };

    /// The records of the nodes. The nodes' traces hold references to this object.
    class Log : public SimpleRefCount<Log>
    {
      public:
        /// @param packet a packet with its IPv4 header
        void NotifySent(Ptr<const Packet> packet, Ptr<Ipv4> ipv4, uint32_t interface);
        /// @param packet a packet with its IPv4 header
        void NotifyReceived(Ptr<const Packet> packet, Ptr<Ipv4> ipv4, uint32_t interface);

        std::map<Connection, Journal> m_journals; ///< the journal of each connection
        Average<double> m_delays;                 ///< the delays, in seconds
        uint64_t m_transmissions{0};              ///< the number of transmitted segments

      private:
        /// @param packet a packet with its IPv4 header
        /// @param connection set to the connection of a data segment
        /// @param sequence set to the first sequence number of a data segment
        /// @return whether the packet is a data segment
        static bool Parse(Ptr<const Packet> packet, Connection& connection, uint32_t& sequence);
    };

    Ptr<Log> m_log; ///< the records of the nodes; never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SEGMENT_RECORDER_H */
