// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_WATCH_H
#define LOSSLESS_SWITCH_WATCH_H

#include "deadlock-facts.h"

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-node.h"
#include "ns3/transmit-gate.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::lossless
{

class DeadlockSwitch;

/**
 * @ingroup lossless
 * Collects facts about a switch of this rank for searches for deadlocks. It listens to the gates of
 * the switch, which close and open.
 */
class SwitchWatch
{
  public:
    /// Initialises the switch if it is not yet initialised.
    /// @param view what searches know of the switch
    /// @param request called to ask for a search
    SwitchWatch(DeadlockSwitch& view, Ptr<SwitchNode> node, std::function<void()> request);
    ~SwitchWatch();
    SwitchWatch(const SwitchWatch&) = delete;
    SwitchWatch& operator=(const SwitchWatch&) = delete;

    /// Connects to the gates that lead to other watched switches, if it has not yet done so.
    void ConnectGates();

    /// Sets the facts to the present state. @param settled what was stopped later is in no graph
    void TakeFacts(Ticks settled, SwitchFacts& facts) const;
    /// A search has seen the present facts: those of changes count from now on.
    void NoteLook();

    /// @param stays by Index(QueueId), whether the frames of an egress queue stay
    /// @return the ledger as it will be when all others have left, with ingress queues only
    Ptr<SharedBuffer> MakeRest(const std::vector<bool>& stays) const;
    /// See FlowControl::StaysStopped(). @param rest what is left of the ledger
    bool StaysStopped(const SharedBuffer& rest, QueueId queue) const;

  private:
    /// The gate of a port that leads to a watched switch.
    class GateWatch
    {
      public:
        void Connect(SwitchWatch* owner, PortId port, Ptr<TransmitGate> gate);
        void Disconnect();

        void TakeFacts(PortFacts& facts) const;
        void NoteLook();

        bool IsConnected() const
        {
            return m_gate != nullptr;
        }

        /// @return whether single frames of open classes may be stopped
        bool IsSelective() const
        {
            return m_gate && m_gate->GetPermit().selective;
        }

        /// @return whether IsSelective(), by the flows of the frames
        bool StopsFlows() const
        {
            return IsSelective() && m_gate->StopsFlows();
        }

      private:
        void NotifyClosed(PrioritySet closed);
        void NotifyOpened(PrioritySet opened);
        /// The neighbour has stopped something, perhaps only flows of classes that stay open.
        void NotifyPaused(PrioritySet classes, Time length);

        SwitchWatch* m_owner{nullptr}; ///< owns this object
        PortId m_port{0};              ///< of the switch
        Ptr<TransmitGate> m_gate;      ///< null: the port does not lead to a watched switch
        PrioritySet m_closed{0};       ///< this and the following as in PortFacts
        PrioritySet m_fresh{0};
        PrioritySet m_opened{0};
        std::array<Ticks, NUM_PRIORITIES> m_closedSince{};
        std::array<Ticks, NUM_PRIORITIES> m_openedAt{};
    };

    /// Sets what the queues of a port hold, and what the switch has stopped.
    void TakeQueues(PortId port, PortFacts& facts) const;
    /// Where a gate stops single flows, sets which classes these block, and which have sent since
    /// the last search. @param facts by port, with those of the gates
    void TakeFlows(std::vector<PortFacts>& facts) const;
    /// Where a gate may stop single flows, sets which frames have waited longest.
    void TakeOldest(std::vector<PortFacts>& facts) const;
    void TakeProcessor(ProcessorFacts& facts) const;
    /// @param facts with those of queues and processor
    /// @return whether a frame that is stored in the switch may move
    bool MaySend(const SwitchFacts& facts) const;
    /// @param settled see TakeFacts()
    /// @return whether the graph may have a queue that is fed by another one
    static bool MayBeFed(Ticks settled, const std::vector<PortFacts>& facts);
    /// @return SwitchFacts::pairs
    std::vector<bool> FindPairs(const SwitchFacts& facts) const;
    /// @return by Index(QueueId), waiting frames that arrived before `limit`
    std::vector<uint32_t> CountOlder(Ticks limit) const;
    /// @return whether any gate is selective
    bool IsSelective() const;
    /// @return whether any gate stops flows
    bool StopsFlows() const;

    DeadlockSwitch& m_view;           ///< owns this object
    Ptr<SwitchNode> m_node;           ///< the switch
    std::function<void()> m_request;  ///< called to ask for a search
    Ptr<SharedBuffer> m_ledger;       ///< read as it is; the switch would bring it up to date
    Ptr<FlowControl> m_flowControl;   ///< of the switch
    Ptr<PacketProcessor> m_processor; ///< may be null
    std::vector<GateWatch> m_gates;   ///< by port
    Ticks m_lookedAt{0};              ///< time of the last search
    std::vector<uint32_t> m_waiting;  ///< CountOlder() at that time; empty: not counted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_WATCH_H */
