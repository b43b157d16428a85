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
/// The receiving half of a RoceNic, which InfiniBand calls the responder. It manages the queue
/// pairs of the flows that the NIC receives, remembers completed flows, and queues answers. It uses
/// the settings of the NIC.
class RoceResponder
{
  public:
    /// The receiving end of a flow.
    struct Receiver
    {
        ReceiveQueuePair queuePair; ///< the receiving end of the queue pair
        Time keptFor;               ///< the time for which the flow is remembered after it has
                                    ///< arrived

        /// Prefetches the objects that each packet needs.
        void Prefetch() const
        {
            queuePair.Prefetch();
        }
    };

    /// Creates the receiving half of a NIC.
    explicit RoceResponder(RoceNic& nic);

    RoceResponder(const RoceResponder&) = delete;
    RoceResponder& operator=(const RoceResponder&) = delete;

    /// Opens the receiving end of a flow. Returns false if the flow's sender already uses the queue
    /// pair number.
    bool TryOpen(const RoceConnection& connection);

    /// Returns whether an answer can be sent.
    bool MayAnswer(const Permit& permit)
    {
        return !m_answers.IsEmpty() && m_answers.Prepare(permit) != 0;
    }

    /// Returns the next answer. Must be called only if MayAnswer() returns true.
    Frame Answer(const Permit& permit)
    {
        return m_answers.Pop(permit);
    }

    /// Handles a data packet.
    /// @param telemetry the telemetry of the packet, or null
    void ReceiveData(const RoceHeader& data, const TelemetryHeader* telemetry);

    /// Prefetches an open end; see QueuePairTable.
    /// @param source the address of the sending NIC
    /// @param number the number of the queue pair
    /// @param step see QueuePairTable
    void Prefetch(uint32_t source, uint32_t number, std::size_t step) const;

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

    /// Returns the number of flows that are remembered in case their last acknowledgement was lost.
    std::size_t GetRememberedFlows() const
    {
        return m_completed.GetSize();
    }

    /// Forgets a completed flow for which no more packets can arrive.
    void Forget(const FlowRecord& record);

    /// Forgets all flows and answers.
    void Clear();

  private:
    /// Handles a data packet for an end that is not open: a packet of a completed flow or a stale
    /// packet.
    /// @param key the key of the receiving end
    /// @param telemetry the telemetry of the packet, or null
    void ReceiveLateData(uint64_t key, const RoceHeader& data, const TelemetryHeader* telemetry);
    void TakeData(ReceiveQueuePair& queuePair,
                  const RoceHeader& data,
                  const TelemetryHeader* telemetry);
    /// Updates the statistics on how far beyond a gap packets arrive.
    void NoteAhead(const ReceiveQueuePair& queuePair, const RoceHeader& data);
    /// Closes the end of a flow that has arrived and remembers the flow.
    void Complete(uint64_t key, Receiver& receiver);
    void Reply(ReceiveQueuePair& queuePair, const RoceHeader& data, ArrivalVerdict::Reply reply);
    void SendAck(ReceiveQueuePair& queuePair);
    /// Sends a congestion notification unless the latest one was sent too recently.
    void SendCnp(ReceiveQueuePair& queuePair);
    void Push(Frame answer);

    RoceNic& m_nic;
    QueuePairTable<Receiver> m_receivers; ///< the flows being received, keyed by sender and queue
                                          ///< pair number
    CompletedFlows m_completed;           ///< the completed flows, keyed by sender and queue pair
                                          ///< number
    ClassQueues m_answers;                ///< ACKs, NAKs and CNPs to be sent
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_RESPONDER_H */
