// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_GATE_H
#define LOSSLESS_FAFC_GATE_H

#include "ns3/event-id.h"
#include "ns3/pause-gate.h"

#include <array>
#include <optional>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The upstream side of FAFC: PFC's, and pauses that add up and end by themselves (FAFC, Algorithm
 * 3). Flows of a host are slowed down with each of them.
 */
class FafcGate : public PauseGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// From now on, each pause slows flows down. @param hopDelay T of the scheme: a pause of it
    /// slows them down to their least rate; 0: T is the delay of the link
    void SlowFlowsDown(Time hopDelay);

  protected:
    void DoDispose() override;

  private:
    bool Apply(const Frame& frame) override;
    void DoReset() override;

    /// @param length of a pause @return share of its rate that a flow is to keep
    double GetShare(Time length) const;
    /// Brings what is held up to date and waits for the next pause to end.
    void RenewPauses();

    std::optional<Time> m_hopDelay; ///< T, 0: that of the link; none: flows keep their rates
    std::array<Time, NUM_PRIORITIES> m_end; ///< of the pauses of each class
    EventId m_next;                         ///< the next of these ends
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_GATE_H */
