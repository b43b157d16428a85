// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_GATE_H
#define LOSSLESS_FAFC_GATE_H

#include "ns3/event-id.h"
#include "ns3/pause-gate.h"

#include <array>
#include <optional>

namespace ns3::lossless
{

/// @ingroup lossless
/// The upstream side of FAFC: a PFC gate whose pauses add up and end without a further message
/// (FAFC, Algorithm 3). At a host, each pause can also slow down the flows; see SlowFlowsDown().
class FafcGate : public PauseGate
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Enables the slowdown of flows at each pause.
    /// @param hopDelay T, the duration of a pause that reduces flows to their minimum rate; if 0,
    /// the link's delay is used
    void SlowFlowsDown(Time hopDelay)
    {
        m_hopDelay = hopDelay;
    }

  protected:
    void DoDispose() override;

  private:
    bool Apply(const Frame& frame) override;
    void DoReset() override;

    /// Returns the fraction of the rate that a flow keeps after a pause.
    double GetShare(Time length) const;
    /// Updates the paused classes and schedules the end of the next pause.
    void RenewPauses();

    std::optional<Time> m_hopDelay; ///< T; if 0, the link's delay is used; unset if flows keep
                                    ///< their rates
    std::array<Time, NUM_PRIORITIES> m_end; ///< the time at which the pauses of each class end
    EventId m_next;                         ///< the pending event at the earliest end of a pause
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_GATE_H */
