// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHARED_BUFFER_H
#define LOSSLESS_SHARED_BUFFER_H

#include "switch-item.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <vector>

namespace ns3::lossless
{

/// @return the number of bytes that a frame occupies in the buffer
template <typename T>
constexpr T
RoundUpToCells(T bytes, uint32_t cellBytes)
{
    return (bytes + cellBytes - 1) / cellBytes * cellBytes;
}

/**
 * @ingroup lossless
 * The division of a frame's bytes among the segments of the buffer (DSH, Sec. II-B and IV-B).
 */
struct SegmentBytes
{
    uint32_t reserved{0}; ///< the number of bytes in the private buffer of the ingress queue
    uint32_t shared{0};   ///< the number of bytes in the buffer shared by all queues
    uint32_t headroom{0}; ///< the number of bytes in the headroom of the queue (SIH) or port (DSH)
};

/**
 * @ingroup lossless
 * The accounting of a switch's packet memory.
 *
 * This class counts frames and makes no decisions. A frame is stored once, but it is counted for
 * its ingress queue, ingress port, egress queue and segments. All counts are in bytes, rounded up
 * to cells. The ingress side counts a frame from its arrival, and the egress side counts it from
 * its move to the egress queue. In a switch with one shared memory, both sides count the frame
 * until it leaves. With two memories (SetTwoSided()), the ingress side counts the frame only until
 * it moves. The class also stores whether the neighbour of each ingress queue and port is paused.
 * The flow control sets this state, on which admission also depends (DSH, Fig. 3 and 8).
 *
 * At any time, the number of used bytes equals the sum of the reserved, shared and headroom bytes
 * of all ingress queues. With two memories, the sum also includes the bytes of the egress queues.
 * All counts are zero when no frame is in the switch.
 */
class SharedBuffer : public Object
{
  public:
    /// The counts of one ingress queue, in bytes.
    struct IngressQueue
    {
        uint64_t reserved{0}; ///< the number of bytes in the queue's private buffer
        uint64_t shared{0};   ///< the number of bytes in the shared buffer (w(i,j) in Eq. 2 of DSH)
        uint64_t headroom{0}; ///< the number of bytes in the queue's headroom
        bool paused{false};   ///< whether the neighbour has been paused for this class

        /// @return the length of the queue, in bytes
        uint64_t GetTotal() const
        {
            return reserved + shared + headroom;
        }
    };

    /// The counts of all queues of one ingress port, in bytes.
    struct IngressPort
    {
        uint64_t shared{0};   ///< the number of bytes in the shared buffer
        uint64_t headroom{0}; ///< the number of bytes in headroom
        bool paused{false};   ///< whether the neighbour has been paused for all classes
    };

    /// The counts of one egress queue, including the frame on the wire.
    struct EgressQueueCount
    {
        uint64_t bytes{0};  ///< the number of bytes, rounded up to cells
        uint32_t frames{0}; ///< the number of frames
    };

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Sets the number of ports. Call this function once.
    void Resize(std::size_t ports);

    /// @return the size of the packet memory in bytes
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// @return the allocation unit in bytes
    uint32_t GetCellBytes() const
    {
        return m_cellBytes;
    }

    /// @return the number of bytes rounded up to cells
    uint32_t RoundToCells(uint32_t bytes) const
    {
        return m_cellBytes == 1 ? bytes : RoundUpToCells(bytes, m_cellBytes);
    }

    /// Sets whether the ingress side stops counting a frame when the frame moves to its egress
    /// queue. Call this function before the first frame arrives.
    void SetTwoSided(bool isTwoSided)
    {
        m_isTwoSided = isTwoSided;
    }

    /// @return whether ingress and egress have separate memories
    bool IsTwoSided() const
    {
        return m_isTwoSided;
    }

    /// Counts a frame at its ingress.
    /// @param segments the bytes in each segment; their sum is bufferBytes
    void Arrive(const SwitchItem& item, const SegmentBytes& segments);

    /// Counts a frame at its egress, which must be set.
    /// @param item the frame as it was when it arrived
    void Move(const SwitchItem& item);

    /// Removes a departed frame from the counts.
    /// @param item the frame as it was when it moved
    void Leave(const SwitchItem& item);

    /// Removes a frame that was lost before it moved.
    /// @param item the frame as it was when it arrived
    void Discard(const SwitchItem& item);

    /// @return the number of bytes in the memory
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /// @return the total number of bytes that all queues occupy in the shared segment
    uint64_t GetSharedUsed() const
    {
        return m_sharedUsed;
    }

    /// @return the total number of bytes that all queues occupy in headroom
    uint64_t GetHeadroomUsed() const
    {
        return m_headroomUsed;
    }

    /// @return the counts of an ingress queue
    const IngressQueue& GetIngress(QueueId queue) const
    {
        return m_rows[Index(queue.port)].ingress[Index(queue.priority)];
    }

    /// @return the counts of an ingress port
    const IngressPort& GetIngressPort(PortId port) const
    {
        return m_rows[Index(port)].port;
    }

    /// @return the counts of an egress queue
    const EgressQueueCount& GetEgress(QueueId queue) const
    {
        return m_rows[Index(queue.port)].egress[Index(queue.priority)];
    }

    /// @return the mean length of a class's egress queues over all ports, in bytes
    double GetMeanEgress(Priority priority) const;

    /// @return the number of bytes of the given classes in the shared segment that arrived at an
    /// ingress port
    uint64_t GetSharedOf(PortId port, PrioritySet classes) const;

    /// The signature of the trace source "PortHeadroomInUse".
    /// @param bytes the number of bytes of all classes
    typedef void (*PortHeadroomTracedCallback)(PortId port, uint64_t bytes);

    /// Sets whether the neighbour of an ingress queue is paused for the queue's class.
    void SetPaused(QueueId queue, bool paused)
    {
        Ingress(queue).paused = paused;
    }

    /// Sets whether the neighbour of an ingress port is paused for all classes.
    void SetPortPaused(PortId port, bool paused)
    {
        m_rows[Index(port)].port.paused = paused;
    }

  private:
    /// Removes a frame from the ingress counts. The queue's headroom is released first, then its
    /// shared buffer, and then its private buffer.
    void Release(const SwitchItem& item);

    struct Row
    {
        std::array<IngressQueue, NUM_PRIORITIES> ingress;    ///< the port's ingress queues
        std::array<EgressQueueCount, NUM_PRIORITIES> egress; ///< the port's egress queues
        IngressPort port;                                    ///< the counts for all classes
                                                             ///< together
    };

    IngressQueue& Ingress(QueueId queue)
    {
        return m_rows[Index(queue.port)].ingress[Index(queue.priority)];
    }

    EgressQueueCount& Egress(QueueId queue)
    {
        return m_rows[Index(queue.port)].egress[Index(queue.priority)];
    }

    std::vector<Row> m_rows;    ///< the counts of each port
    uint64_t m_sharedUsed{0};   ///< the number of bytes in the shared segment
    uint64_t m_used{0};         ///< the number of bytes in the memory
    uint32_t m_cellBytes{1};    ///< the allocation unit
    bool m_isTwoSided{false};   ///< see SetTwoSided()
    uint64_t m_size{0};         ///< the size of the memory
    uint64_t m_headroomUsed{0}; ///< the number of bytes in headroom

    TracedCallback<PortId, uint64_t> m_portHeadroomTrace; ///< fired when the number of bytes in a
                                                          ///< port's headroom changes
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHARED_BUFFER_H */
