// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_STORM_H
#define LOSSLESS_PAUSE_STORM_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lossless
{

class LosslessNetDevice;

/**
 * @ingroup lossless
 * A faulty host that sends PAUSEs for some classes from "StartTime" to "StopTime", regardless of
 * the frames that it receives. SONiC's test plan for the PFC watchdog uses such storms. By
 * default, each PAUSE is sent before the previous one expires. No RESUME is sent at the end, so the
 * pause lasts until the last PAUSE expires. Classes without flow control at the neighbour are not
 * affected.
 *
 * This is an Application, so the node owns it, and "StartTime" and "StopTime" work as usual in
 * ns-3.
 */
class PauseStorm : public Application
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Adds the storm to a host's device and to the device's node.
    void Install(Ptr<LosslessNetDevice> device);

    /// Returns the number of PAUSEs sent so far.
    uint64_t GetSent() const
    {
        return m_sent;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;
    void Send();

    PrioritySet m_classes{0};        ///< the classes to pause
    uint16_t m_quanta{0};            ///< the pause time in each frame, in pause quanta
    Time m_interval;                 ///< the time between frames; 0 to use half the pause time
    Ptr<LosslessNetDevice> m_device; ///< the device that sends the frames
    EventId m_next;                  ///< the pending event that sends the next frame
    uint64_t m_sent{0};              ///< see GetSent()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_STORM_H */
