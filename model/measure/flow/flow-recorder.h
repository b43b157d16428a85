// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_RECORDER_H
#define LOSSLESS_FLOW_RECORDER_H

#include "ns3/flow-record.h"
#include "ns3/object.h"
#include "ns3/recorder.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <unordered_map>

namespace ns3::lossless
{

/// @param nic a NIC, or another object aggregated to its device
/// @return whether the NIC belongs to another rank; see Ranks
bool IsOfOtherRank(const Object& nic);

/**
 * @ingroup lossless
 * Records the flows that NICs have started, received and acknowledged.
 *
 * A NIC is any object that has RoceNic's trace sources "FlowStarted", "FlowReceived",
 * "FlowAcknowledged" and "FlowRetransmitted". The records of both ends of a flow are joined by the
 * flow's ID, which must therefore be unique among all watched NICs.
 */
class FlowRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    FlowRecorder();

    /// Makes the recorder ignore NICs that are added after this call. Call this function if records
    /// of individual flows are not needed.
    void KeepNone()
    {
        m_keepsNone = true;
    }

    /// Records the flows that a NIC sends and receives.
    void Watch(Ptr<Object> nic);
    void WatchNic(const WatchedNic& nic) override;

    /// @return all flows that NICs have reported, keyed by ID
    const std::map<uint64_t, FlowRecord>& GetFlows() const
    {
        return m_log->m_flows;
    }

    /// @return the number of flows that have arrived completely
    uint64_t CountFinished() const
    {
        return m_log->m_finished;
    }

    /// @return the number of retransmitted data packets
    uint64_t CountRetransmissions() const;

    ResultFacts GetFacts() const override;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The records of the NICs. The NICs' traces hold references to this object.
    class Log : public SimpleRefCount<Log>
    {
      public:
        void NotifyStarted(const FlowRecord& record);
        void NotifyReceived(const FlowRecord& record);
        void NotifyAcknowledged(const FlowRecord& record);
        void NotifyRetransmitted(const FlowRecord& record);
        /// Adds another rank's record of a flow.
        void Add(const FlowRecord& record);

        std::map<uint64_t, FlowRecord> m_flows; ///< the flows, keyed by ID
        uint64_t m_finished{0};                 ///< the number of completely received flows

      private:
        /// @return the joint record of both ends of a flow
        FlowRecord& GetJoined(const FlowRecord& record);

        /// The elements of m_flows, indexed by ID, because searching m_flows is slow with a million
        /// flows.
        std::unordered_map<uint64_t, FlowRecord*> m_places;
    };

    Ptr<Log> m_log;          ///< the records of the NICs; never null
    bool m_keepsNone{false}; ///< see KeepNone()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORDER_H */
