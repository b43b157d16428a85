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
 * Collects facts about a switch of this rank for the deadlock search. The object is connected to
 * the traces of the switch's gates.
 */
class SwitchWatch
{
  public:
    /// Creates a watch. Initializes the switch if it has not been initialized.
    /// @param view the state of the switch for searches
    /// @param request a function that requests a search
    SwitchWatch(DeadlockSwitch& view, Ptr<SwitchNode> node, std::function<void()> request);
    ~SwitchWatch();
    SwitchWatch(const SwitchWatch&) = delete;
    SwitchWatch& operator=(const SwitchWatch&) = delete;

    /// Connects to the gates of the ports that lead to other watched switches. Gates that are
    /// already connected are skipped.
    void ConnectGates();

    /// Sets the facts to the current state.
    /// @param settled see DeadlockSwitch::TakeFacts()
    void TakeFacts(Ticks settled, SwitchFacts& facts) const;
    /// Called when a search has used the current facts. Later facts report only changes after this
    /// call.
    void NoteLook();

    /// @param stays for each egress queue, whether its frames stay; indexed by Index(QueueId)
    /// @return the buffer accounting of the ingress queues as it would be after all other frames
    /// have left
    Ptr<SharedBuffer> MakeRest(const std::vector<bool>& stays) const;
    /// Calls FlowControl::StaysStopped().
    /// @param rest the buffer accounting with only the remaining frames
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

        /// @return whether individual frames of open classes can be stopped
        bool IsSelective() const
        {
            return m_gate && m_gate->GetPermit().selective;
        }

        /// @return whether individual flows of open classes can be stopped
        bool StopsFlows() const
        {
            return IsSelective() && m_gate->StopsFlows();
        }

      private:
        void NotifyClosed(PrioritySet closed);
        void NotifyOpened(PrioritySet opened);
        /// Called when the neighbour has paused whole classes, or individual flows of classes that
        /// remain open.
        void NotifyPaused(PrioritySet classes, Time length);

        SwitchWatch* m_owner{nullptr}; ///< the owner of this object
        PortId m_port{0};              ///< the port of the switch
        Ptr<TransmitGate> m_gate;      ///< the gate; null if the port does not lead to a watched
                                       ///< switch
        PrioritySet m_closed{0};       ///< see PortFacts; the same applies to the following members
        PrioritySet m_fresh{0};
        PrioritySet m_opened{0};
        std::array<Ticks, NUM_PRIORITIES> m_closedSince{};
        std::array<Ticks, NUM_PRIORITIES> m_openedAt{};
    };

    /// Determines the facts about the frames in a port's queues and about the queues that the
    /// switch has stopped.
    void TakeQueues(PortId port, PortFacts& facts) const;
    /// For selective gates, determines which classes are blocked and which have sent frames since
    /// the last search.
    /// @param facts the facts about each port, including those about gates
    void TakeFlows(std::vector<PortFacts>& facts) const;
    /// For gates that can stop individual flows, determines the frame of each class that has waited
    /// longest.
    void TakeOldest(std::vector<PortFacts>& facts) const;
    void TakeProcessor(ProcessorFacts& facts) const;
    /// @param facts the facts, including those about queues and the processor
    /// @return whether a frame stored in the switch can move
    bool MaySend(const SwitchFacts& facts) const;
    /// @param settled see TakeFacts()
    /// @return whether a queue of this switch can be in the graph and receive frames from another
    /// member
    static bool MayBeFed(Ticks settled, const std::vector<PortFacts>& facts);
    /// @return the value for SwitchFacts::pairs
    std::vector<bool> FindPairs(const SwitchFacts& facts) const;
    /// @return the number of waiting frames that arrived before `limit`, indexed by Index(QueueId)
    std::vector<uint32_t> CountOlder(Ticks limit) const;
    /// @return whether any gate is selective
    bool IsSelective() const;
    /// @return whether any gate stops flows
    bool StopsFlows() const;

    DeadlockSwitch& m_view;           ///< the owner of this object
    Ptr<SwitchNode> m_node;           ///< the switch
    std::function<void()> m_request;  ///< the function that requests a search
    Ptr<SharedBuffer> m_ledger;       ///< the buffer accounting; read directly, because access
                                      ///< through the switch would update it
    Ptr<FlowControl> m_flowControl;   ///< the flow control of the switch
    Ptr<PacketProcessor> m_processor; ///< the processor; can be null
    std::vector<GateWatch> m_gates;   ///< the gate of each port
    Ticks m_lookedAt{0};              ///< the time of the last search
    std::vector<uint32_t> m_waiting;  ///< the result of CountOlder() at the last search; empty if
                                      ///< no gate was selective
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_WATCH_H */
