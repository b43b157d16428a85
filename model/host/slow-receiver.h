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
 * A host that takes what arrives slower than its link brings it, as by a slow PCIe bus or a lack
 * of memory translations: frames wait in a receive buffer that is drained at "Rate", in order, and
 * are handed to the RoCE NIC or the stack then. The host pauses a class of which more than "Xoff"
 * bytes wait, and lets it go when "Xon" or less do. Before "StartTime", and when nothing waits any
 * more after "StopTime", it takes what arrives at once.
 *
 * The buffer takes whatever comes after the PAUSE too, which is what headroom is for;
 * GetPeakBytes() tells how much there was.
 */
class SlowReceiver : public Application, public FrameReceiver
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Puts it on a device, and on the node of the device. @param device of a host
    void Install(Ptr<LosslessNetDevice> device);

    bool TryReceive(const Frame& frame) override;

    /// @return the most bytes of frames that have waited
    uint64_t GetPeakBytes() const
    {
        return m_peakBytes;
    }

    /// @return times that a class was stopped
    uint64_t GetPauses() const
    {
        return m_pauses;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// The first frame leaves the buffer.
    void Drain();
    /// Waits until the first frame has left the buffer.
    void AwaitDrain();
    /// Stops classes, or says so again, or lets them go. @param classes which @param isPaused they
    /// are to stop
    void Tell(PrioritySet classes, bool isPaused);
    /// Stops again what is stopped, before that runs out.
    void Refresh();

    DataRate m_rate;                                ///< of draining
    uint64_t m_xoff{0};                             ///< bytes of a class above which it is stopped
    uint64_t m_xon{0};                              ///< bytes of a class at which it goes on
    PrioritySet m_classes{0};                       ///< that are paused at all
    Ptr<LosslessNetDevice> m_device;                ///< by which frames arrive
    RingBuffer<Frame> m_waiting;                    ///< in the order of their arrival
    std::array<uint64_t, NUM_PRIORITIES> m_bytes{}; ///< that wait, by class
    uint64_t m_allBytes{0};                         ///< that wait
    uint64_t m_peakBytes{0};                        ///< see GetPeakBytes()
    uint64_t m_pauses{0};                           ///< see GetPauses()
    PrioritySet m_paused{0};                        ///< classes that are stopped
    bool m_isSlow{false};                           ///< from StartTime to StopTime
    bool m_isHandingOn{false};                      ///< a frame that has waited is on its way
    EventId m_drain;                                ///< the first frame leaves the buffer
    EventId m_refresh;                              ///< see Refresh()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SLOW_RECEIVER_H */
