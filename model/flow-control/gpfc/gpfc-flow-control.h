// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPFC_FLOW_CONTROL_H
#define LOSSLESS_GPFC_FLOW_CONTROL_H

#include "ns3/pfc-flow-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * G-PFC, as OFC compares with it (OFC, Sec. IV): classes of little importance are stopped earlier.
 *
 * What counts is the occupancy of all lossless classes of an ingress port together. From "LowXoff"
 * on the classes in "LowClasses" are stopped, above the policy's XOFF all of them; below its XON
 * all go on. OFC describes it in a sentence; level and classes are ours (doc/schemes.rst).
 */
class GpfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void OnArrival(const SwitchItem& item) override;

  private:
    Demand Assess(QueueId queue) const override;

    /// @param port an ingress port @return bytes of its lossless classes
    uint64_t GetOccupancy(PortId port) const;

    PrioritySet m_lowClasses{0}; ///< stopped first
    uint64_t m_lowXoff{0};       ///< above this, bytes
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPFC_FLOW_CONTROL_H */
