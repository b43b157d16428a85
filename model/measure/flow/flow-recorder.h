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

/// @param nic a NIC, or anything of its device @return whether it is on another rank, see Ranks
bool IsOfOtherRank(const Object& nic);

/**
 * @ingroup lossless
 * Collects the flows of NICs: started, and received or not.
 *
 * A NIC is any object with the trace sources "FlowStarted", "FlowReceived", "FlowAcknowledged" and
 * "FlowRetransmitted" of RoceNic. Each end of a flow tells what it knows; the records of both are
 * joined by the id of the flow, which must therefore be unique among all NICs watched.
 */
class FlowRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    FlowRecorder();

    /// @param nic a NIC, as a sender and as a receiver
    void Watch(Ptr<Object> nic);
    void WatchNic(const WatchedNic& nic) override;

    /// @return all flows that a NIC has told of, by id
    const std::map<uint64_t, FlowRecord>& GetFlows() const
    {
        return m_log->m_flows;
    }

    /// @return number of flows that have arrived in full
    uint64_t CountFinished() const
    {
        return m_log->m_finished;
    }

    /// @return data packets of all flows that were sent again
    uint64_t CountRetransmissions() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// What the NICs have told; kept alive by them, so that a recorder may go first.
    class Log : public SimpleRefCount<Log>
    {
      public:
        /// @param record a flow that starts
        void NotifyStarted(const FlowRecord& record);
        /// @param record a flow that was received, as its receiver knows it
        void NotifyReceived(const FlowRecord& record);
        /// @param record a flow that was acknowledged to the last byte, as its sender knows it
        void NotifyAcknowledged(const FlowRecord& record);
        /// @param record a flow of which a packet is sent again, as its sender knows it
        void NotifyRetransmitted(const FlowRecord& record);
        /// @param record a flow as another rank knows it, which has one of its ends, or both
        void Add(const FlowRecord& record);

        std::map<uint64_t, FlowRecord> m_flows; ///< by id
        uint64_t m_finished{0};                 ///< of them, arrived in full

      private:
        /// @param record a flow as one end knows it @return what both do
        FlowRecord& GetJoined(const FlowRecord& record);

        /// In m_flows, by id, since a search there is slow among a million flows.
        std::unordered_map<uint64_t, FlowRecord*> m_places;
    };

    Ptr<Log> m_log; ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORDER_H */
