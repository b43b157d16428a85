// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_GATE_H
#define LOSSLESS_GFC_GATE_H

#include "ns3/event-id.h"
#include "ns3/pause-gate.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The upstream side of GFC: PFC's, and behind each frame of a class a gap which makes it 2^stage
 * times as long.
 */
class GfcGate : public PauseGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    GfcGate();

    void NotifySent(const Frame& frame, Priority priority) override;

  protected:
    void DoDispose() override;

  private:
    /// The pace of a class.
    struct Pace
    {
        uint8_t stage{0}; ///< halvings of the link's rate
        Time sent;        ///< first bit of the latest frame
        Time length;      ///< of that frame on the wire
        EventId end;      ///< of the gap behind it
    };

    bool Apply(const Frame& frame) override;
    void DoReset() override;

    /// Waits for the end of the gap behind the latest frame. @param priority class
    void Renew(Priority priority);
    /// It is over. @param priority class
    void EndGap(Priority priority);

    std::array<Pace, NUM_PRIORITIES> m_paces; ///< by class
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_GATE_H */
