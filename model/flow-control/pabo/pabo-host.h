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
 * A host's part in PABO (Sec. II-G and III): returned frames are sent again before new ones.
 *
 * Optionally the host slows down: each returned frame keeps it from sending new ones for a multiple
 * of the frame's time on the wire. The more frames return in a given time, the slower it gets.
 */
class PaboHost : public Object, public FrameReceiver, public FrameSource
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Aggregates this object to a host's device, which keeps it alive; it sees all frames before
    /// other receivers. The device must not have a PaboHost.
    void Install(Ptr<LosslessNetDevice> device);

    /// Counts the frames that have come back.
    uint64_t GetReturned() const
    {
        return m_returned;
    }

    /// Counts the frames that came back and wait to be sent again.
    std::size_t GetBacklog() const
    {
        return m_frames;
    }

    bool TryReceive(const Frame& frame) override;
    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;

    /// Signature of the trace sources "Delivered" and "Returned", with the frame's counters.
    typedef void (*FrameTracedCallback)(const Frame& frame, const PaboCounters& counters);

  protected:
    void DoDispose() override;

  private:
    void Return(Frame frame);

    LosslessNetDevice* m_device{nullptr}; ///< which this is aggregated to; null before Install()
    QueueSize m_limit;                    ///< of the bounce queue
    double m_slowDown{0};                 ///< waiting time per returned frame, in times on the wire
    uint64_t m_returned{0};               ///< see GetReturned()
    ClassQueues m_queues;                 ///< bounce queue
    std::size_t m_frames{0};              ///< frames in it
    uint64_t m_bytes{0};                  ///< bytes in it

    TracedCallback<const Frame&, const PaboCounters&>
        m_deliveredTrace; ///< fires when a frame has arrived at its destination
    TracedCallback<const Frame&, const PaboCounters&>
        m_returnedTrace; ///< fires when a frame has come back
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_HOST_H */
