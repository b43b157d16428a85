// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_RECORDER_H
#define LOSSLESS_FLOW_RECORDER_H

#include "ns3/object.h"
#include "ns3/queue-pair.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Collects the flows of NICs: started, and received or not.
 *
 * A NIC is any object with the trace sources "FlowStarted", "FlowReceived" and "FlowAcknowledged"
 * of RoceNic. A flow is found by its id, which must therefore be unique among all NICs watched.
 */
class FlowRecorder
{
  public:
    FlowRecorder();

    /// @param nic a NIC, as a sender and as a receiver
    void Watch(Ptr<Object> nic);

    /// @return all flows that were started, by id
    const std::map<uint64_t, FlowRecord>& GetFlows() const;

    /// @param record a flow @return whether its last byte has arrived
    static bool IsFinished(const FlowRecord& record);

  private:
    /// What the NICs have told; kept alive by them, so that a recorder may go first.
    class Log : public SimpleRefCount<Log>
    {
      public:
        /// @param record a flow that starts
        void NotifyStarted(const FlowRecord& record);
        /// @param record a flow that was received, or acknowledged to the last byte
        void NotifyProgress(const FlowRecord& record);

        std::map<uint64_t, FlowRecord> m_flows; ///< by id
    };

    Ptr<Log> m_log; ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORDER_H */
