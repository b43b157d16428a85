// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_RESPONDER_H
#define LOSSLESS_ROCE_RESPONDER_H

#include "completed-flows.h"
#include "queue-pair-table.h"
#include "queue-pair.h"

#include "ns3/class-queues.h"
#include "ns3/frame-endpoint.h"
#include "ns3/nstime.h"

namespace ns3::lossless
{

class RoceNic;

/// @ingroup lossless
/// The receiving half of a RoceNic, InfiniBand's responder: the queue pairs of flows to here,
/// remembered completed flows, and answers that wait. It uses the NIC's settings.
class RoceResponder
{
  public:
    /// The receiving end of a flow.
    struct Receiver
    {
        ReceiveQueuePair queuePair; ///< the end
        Time keptFor;               ///< how long the flow is remembered once it has arrived

        /// Prefetches what the receiver points to and each packet needs.
        void PrefetchParts() const
        {
            queuePair.PrefetchReliability();
        }
    };

    /// Makes the half of a NIC.
    explicit RoceResponder(RoceNic& nic);

    RoceResponder(const RoceResponder&) = delete;
    RoceResponder& operator=(const RoceResponder&) = delete;

    /// Opens the receiving end of a flow; returns false if its sender uses the number already.
    bool TryOpen(const RoceConnection& connection);

    /// Whether an answer may leave.
    bool MayAnswer(const Permit& permit)
    {
        return !m_answers.IsEmpty() && m_answers.Prepare(permit) != 0;
    }

    /// Returns the next answer; only if MayAnswer().
    Frame Answer(const Permit& permit)
    {
        return m_answers.Pop(permit);
    }

    /// Handles a data packet.
    /// @param telemetry of the packet; null: none
    void ReceiveData(const RoceHeader& data, const TelemetryHeader* telemetry);

    /// See QueuePairTable.
    /// @param source address of the sending NIC
    /// @param number of the queue pair
    void PrefetchFor(uint32_t source, uint32_t number, std::size_t step) const;

    /// Returns the queue pairs.
    QueuePairTable<Receiver>& GetQueuePairs()
    {
        return m_receivers;
    }

    /// Returns the queue pairs.
    const QueuePairTable<Receiver>& GetQueuePairs() const
    {
        return m_receivers;
    }

    /// Flows that are remembered, in case their last acknowledgement was lost.
    std::size_t GetRememberedFlows() const
    {
        return m_completed.GetSize();
    }

    /// Forgets a completed flow of which no packet can still arrive.
    void Forget(const FlowRecord& record);

    /// Forgets all flows and answers.
    void Clear();

  private:
    /// Handles a data packet of a completed flow, unless it is stale.
    /// @param key of its receiving end
    void ReceiveLateData(uint64_t key, const RoceHeader& data, const TelemetryHeader* telemetry);
    void TakeData(ReceiveQueuePair& queuePair,
                  const RoceHeader& data,
                  const TelemetryHeader* telemetry);
    void TakeTrimmed(ReceiveQueuePair& queuePair, const RoceHeader& data);
    /// Notes how far a packet is beyond a gap.
    void NoteAhead(const ReceiveQueuePair& queuePair, const RoceHeader& data);
    /// Closes the end of a flow that has arrived, and remembers the flow.
    void Complete(uint64_t key, Receiver& receiver);
    void Reply(ReceiveQueuePair& queuePair, const RoceHeader& data, ArrivalVerdict::Reply reply);
    void SendAck(ReceiveQueuePair& queuePair);
    void SendNak(ReceiveQueuePair& queuePair);
    void SendTrimNak(ReceiveQueuePair& queuePair, TrimmedAt at);
    /// Notifies the sender of congestion, unless it has just done so.
    void SendCnp(ReceiveQueuePair& queuePair);
    void Push(Frame answer);

    RoceNic& m_nic;
    QueuePairTable<Receiver> m_receivers; ///< flows to here, by sender and number
    CompletedFlows m_completed;           ///< completed flows, by the same key
    ClassQueues m_answers;                ///< ACKs, NAKs and CNPs to be sent
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_RESPONDER_H */
