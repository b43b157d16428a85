// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SLOW_RECEIVER_H
#define LOSSLESS_SLOW_RECEIVER_H

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/host-port.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/ring-buffer.h"

#include <array>
#include <cstdint>

namespace ns3::lossless
{

class LosslessNetDevice;

/**
 * @ingroup lossless
 * A host that processes arriving frames more slowly than its link delivers them, for example
 * because of a slow PCIe bus or address translation misses. Frames wait in a receive buffer, which
 * is drained in order at "Rate", and are then passed to the RoCE NIC or the protocol stack. The
 * host pauses a class that has more than "Xoff" bytes waiting and resumes it when it has "Xon" or
 * fewer. Before "StartTime", and after "StopTime" once the buffer is empty, the host processes
 * frames immediately.
 *
 * The buffer also stores the frames that arrive after a PAUSE; real hosts have headroom for these
 * frames. GetPeakBytes() returns the peak occupancy of the buffer.
 */
class SlowReceiver : public Application, public FrameReceiver
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Adds the receiver to a host's device and to the device's node.
    void Install(Ptr<LosslessNetDevice> device);

    bool TryReceive(const Frame& frame) override;

    /// Returns the peak occupancy of the buffer in bytes.
    uint64_t GetPeakBytes() const
    {
        return m_peakBytes;
    }

    /// Returns the number of times that classes have been paused, excluding renewals.
    uint64_t GetPauses() const
    {
        return m_pauses;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void Drain();
    void AwaitDrain();
    /// Pauses or resumes classes, or renews a pause.
    void Tell(PrioritySet classes, bool isPaused);
    void Refresh();

    DataRate m_rate;                                ///< the rate at which the buffer is drained
    uint64_t m_xoff{0};                             ///< the number of waiting bytes above which a
                                                    ///< class is paused
    uint64_t m_xon{0};                              ///< the number of waiting bytes at or below
                                                    ///< which a class resumes
    PrioritySet m_classes{0};                       ///< the classes that can be paused
    Ptr<LosslessNetDevice> m_device;                ///< the device on which frames arrive
    RingBuffer<Frame> m_waiting;                    ///< the waiting frames in order of arrival
    std::array<uint64_t, NUM_PRIORITIES> m_bytes{}; ///< the number of waiting bytes of each class
    uint64_t m_allBytes{0};                         ///< the number of waiting bytes of all classes
    uint64_t m_peakBytes{0};                        ///< see GetPeakBytes()
    uint64_t m_pauses{0};                           ///< see GetPauses()
    PrioritySet m_paused{0};                        ///< the classes that are paused
    bool m_isSlow{false};                           ///< true from StartTime to StopTime
    bool m_isHandingOn{false}; ///< whether a frame from the buffer is being passed on
    EventId m_drain;           ///< the pending event that calls Drain()
    EventId m_refresh;         ///< the pending event that calls Refresh()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SLOW_RECEIVER_H */
