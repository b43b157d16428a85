// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPFC_SWITCH_NODE_H
#define LOSSLESS_CAPFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

#include <string>

namespace ns3::lossless
{

/// @ingroup lossless
/// CaPFC's switch (Sec. IV-A): two memories (CapfcBufferPolicy) and between them a shared processor
/// of 1 Mpps and 25 us latency. An egress queue stops its heaviest contributor (Stop-Max).
class CapfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CapfcSwitchNode();

  protected:
    /// Sets "Contributors" of CapfcFlowControl and "WaitForEgress" of CapfcBufferPolicy.
    CapfcSwitchNode(const std::string& contributors, bool waits);
};

/// CaPFC's switch with Stop-Calibrate: the fewest contributors with most of the frames.
class CapfcCalibrateSwitchNode : public CapfcSwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CapfcCalibrateSwitchNode();
};

/**
 * @ingroup lossless
 * CaPFC in one memory and without a packet processor: PFC over static thresholds
 * (StaticBufferPolicy by default) plus a fixed threshold of egress queues. From 75 kB down to 45 kB
 * (OFC's XOFF and XON) it stops its heaviest contributor. OFC's caPFC is CapfcBothSwitchNode.
 */
class CapfcStaticSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CapfcStaticSwitchNode();
};

/// CaPFC's switch with PFC, in which full egress queues drop frames: PFC_wdrop of the paper.
class PfcWdropSwitchNode : public CapfcSwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PfcWdropSwitchNode();
};

/// CaPFC's switch with PFC, in which full egress queues stop the processor: PFC_wstop.
class PfcWstopSwitchNode : public CapfcSwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PfcWstopSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_SWITCH_NODE_H */
