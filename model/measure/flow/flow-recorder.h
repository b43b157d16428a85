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

/// @param nic a NIC, or another part of its device
/// @return whether it is of another rank, see Ranks
bool IsOfOtherRank(const Object& nic);

/**
 * @ingroup lossless
 * Collects the flows that NICs have started, received and acknowledged.
 *
 * A NIC is any object with the trace sources "FlowStarted", "FlowReceived", "FlowAcknowledged" and
 * "FlowRetransmitted" of RoceNic. The records of both ends of a flow are joined by its id, which
 * must therefore be unique among all watched NICs.
 */
class FlowRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    FlowRecorder();

    /// Follows no NIC from here on: single flows are not wanted.
    void KeepNone()
    {
        m_keepsNone = true;
    }

    /// Follows a NIC as a sender and as a receiver.
    void Watch(Ptr<Object> nic);
    void WatchNic(const WatchedNic& nic) override;

    /// @return all flows that NICs have reported, by id
    const std::map<uint64_t, FlowRecord>& GetFlows() const
    {
        return m_log->m_flows;
    }

    /// @return number of flows that have arrived in full
    uint64_t CountFinished() const
    {
        return m_log->m_finished;
    }

    /// @return number of data packets sent again
    uint64_t CountRetransmissions() const;

    ResultFacts GetFacts() const override;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Records of the NICs, which keep this alive.
    class Log : public SimpleRefCount<Log>
    {
      public:
        void NotifyStarted(const FlowRecord& record);
        void NotifyReceived(const FlowRecord& record);
        void NotifyAcknowledged(const FlowRecord& record);
        void NotifyRetransmitted(const FlowRecord& record);
        /// Adds a flow of which another rank has one end, or both.
        void Add(const FlowRecord& record);

        std::map<uint64_t, FlowRecord> m_flows; ///< by id
        uint64_t m_finished{0};                 ///< flows that have arrived in full

      private:
        /// @return the joint record of both ends
        FlowRecord& GetJoined(const FlowRecord& record);

        /// Places in m_flows by id: a search there is slow with a million flows.
        std::unordered_map<uint64_t, FlowRecord*> m_places;
    };

    Ptr<Log> m_log;          ///< never null
    bool m_keepsNone{false}; ///< see KeepNone()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORDER_H */
