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
 * A broken host, which sends PAUSEs for classes from "StartTime" to "StopTime", whatever it
 * receives: the storm of SONiC's test plan of the PFC watchdog. Each is sent before the one before
 * it has run out. At the end none resumes: the last one runs out. In classes that are not under
 * flow control at the neighbour it does nothing.
 *
 * An Application, so that the node keeps it and its times mean what they always do in ns-3.
 */
class PauseStorm : public Application
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Puts the storm on a device, and on the node of the device. @param device of a host
    void Install(Ptr<LosslessNetDevice> device);

    /// @return PAUSEs sent so far
    uint64_t GetSent() const
    {
        return m_sent;
    }

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;
    /// Sends a PAUSE, and the next one later.
    void Send();

    PrioritySet m_classes{0};        ///< that are stopped
    uint16_t m_quanta{0};            ///< for how long, by each frame
    Time m_interval;                 ///< between frames; 0: half of that time
    Ptr<LosslessNetDevice> m_device; ///< by which they leave
    EventId m_next;                  ///< the next frame
    uint64_t m_sent{0};              ///< see GetSent()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_STORM_H */
