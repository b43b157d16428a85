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
 * The host's part in PABO (Sec. II-G and III): a frame of its own that comes back is sent again,
 * before all new ones.
 *
 * Optionally the host slows down: each frame that comes back keeps it from sending new ones for a
 * multiple of the frame's time on the wire, so that the more frames return in a time, the slower
 * it gets.
 */
class PaboHost : public Object, public FrameReceiver, public FrameSource
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * Puts this object on a device and aggregates it to the device, which keeps it alive. It sees
     * all frames before other receivers.
     * @param device device of a host, without a PaboHost so far
     */
    void Install(Ptr<LosslessNetDevice> device);

    /// @return frames that came back so far
    uint64_t GetReturned() const
    {
        return m_returned;
    }

    /// @return frames that came back and wait to be sent again
    std::size_t GetBacklog() const
    {
        return m_frames;
    }

    bool TryReceive(const Frame& frame) override;
    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;

    /**
     * Signature of the trace sources "Delivered" and "Returned".
     * @param frame a frame that has arrived
     * @param counters what it says
     */
    typedef void (*FrameTracedCallback)(const Frame& frame, const PaboCounters& counters);

  protected:
    void DoDispose() override;

  private:
    /// @param frame a frame of this host that came back
    void Return(Frame frame);

    LosslessNetDevice* m_device{nullptr}; ///< which this is aggregated to; null before Install()
    QueueSize m_limit;                    ///< of the bounce queue
    double m_slowDown{0};                 ///< times on the wire lost by each frame that came back
    uint64_t m_returned{0};               ///< see GetReturned()
    ClassQueues m_queues;                 ///< bounce queue
    std::size_t m_frames{0};              ///< frames in it
    uint64_t m_bytes{0};                  ///< bytes in it

    TracedCallback<const Frame&, const PaboCounters&> m_deliveredTrace; ///< arrived for good
    TracedCallback<const Frame&, const PaboCounters&> m_returnedTrace;  ///< came back
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_HOST_H */
