// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHARED_BUFFER_H
#define LOSSLESS_SHARED_BUFFER_H

#include "switch-item.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <array>
#include <vector>

namespace ns3::lossless
{

/// @return bytes that a frame occupies in the buffer
template <typename T>
constexpr T
RoundUpToCells(T bytes, uint32_t cellBytes)
{
    return (bytes + cellBytes - 1) / cellBytes * cellBytes;
}

/**
 * @ingroup lossless
 * Division of a frame's bytes into the segments of the buffer (DSH, Sec. II-B and IV-B).
 */
struct SegmentBytes
{
    uint32_t reserved{0}; ///< private buffer of the ingress queue
    uint32_t shared{0};   ///< buffer shared by all queues
    uint32_t headroom{0}; ///< headroom of the ingress queue (SIH) or insurance of its port (DSH)
};

/**
 * @ingroup lossless
 * The ledger of a switch's packet memory.
 *
 * It counts and never decides: a frame is stored once and counted per ingress queue, per ingress
 * port, per egress queue and per segment. All counts are in bytes, rounded up to cells. The ingress
 * side counts a frame when it arrives, the egress side when it moves to its egress queue. In a
 * switch with one shared memory both count it until it leaves; with two memories (SetTwoSided())
 * the ingress side counts it until it moves. The ledger also holds whether the neighbour of each
 * ingress queue and port is paused, because admission depends on it as well (DSH, Fig. 3 and 8);
 * flow control sets it.
 *
 * Identities, valid at any time: used = sum over ingress queues of reserved + shared + headroom,
 * with two memories plus the sum over egress queues; all are zero when no frame is in the switch.
 */
class SharedBuffer : public Object
{
  public:
    /// Counts of one ingress queue, in bytes.
    struct IngressQueue
    {
        uint64_t reserved{0}; ///< in its private buffer
        uint64_t shared{0};   ///< in the shared buffer: w(i,j) of DSH, Eq. 2
        uint64_t headroom{0}; ///< in its headroom
        bool paused{false};   ///< the neighbour has been paused for this class

        /// @return its length
        uint64_t GetTotal() const
        {
            return reserved + shared + headroom;
        }
    };

    /// Counts of one ingress port, over all its queues, in bytes.
    struct IngressPort
    {
        uint64_t shared{0};   ///< in the shared buffer
        uint64_t headroom{0}; ///< in headroom
        bool paused{false};   ///< the neighbour has been paused for all classes
    };

    /// Counts of one egress queue, including the frame on the wire.
    struct EgressQueueCount
    {
        uint64_t bytes{0};  ///< rounded up to cells
        uint32_t frames{0}; ///< number of them
    };

    /// @return the type
    static TypeId GetTypeId();

    /// Sizes all counters, once.
    void Resize(std::size_t ports);

    /// @return size of the packet memory, bytes
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// @return allocation unit, bytes
    uint32_t GetCellBytes() const
    {
        return m_cellBytes;
    }

    /// @return bytes rounded up to cells
    uint32_t RoundToCells(uint32_t bytes) const
    {
        return m_cellBytes == 1 ? bytes : RoundUpToCells(bytes, m_cellBytes);
    }

    /// Sets whether the ingress side stops counting a frame that has moved, see above. To be called
    /// before the first frame.
    void SetTwoSided(bool isTwoSided);

    /// @return whether ingress and egress have a memory each
    bool IsTwoSided() const
    {
        return m_isTwoSided;
    }

    /// Counts a frame at its ingress. @param segments of its bytes; their sum is bufferBytes
    void Arrive(const SwitchItem& item, const SegmentBytes& segments);

    /// Counts a frame that has arrived at its egress. @param item as it arrived
    void Move(const SwitchItem& item);

    /// A frame that has moved has left. @param item as it moved
    void Leave(const SwitchItem& item);

    /// A frame that has arrived is lost before it has moved. @param item as it arrived
    void Discard(const SwitchItem& item);

    /// @return bytes in the memory
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /// @return bytes in the shared segment, over all queues
    uint64_t GetSharedUsed() const
    {
        return m_sharedUsed;
    }

    /// @return bytes in headroom, over all queues
    uint64_t GetHeadroomUsed() const
    {
        return m_headroomUsed;
    }

    /// @return counts of an ingress queue
    const IngressQueue& GetIngress(QueueId queue) const
    {
        return m_rows[Index(queue.port)].ingress[Index(queue.priority)];
    }

    /// @return counts of an ingress port
    const IngressPort& GetIngressPort(PortId port) const
    {
        return m_rows[Index(port)].port;
    }

    /// @return counts of an egress queue
    const EgressQueueCount& GetEgress(QueueId queue) const
    {
        return m_rows[Index(queue.port)].egress[Index(queue.priority)];
    }

    /// @return mean length of a class's egress queues over all ports, in bytes
    double GetMeanEgress(Priority priority) const;

    /// @return bytes of these classes in the shared segment, from an ingress port
    uint64_t GetSharedOf(PortId port, PrioritySet classes) const;

    /// Signature of the trace source "PortHeadroomInUse". @param bytes in use, of all classes
    typedef void (*PortHeadroomTracedCallback)(PortId port, uint64_t bytes);

    /// Sets whether the neighbour of an ingress queue is paused.
    void SetPaused(QueueId queue, bool paused)
    {
        Ingress(queue).paused = paused;
    }

    /// Sets whether the neighbour of an ingress port is paused.
    void SetPortPaused(PortId port, bool paused)
    {
        m_rows[Index(port)].port.paused = paused;
    }

  private:
    /// Removes a frame from the ingress counts. Of its queue's bytes, headroom is released first,
    /// then shared, then private buffer.
    void Release(const SwitchItem& item);

    struct Row
    {
        std::array<IngressQueue, NUM_PRIORITIES> ingress;    ///< as an ingress port
        std::array<EgressQueueCount, NUM_PRIORITIES> egress; ///< as an egress port
        IngressPort port;                                    ///< of all classes
    };

    IngressQueue& Ingress(QueueId queue)
    {
        return m_rows[Index(queue.port)].ingress[Index(queue.priority)];
    }

    EgressQueueCount& Egress(QueueId queue)
    {
        return m_rows[Index(queue.port)].egress[Index(queue.priority)];
    }

    std::vector<Row> m_rows;              ///< by port
    uint64_t m_sharedUsed{0};             ///< bytes in the shared segment
    TracedValue<uint64_t> m_used;         ///< bytes in the memory
    uint32_t m_cellBytes{1};              ///< allocation unit
    bool m_isTwoSided{false};             ///< see SetTwoSided()
    uint64_t m_size{0};                   ///< size of the memory
    TracedValue<uint64_t> m_headroomUsed; ///< bytes in headroom

    TracedCallback<PortId, uint64_t> m_portHeadroomTrace; ///< bytes in headroom of a port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHARED_BUFFER_H */
