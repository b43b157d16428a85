// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_GATE_H
#define LOSSLESS_BFC_GATE_H

#include "bfc-header.h"

#include "ns3/pause-gate.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// The upstream side of BFC: a PFC gate that also stops the flows in the neighbour's latest filter.
class BfcGate : public PauseGate
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    BfcGate();

    bool MaySend(const Frame& frame) const override;

  private:
    bool Apply(const Frame& frame) override;
    void DoReset() override;

    BfcHeader m_latest;   ///< the latest header from the neighbour
    bool m_isClear{true}; ///< whether m_latest stops no flow
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_GATE_H */
