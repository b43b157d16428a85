// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_HOST_H
#define LOSSLESS_PABO_HOST_H

#include "pabo-counters.h"

#include "ns3/class-queues.h"
#include "ns3/host-port.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"
#include "ns3/traced-callback.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The host side of PABO (Sec. II-G and III), which retransmits returned frames before it sends new
 * ones.
 *
 * Optionally, the host slows down. Each returned frame delays new ones by a multiple of its
 * transmission time, so the host slows down further as more frames return.
 */
class PaboHost : public Object, public FrameReceiver, public FrameSource
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Aggregates this object to a host's device, which then owns it. The object receives all
    /// frames before other receivers. The device must not have a PaboHost yet.
    void Install(Ptr<LosslessNetDevice> device);

    /// Returns the number of frames that have returned.
    uint64_t GetReturned() const
    {
        return m_returned;
    }

    /// Returns the number of returned frames that have not been sent again.
    std::size_t GetBacklog() const
    {
        return m_frames;
    }

    bool TryReceive(const Frame& frame) override;
    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;

    /// The signature of the trace sources "Delivered" and "Returned", which report a frame and its
    /// counters.
    typedef void (*FrameTracedCallback)(const Frame& frame, const PaboCounters& counters);

  protected:
    void DoDispose() override;

  private:
    void Return(Frame frame);

    /// The device to which this object is aggregated; null before Install().
    LosslessNetDevice* m_device{nullptr};
    QueueSize m_limit;       ///< the limit on the bounce queue
    double m_slowDown{0};    ///< the delay per returned frame, in multiples of its transmission
                             ///< time
    uint64_t m_returned{0};  ///< see GetReturned()
    ClassQueues m_queues;    ///< the bounce queue
    std::size_t m_frames{0}; ///< the number of frames in the bounce queue
    uint64_t m_bytes{0};     ///< the number of bytes in the bounce queue

    /// Fired when a frame has arrived at its destination.
    TracedCallback<const Frame&, const PaboCounters&> m_deliveredTrace;
    /// Fired when a frame has returned.
    TracedCallback<const Frame&, const PaboCounters&> m_returnedTrace;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_HOST_H */
