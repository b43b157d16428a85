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
 * Tells searches for deadlocks about a switch of this rank, of whose gates it hears when they close
 * and open.
 */
class SwitchWatch
{
  public:
    /// Initialises the switch, unless that was done before.
    /// @param view what searches know of the switch @param node the switch
    /// @param request asks for a search
    SwitchWatch(DeadlockSwitch& view, Ptr<SwitchNode> node, std::function<void()> request);
    ~SwitchWatch();
    SwitchWatch(const SwitchWatch&) = delete;
    SwitchWatch& operator=(const SwitchWatch&) = delete;

    /// Looks at the gates to other watched switches, unless it does so already.
    void ConnectGates();

    /// @param settled what was stopped later is in no graph @param facts takes the state of now
    void TakeFacts(Ticks settled, SwitchFacts& facts) const;
    /// Searches know what TakeFacts() says now.
    void NoteLook();

    /// @param stays by Index(QueueId), whether the frames of an egress queue stay
    /// @return the ledger as it will be when all others have left, with ingress queues only
    Ptr<SharedBuffer> MakeRest(const std::vector<bool>& stays) const;
    /// @param rest what is left of the ledger @param queue an ingress queue
    /// @return see FlowControl::StaysStopped()
    bool StaysStopped(const SharedBuffer& rest, QueueId queue) const;

  private:
    /// The gate of a port that leads to a watched switch.
    class GateWatch
    {
      public:
        /// @param owner of this object @param port its port @param gate the port's
        void Connect(SwitchWatch* owner, PortId port, Ptr<TransmitGate> gate);
        /// Hears no more.
        void Disconnect();

        /// @param facts takes what the gate says
        void TakeFacts(PortFacts& facts) const;
        /// See SwitchWatch.
        void NoteLook();

        /// @return whether the port leads to a watched switch
        bool IsConnected() const
        {
            return m_gate != nullptr;
        }

        /// @return whether single frames of open classes may be stopped
        bool IsSelective() const
        {
            return m_gate && m_gate->GetPermit().selective;
        }

        /// @return whether that depends on their flows
        bool StopsFlows() const
        {
            return IsSelective() && m_gate->StopsFlows();
        }

      private:
        /// @param closed classes which were paused
        void NotifyClosed(PrioritySet closed);
        /// @param opened classes which may send again
        void NotifyOpened(PrioritySet opened);
        /// The neighbour has stopped something, perhaps flows of classes that stay open.
        /// @param classes what it has stopped @param length for how long
        void NotifyPaused(PrioritySet classes, Time length);

        SwitchWatch* m_owner{nullptr}; ///< owns this object
        PortId m_port{0};              ///< of the switch
        Ptr<TransmitGate> m_gate;      ///< null: the port does not lead to a watched switch
        PrioritySet m_closed{0};       ///< see PortFacts, as all that follows
        PrioritySet m_fresh{0};
        PrioritySet m_opened{0};
        std::array<Ticks, NUM_PRIORITIES> m_closedSince{};
        std::array<Ticks, NUM_PRIORITIES> m_openedAt{};
    };

    /// @param port a port @param facts takes what its queues hold, and whom the switch has stopped
    void TakeQueues(PortId port, PortFacts& facts) const;
    /// Looks, where a gate stops single flows, which classes those have stopped, and which have
    /// sent since the last search. @param facts takes that, by port, as far as the gates are in it
    void TakeFlows(std::vector<PortFacts>& facts) const;
    /// Looks, where a gate may stop single flows, which frames have waited longest. @param facts
    /// takes that, by port
    void TakeOldest(std::vector<PortFacts>& facts) const;
    /// @param facts takes what there is to know of the processor
    void TakeProcessor(ProcessorFacts& facts) const;
    /// @param facts of the switch, of which queues and processor are known
    /// @return whether a frame that is stored in it may move
    bool MaySend(const SwitchFacts& facts) const;
    /// @param settled see TakeFacts() @param facts of its ports
    /// @return whether a queue may be in the graph that another one feeds
    static bool MayBeFed(Ticks settled, const std::vector<PortFacts>& facts);
    /// @param facts of the switch @return SwitchFacts::pairs
    std::vector<bool> FindPairs(const SwitchFacts& facts) const;
    /// @param limit an instant @return by Index(QueueId), frames that arrived before it and wait
    std::vector<uint32_t> CountOlder(Ticks limit) const;
    /// @return whether single frames of open classes may be stopped at any gate
    bool IsSelective() const;
    /// @return whether that depends on their flows at any gate
    bool StopsFlows() const;

    DeadlockSwitch& m_view;           ///< owns this object
    Ptr<SwitchNode> m_node;           ///< the switch
    std::function<void()> m_request;  ///< asks for a search
    Ptr<SharedBuffer> m_ledger;       ///< as it is; asking the switch would bring it up to date
    Ptr<FlowControl> m_flowControl;   ///< of the switch
    Ptr<PacketProcessor> m_processor; ///< may be null
    std::vector<GateWatch> m_gates;   ///< by port
    Ticks m_lookedAt{0};              ///< when the last search was
    std::vector<uint32_t> m_waiting;  ///< CountOlder() of then; empty: it did not count
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_WATCH_H */
