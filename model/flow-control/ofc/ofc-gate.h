// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_GATE_H
#define LOSSLESS_OFC_GATE_H

#include "ofc-header.h"

#include "ns3/transmit-gate.h"

#include <array>
#include <cstdint>
#include <unordered_set>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The upstream side of OFC: which flows of each class the neighbour has stopped (congested_flow_tab
 * of OFC, Sec. III), or that it has stopped the class or the port as a whole.
 */
class OfcGate : public TransmitGate
{
  public:
    /// Hashes of flows' keys.
    using Flows = std::unordered_set<uint64_t>;

    /// @return the type
    static TypeId GetTypeId();

    OfcGate();

    bool MaySend(const Frame& frame) const override;

    /// @param priority a class @return whether it is stopped as a whole, or the port is
    bool IsClosed(Priority priority) const
    {
        return !Contains(GetOpen(), priority);
    }

    /// @param priority a class @return the flows of it that are stopped one by one
    const Flows& GetStopped(Priority priority) const
    {
        return m_stopped[Index(priority)];
    }

    /// @param priority a class @return how often flows of it were let go
    uint64_t CountResumes(Priority priority) const
    {
        return m_resumes[Index(priority)];
    }

  private:
    bool Apply(const Frame& frame) override;
    void DoReset() override;
    void DoIgnore(PrioritySet classes) override;

    /// @param body a frame about the port as a whole
    void ApplyToPort(const OfcHeader& body);
    /// @param body a frame about classes or their flows
    void ApplyToClasses(const OfcHeader& body);
    /// @param body a frame about a class @param stopped flows of the class, as they are to change
    static void Note(const OfcHeader& body, Flows& stopped);

    std::array<Flows, NUM_PRIORITIES> m_stopped;      ///< by class
    std::array<uint64_t, NUM_PRIORITIES> m_resumes{}; ///< by class
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_GATE_H */
