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

/// @ingroup lossless
/// The upstream side of OFC. It stores which flows of each class the neighbour has stopped
/// (congested_flow_tab of OFC, Sec. III) and whether all flows of a class or of the port are
/// stopped.
class OfcGate : public TransmitGate
{
  public:
    /// The hashes of flow keys.
    using Flows = std::unordered_set<uint64_t>;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    OfcGate();

    bool MaySend(const Frame& frame) const override;

    /// Returns whether a class or the whole port is stopped.
    bool IsClosed(Priority priority) const
    {
        return !Contains(GetOpen(), priority);
    }

    /// Returns the individually stopped flows of a class.
    const Flows& GetStopped(Priority priority) const
    {
        return m_stopped[Index(priority)];
    }

    /// Returns the number of times that flows of a class have been resumed.
    uint64_t CountResumes(Priority priority) const
    {
        return m_resumes[Index(priority)];
    }

  private:
    bool Apply(const Frame& frame) override;
    void DoReset() override;
    void DoIgnore(PrioritySet classes) override;

    void ApplyToPort(const OfcHeader& body);
    void ApplyToClasses(const OfcHeader& body);
    static void Note(const OfcHeader& body, Flows& stopped);

    std::array<Flows, NUM_PRIORITIES> m_stopped;      ///< the stopped flows, indexed by class
    std::array<uint64_t, NUM_PRIORITIES> m_resumes{}; ///< the number of resumes, indexed by class
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_GATE_H */
