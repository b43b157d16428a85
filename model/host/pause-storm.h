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
 * receives: the storm of SONiC's test plan of the PFC watchdog. Each PAUSE is sent before the
 * previous one expires. No RESUME ends the storm: the last PAUSE expires. Classes without flow
 * control at the neighbour are unaffected.
 *
 * An Application, so the node owns it and its times work as usual in ns-3.
 */
class PauseStorm : public Application
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Adds the storm to a host's device and its node.
    void Install(Ptr<LosslessNetDevice> device);

    /// PAUSEs sent so far.
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

    PrioritySet m_classes{0};        ///< to be stopped
    uint16_t m_quanta{0};            ///< pause time of each frame
    Time m_interval;                 ///< between frames; 0: half of the pause time
    Ptr<LosslessNetDevice> m_device; ///< that sends them
    EventId m_next;                  ///< pending: next frame
    uint64_t m_sent{0};              ///< see GetSent()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_STORM_H */
