// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPFC_FLOW_CONTROL_H
#define LOSSLESS_GPFC_FLOW_CONTROL_H

#include "ns3/pfc-flow-control.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * G-PFC, a baseline in the OFC paper (Sec. IV). It stops less important classes before the others.
 *
 * The occupancy of an ingress port is the total for all of its lossless classes. The classes in
 * "LowClasses" are stopped at an occupancy above "LowXoff", and all classes are stopped above the
 * XOFF of the policy. A class resumes below the policy's XON or, if it is in "LowClasses" and
 * "LowXoff" is lower, below "LowXoff". If the policy has thresholds for ports (DSH), these
 * thresholds stop the port, as in PFC. The OFC paper describes G-PFC in only one sentence; the
 * threshold and the classes are choices of this model (doc/schemes.rst).
 */
class GpfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;

  private:
    Demand Assess(QueueId queue) const override;

    /// Calls a function for each lossless queue of an ingress port.
    /// @tparam FUNCTION a callable that takes a QueueId
    template <typename FUNCTION>
    void ForEachQueue(PortId port, FUNCTION&& function) const;

    uint64_t GetOccupancy(PortId port) const;

    PrioritySet m_lowClasses{0}; ///< the classes that are stopped first
    uint64_t m_lowXoff{0};       ///< the occupancy, in bytes, above which "LowClasses" are stopped
};

/// @ingroup lossless
/// A G-PFC switch, which combines GpfcFlowControl with static thresholds.
class GpfcSwitchNode : public SwitchOf<StaticBufferPolicy, GpfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPFC_FLOW_CONTROL_H */
