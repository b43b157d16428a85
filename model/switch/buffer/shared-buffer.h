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

/// @param bytes size of a frame @param cellBytes allocation unit of a buffer @return what it takes
template <typename T>
constexpr T
RoundUpToCells(T bytes, uint32_t cellBytes)
{
    return (bytes + cellBytes - 1) / cellBytes * cellBytes;
}

/**
 * @ingroup lossless
 * How the bytes of a frame are divided over the segments of the buffer (DSH, Sec. II-B and IV-B).
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
 * It counts, and never decides: a frame is stored once and counted per ingress queue, per ingress
 * port, per egress queue and per segment. All counts are in bytes, rounded up to cells. The
 * ingress side counts a frame when it arrives, the egress side when it has been moved to its egress
 * queue. In a switch of one shared memory both count it until it leaves; with two memories
 * (SetTwoSided()) the ingress side counts it until it moves. Next to them stands what the neighbour
 * of each ingress queue and port has been told (paused or not), because admission depends on it as
 * well (DSH, Fig. 3 and 8); flow control sets it.
 *
 * Identities, which hold at any time: used = sum over ingress queues of reserved + shared +
 * headroom, with two memories plus the sum over egress queues; all are zero when no frame is in the
 * switch.
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
        bool paused{false};   ///< the neighbour has been told to stop this class

        /// @return its length
        uint64_t GetTotal() const
        {
            return reserved + shared + headroom;
        }
    };

    /// Counts of one ingress port over all its queues, in bytes.
    struct IngressPort
    {
        uint64_t shared{0};   ///< in the shared buffer
        uint64_t headroom{0}; ///< in headroom
        bool paused{false};   ///< the neighbour has been told to stop all classes
    };

    /// Counts of one egress queue, the frame on the wire included.
    struct EgressQueueCount
    {
        uint64_t bytes{0};  ///< bytes
        uint32_t frames{0}; ///< frames
    };

    /// @return the type
    static TypeId GetTypeId();

    /// @param ports number of ports; sizes all counters, once
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

    /// @param bytes size of a frame @return the same, rounded up to cells
    uint32_t RoundToCells(uint32_t bytes) const
    {
        return m_cellBytes == 1 ? bytes : RoundUpToCells(bytes, m_cellBytes);
    }

    /// From now on the ingress side does not count what has moved, see above; before the first
    /// frame. @param isTwoSided whether so
    void SetTwoSided(bool isTwoSided);

    /// @return whether so
    bool IsTwoSided() const
    {
        return m_isTwoSided;
    }

    /// A frame is counted at its ingress. @param item an admitted frame @param segments where its
    /// bytes go; they sum to bufferBytes
    void Arrive(const SwitchItem& item, const SegmentBytes& segments);

    /// A frame that has arrived is counted at its egress. @param item the frame, as it arrived
    void Move(const SwitchItem& item);

    /// A frame that has moved has left. @param item the frame, as it moved
    void Leave(const SwitchItem& item);

    /// A frame that has arrived is lost before it has moved. @param item the frame, as it arrived
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

    /// @param queue an ingress queue @return its counts
    const IngressQueue& GetIngress(QueueId queue) const
    {
        return m_rows[Index(queue.port)].ingress[Index(queue.priority)];
    }

    /// @param port an ingress port @return its counts
    const IngressPort& GetIngressPort(PortId port) const
    {
        return m_rows[Index(port)].port;
    }

    /// @param queue an egress queue @return its counts
    const EgressQueueCount& GetEgress(QueueId queue) const
    {
        return m_rows[Index(queue.port)].egress[Index(queue.priority)];
    }

    /// @param priority a class @return mean length of its egress queues, of all ports, in bytes
    double GetMeanEgress(Priority priority) const;

    /// @param port an ingress port @param classes some of its classes
    /// @return bytes that these have in the shared segment
    uint64_t GetSharedOf(PortId port, PrioritySet classes) const;

    /**
     * Signature of the trace source "PortHeadroomInUse".
     * @param port an ingress port
     * @param bytes in its headroom now, all classes together
     */
    typedef void (*PortHeadroomTracedCallback)(PortId port, uint64_t bytes);

    /// @param queue an ingress queue @param paused what its neighbour has been told
    void SetPaused(QueueId queue, bool paused)
    {
        Ingress(queue).paused = paused;
    }

    /// @param port an ingress port @param paused what its neighbour has been told
    void SetPortPaused(PortId port, bool paused)
    {
        m_rows[Index(port)].port.paused = paused;
    }

  private:
    /// The ingress side does not count a frame any more. Of its queue's bytes, headroom is released
    /// first, then shared, then private buffer. @param item the frame
    void Release(const SwitchItem& item);

    /// The counts of a port, by class.
    struct Row
    {
        std::array<IngressQueue, NUM_PRIORITIES> ingress;    ///< as an ingress port
        std::array<EgressQueueCount, NUM_PRIORITIES> egress; ///< as an egress port
        IngressPort port;                                    ///< of all classes
    };

    /// @param queue an ingress queue @return its counts
    IngressQueue& Ingress(QueueId queue)
    {
        return m_rows[Index(queue.port)].ingress[Index(queue.priority)];
    }

    /// @param queue an egress queue @return its counts
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
