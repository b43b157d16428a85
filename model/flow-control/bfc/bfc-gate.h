// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_GATE_H
#define LOSSLESS_BFC_GATE_H

#include "bfc-header.h"

#include "ns3/pause-gate.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The upstream side of BFC, of a switch or a host: PFC's, and the flows that the latest filter of
 * the neighbour has are stopped.
 */
class BfcGate : public PauseGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    BfcGate();

    bool MaySend(const Frame& frame) const override;

  private:
    bool Apply(const Frame& frame) override;
    void DoReset() override;

    BfcHeader m_latest;   ///< what the neighbour has told last
    bool m_isClear{true}; ///< which stops nothing
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_GATE_H */
