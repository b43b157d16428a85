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

/**
 * @ingroup lossless
 * The receiving half of a RoceNic, which InfiniBand calls the responder: the queue pairs of flows
 * to here, those that have arrived and are remembered, and the answers that wait for the wire. Its
 * settings are those of the NIC.
 */
class RoceResponder
{
  public:
    /// The receiving end of a flow.
    struct Receiver
    {
        ReceiveQueuePair queuePair; ///< the end
        Time keptFor;               ///< the flow is remembered once it has arrived

        /// Brings what it points to, and each packet needs, into the processor's caches.
        void PrefetchParts() const
        {
            queuePair.PrefetchReliability();
        }
    };

    /// @param nic whose half it is
    explicit RoceResponder(RoceNic& nic);

    RoceResponder(const RoceResponder&) = delete;
    RoceResponder& operator=(const RoceResponder&) = delete;

    /// Opens the receiving end of a flow. @param connection what was agreed on
    /// @return whether it could: the number of its queue pair is not in use by its sender
    bool TryOpen(const RoceConnection& connection);

    /// @param permit what may leave @return whether an answer may
    bool MayAnswer(const Permit& permit)
    {
        return !m_answers.IsEmpty() && m_answers.Prepare(permit) != 0;
    }

    /// @param permit what may leave @return the next answer; only when MayAnswer()
    Frame Answer(const Permit& permit)
    {
        return m_answers.Pop(permit);
    }

    /// @param data header of a data packet @param telemetry behind it; null: none
    void ReceiveData(const RoceHeader& data, const TelemetryHeader* telemetry);

    /// See QueuePairTable. @param source address of the sending NIC @param number of the queue
    /// pair, as in a data packet to be received @param step of its prefetching
    void PrefetchFor(uint32_t source, uint32_t number, std::size_t step) const;

    /// @return the queue pairs
    QueuePairTable<Receiver>& GetQueuePairs()
    {
        return m_receivers;
    }

    /// @return the same
    const QueuePairTable<Receiver>& GetQueuePairs() const
    {
        return m_receivers;
    }

    /// @return flows that are remembered, in case their last acknowledgement was lost
    std::size_t GetRememberedFlows() const
    {
        return m_completed.GetSize();
    }

    /// Forgets all flows and answers.
    void Clear();

  private:
    /// Takes a data packet, unless it is stale, of a flow that has arrived. @param key of its
    /// receiving end @param data its header @param telemetry see ReceiveData()
    void ReceiveLateData(uint64_t key, const RoceHeader& data, const TelemetryHeader* telemetry);
    /// @param queuePair takes a data packet and answers @param data its header
    /// @param telemetry see ReceiveData()
    void TakeData(ReceiveQueuePair& queuePair,
                  const RoceHeader& data,
                  const TelemetryHeader* telemetry);
    /// @param queuePair answers @param data header of a data packet which a switch has trimmed
    void TakeTrimmed(ReceiveQueuePair& queuePair, const RoceHeader& data);
    /// Notes how far a packet is beyond a gap. @param queuePair that has received it @param data
    /// its header
    void NoteAhead(const ReceiveQueuePair& queuePair, const RoceHeader& data);
    /// A flow has arrived: closes its end, and remembers it. @param key of the end
    /// @param receiver the end
    void Complete(uint64_t key, Receiver& receiver);
    /// Answers a data packet that was taken. @param queuePair that has taken it @param data its
    /// header @param reply what to answer
    void Reply(ReceiveQueuePair& queuePair, const RoceHeader& data, ArrivalVerdict::Reply reply);
    /// @param queuePair acknowledges what it has received
    void SendAck(ReceiveQueuePair& queuePair);
    /// @param queuePair asks for what is missing
    void SendNak(ReceiveQueuePair& queuePair);
    /// @param queuePair asks for the packet that came trimmed @param at where it was trimmed
    void SendTrimNak(ReceiveQueuePair& queuePair, TrimmedAt at);
    /// @param queuePair notifies its sender of congestion, unless it just did
    void SendCnp(ReceiveQueuePair& queuePair);
    /// @param answer which leaves when it may
    void Push(Frame answer);

    RoceNic& m_nic;                       ///< whose half it is
    QueuePairTable<Receiver> m_receivers; ///< flows to here, by sender and number
    CompletedFlows m_completed;           ///< flows that were received here, likewise
    ClassQueues m_answers;                ///< ACKs, NAKs and CNPs to be sent
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_RESPONDER_H */
