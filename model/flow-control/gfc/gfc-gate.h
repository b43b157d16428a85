// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_GATE_H
#define LOSSLESS_GFC_GATE_H

#include "ns3/event-id.h"
#include "ns3/pause-gate.h"

#include <array>

namespace ns3::lossless
{

/// @ingroup lossless
/// The upstream side of GFC: a PFC gate that adds a gap after each frame of a class, so that the
/// frame takes 2^stage times as long as without the gap.
class GfcGate : public PauseGate
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    GfcGate();

    void NotifySent(const Frame& frame) override;

  protected:
    void DoDispose() override;

  private:
    struct Pace
    {
        uint8_t stage{0}; ///< the number of times that the link rate is halved
        Time sent;        ///< the time at which the transmission of the latest frame began
        Time length;      ///< the transmission time of the latest frame
        EventId end;      ///< the pending event at the end of the gap after the latest frame
    };

    bool Apply(const Frame& frame) override;
    void DoReset() override;

    /// Schedules the end of the gap after the latest frame of a class.
    void Renew(Priority priority);
    void EndGap(Priority priority);

    std::array<Pace, NUM_PRIORITIES> m_paces; ///< the state of each class, indexed by class
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_GATE_H */
