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
 * A host that takes arrivals more slowly than its link delivers them, as with a slow PCIe bus or
 * missing memory translations: frames wait in a receive buffer that is drained in order at "Rate",
 * and are then handed to the RoCE NIC or the stack. The host pauses a class with more than "Xoff"
 * bytes waiting, and resumes it at "Xon" or less. Before "StartTime", and once the buffer is empty
 * after "StopTime", it takes arrivals at once.
 *
 * The buffer also takes what arrives after the PAUSE, for which real ones have headroom;
 * GetPeakBytes() returns the most it has held.
 */
class SlowReceiver : public Application, public FrameReceiver
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Adds it to a host's device and its node.
    void Install(Ptr<LosslessNetDevice> device);

    bool TryReceive(const Frame& frame) override;

    /// Peak length of the buffer, bytes.
    uint64_t GetPeakBytes() const
    {
        return m_peakBytes;
    }

    /// How often a class was stopped.
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
    /// Stops or resumes classes, or repeats the PAUSE.
    void Tell(PrioritySet classes, bool isPaused);
    void Refresh();

    DataRate m_rate;                                ///< of draining
    uint64_t m_xoff{0};                             ///< bytes of a class above which it is stopped
    uint64_t m_xon{0};                              ///< bytes of a class at which it resumes
    PrioritySet m_classes{0};                       ///< that may be paused
    Ptr<LosslessNetDevice> m_device;                ///< by which frames arrive
    RingBuffer<Frame> m_waiting;                    ///< in order of arrival
    std::array<uint64_t, NUM_PRIORITIES> m_bytes{}; ///< waiting, by class
    uint64_t m_allBytes{0};                         ///< waiting
    uint64_t m_peakBytes{0};                        ///< see GetPeakBytes()
    uint64_t m_pauses{0};                           ///< see GetPauses()
    PrioritySet m_paused{0};                        ///< classes that are stopped
    bool m_isSlow{false};                           ///< from StartTime to StopTime
    bool m_isHandingOn{false};                      ///< a frame that waited is being handed on
    EventId m_drain;                                ///< pending: Drain()
    EventId m_refresh;                              ///< pending: Refresh()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SLOW_RECEIVER_H */
