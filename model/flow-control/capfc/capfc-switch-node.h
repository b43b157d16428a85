// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPFC_SWITCH_NODE_H
#define LOSSLESS_CAPFC_SWITCH_NODE_H

#include "ns3/switch-node.h"

#include <string>

namespace ns3::lossless
{

/// @ingroup lossless
/// The CaPFC switch (CaPFC, Sec. IV-A). It has two memories (CapfcBufferPolicy) and, between them,
/// a shared packet processor with a rate of 1 Mpps and a latency of 25 us. An egress queue stops
/// its heaviest contributor (Stop-Max).
class CapfcSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CapfcSwitchNode();

  protected:
    /// Sets "Contributors" of CapfcFlowControl and "WaitForEgress" of CapfcBufferPolicy.
    CapfcSwitchNode(const std::string& contributors, bool waits);
};

/// The CaPFC switch with Stop-Calibrate: an egress queue stops the smallest set of contributors
/// that together account for the share "Cut" of its counted frames.
class CapfcCalibrateSwitchNode : public CapfcSwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CapfcCalibrateSwitchNode();
};

/**
 * @ingroup lossless
 * CaPFC with a single memory and without a packet processor: PFC with static thresholds
 * (StaticBufferPolicy by default) and a fixed threshold for egress queues. An egress queue stops
 * its heaviest contributor at 75 kB and releases it at 45 kB (XOFF and XON in the OFC paper). For
 * caPFC as defined in the OFC paper, see CapfcBothSwitchNode.
 */
class CapfcStaticSwitchNode : public SwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CapfcStaticSwitchNode();
};

/// The CaPFC switch with PFC, in which full egress queues drop frames (PFC_wdrop in the paper).
class PfcWdropSwitchNode : public CapfcSwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PfcWdropSwitchNode();
};

/// The CaPFC switch with PFC, in which full egress queues stop the packet processor (PFC_wstop in
/// the paper).
class PfcWstopSwitchNode : public CapfcSwitchNode
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PfcWstopSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_SWITCH_NODE_H */
