// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_PROPAGATION_H
#define LOSSLESS_PAUSE_PROPAGATION_H

#include "ns3/flow-record.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ranks.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// The pauses of one depth; see PausePropagation.
struct PauseDepthRecord
{
    uint32_t depth{0};  ///< the number of hops from the congestion, at least 1
    uint64_t pauses{0}; ///< the number of pauses
    uint64_t queues{0}; ///< the number of ingress queues and whole ports with a pause of this depth
    uint64_t hosts{0};  ///< the number of hosts' NICs stopped by a pause of this depth
};

/// A flow that is paused because of congestion outside its path; see PausePropagation.
struct VictimRecord
{
    uint64_t flow{0};   ///< the ID of the flow
    uint64_t pauses{0}; ///< the number of pauses that stopped the flow although the flow was not
                        ///< part of their cause
    Time first;         ///< the start of the first such pause or of the flow, whichever is later
    std::string node;   ///< the switch that requested the first pause
    PortId port{0};     ///< the ingress port at which `node` paused its neighbour
    std::string root;   ///< the switch with the egress queue that caused the first pause, or with
                        ///< one of several such queues
    PortId rootPort{0}; ///< the egress port of this queue in `root`
};

/**
 * @ingroup lossless
 * Determines how far pauses spread from the congestion that causes them, and which flows they
 * affect.
 *
 * An ingress queue can stop its neighbour. In DSH, a whole port can also stop its neighbour. Other
 * schemes can stop an individual flow of the queue or stop the class for limited periods, which add
 * up. For each pause, the egress queues that store frames of the ingress queue are examined. The
 * *holders* are the queues that store at least half as many bytes of these frames as the queue that
 * stores the most. Other queues are not considered to be causes.
 *
 * - A holder that can send is a **congestion root**. It is backlogged because frames arrive faster
 *   than its link can send them.
 * - A holder that is itself paused passes on the pause of the next switch.
 *
 * The *depth* of a pause is 1 if all holders are roots. Otherwise, it is one more than the largest
 * depth of the pauses that stop its holders. The depth thus counts the links over which a pause has
 * spread upstream from a root. In a cycle of pauses, it keeps increasing. The *roots* of a pause
 * are the holders that are congestion roots and the roots of the pauses that stop the other
 * holders.
 *
 * A flow is a **victim** of a pause if all of the following conditions are true:
 * - Either the flow's path enters the switch through the ingress queue, so that the pause stops the
 *   flow's class, or the pause stops this flow individually.
 * - The flow was active at the place where the pause stops it. This means that, judging by the
 *   cable delays, its first frame had arrived there before the pause ended and its last frame had
 *   not passed when the pause began.
 * - The pause stopped the flow's NIC, or it stopped an egress queue in which frames of the flow's
 *   class were waiting when the pause ended (not counting a frame on the wire).
 * - The pause has roots, and no egress queue on the flow's path is one of them. (A pause can lack
 *   roots only if the scheme stops a neighbour without storing a frame from it.)
 *
 * Waiting frames are not examined individually. A flow that sends nothing during a pause counts as
 * stopped by it.
 *
 * As in PauseRecorder, all times are those observed at the switch that pauses its neighbour. The
 * paused switch is notified one cable delay later. When it is notified of the end of a pause, the
 * recorder also determines whether frames have been waiting for this end. Messages still in flight
 * at the end of a run do not count. Processing takes place only when a pause begins or ends, and on
 * request. Which flows were active is known only at the end of the run. Therefore, the start and
 * end times of each pause for which frames waited are stored. They take 16 bytes per pause, or up
 * to 32 bytes with the spare capacity of a std::vector.
 *
 * With several ranks (see Ranks), a switch of another rank is notified by a message after the same
 * delay. Results are complete after RankedRecord::GatherAll().
 */
class PausePropagation : public Recorder, private MailReceiver
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PausePropagation();
    ~PausePropagation() override;
    PausePropagation(const PausePropagation&) = delete;
    PausePropagation& operator=(const PausePropagation&) = delete;

    /// @param node a switch with its final flow control
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @param device the device through which frames of the NIC leave the host
    void AddNic(Ipv4Address address, Ptr<LosslessNetDevice> device);
    void WatchNic(const WatchedNic& nic) override;

    /// @return one record for each depth that occurred, in order of depth
    std::vector<PauseDepthRecord> GetDepths() const;

    /// @return the contents of pause-depths.csv
    ResultTable GetDepthTable() const;

    /// @return the number of hosts' NICs that have been stopped at least once
    uint64_t CountStoppedHosts() const;

    /// Finds the victims among the given flows. The switches determine the paths of the flows.
    /// @param flows the flows, keyed by ID; flows of NICs that have not been added are skipped
    /// @return one record for each victim, in order of IDs
    std::vector<VictimRecord> GetVictims(const std::map<uint64_t, FlowRecord>& flows) const;

    /// @return the contents of victims.csv
    static ResultTable GetVictimTable(const std::vector<VictimRecord>& victims);

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    struct Message;
    class MessageEvent;
    class SwitchView;
    struct Pause;
    struct Slot;

    /// An egress queue of a watched switch.
    struct Place
    {
        std::size_t view;  ///< the index of the switch
        PortId port;       ///< the egress port
        Priority priority; ///< the class

        bool operator<(const Place& other) const
        {
            return std::tie(view, port, priority) <
                   std::tie(other.view, other.port, other.priority);
        }

        auto Tie()
        {
            return std::tie(view, port, priority);
        }
    };

    using Places = std::set<Place>;

    /// Orders sets of roots by their elements.
    struct ByPlaces
    {
        bool operator()(const Places* a, const Places* b) const
        {
            return *a < *b;
        }
    };

    /// The cause of an ingress queue's pause.
    struct Cause
    {
        uint32_t depth{0};
        Places roots;
    };

    /// The pauses of one depth. A pair consists of the index of a switch and the index of a port or
    /// slot.
    struct Depth
    {
        uint64_t pauses{0};                                    ///< the number of pauses
        std::set<std::pair<std::size_t, std::size_t>> slots;   ///< the slots that were paused
        std::set<std::pair<std::size_t, std::size_t>> stopped; ///< the ports that lead to stopped
                                                               ///< hosts

        auto Tie()
        {
            return std::tie(pauses, slots, stopped);
        }
    };

    /// A switch on the path of a flow.
    struct Hop
    {
        const SwitchView* view{nullptr}; ///< the switch
        PortId ingress{0};               ///< the port of arrival
        PortId egress{0};                ///< the port of departure
        Ticks lag{0}; ///< the time to add to the flow's start and end at its source in order to
                      ///< compare them with pauses that stop it at this hop
    };

    /// The path of a flow.
    struct Path
    {
        std::vector<Hop> hops; ///< the watched switches, in order
        Ticks delay{0};        ///< the total delay of all cables
    };

    /// The target of a pause.
    struct Target
    {
        PortId port{0};                 ///< the ingress port
        std::size_t column{0};          ///< the class, or NUM_PRIORITIES for the whole port
        std::optional<uint64_t> flow{}; ///< the flow, if only this flow is stopped

        /// @return the target's number within the switch, which is the same for all flows of a
        /// class
        std::size_t GetNumber() const;
    };

    /// Records the start of a pause.
    void Begin(SwitchView& view, const Target& target);
    /// Records the end of a pause.
    void End(SwitchView& view, const Target& target);

    /// @param view the view of the switch that pauses its neighbour
    Cause FindCause(const SwitchView& view, const Target& target) const;
    /// Notifies the switch at the other end of the cable, one cable delay later, that a pause has
    /// begun or ended.
    /// @param view the view of the switch that pauses its neighbour
    void Tell(SwitchView& view, const Target& target, const Pause& pause);
    /// Sends a message to a switch on another rank.
    void Post(const Message& message);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// Sends a message to a switch on this rank.
    void Schedule(const Message& message);
    /// Processes a message that arrives at its switch.
    void Hear(const Message& message);
    /// @return the same target, but with the port at the other end of the cable
    static Target GetOtherSide(const SwitchView& view, const Target& target);
    /// @param queue an egress queue
    /// @return the pause that stops the queue, or null if the queue can send
    static const Pause* FindHolding(const SwitchView& view, QueueId queue);
    /// @return the device at the other end of the cable
    static Ptr<LosslessNetDevice> GetPeer(const SwitchView& view, PortId port);
    /// @return the switch of a device; null if it is not watched
    SwitchView* FindView(Ptr<LosslessNetDevice> device) const;
    /// @param view the view of the switch that pauses its neighbour
    /// @return whether frames at the other end of the cable are waiting for the pause to end
    bool IsAnyoneWaiting(const SwitchView& view, const Target& target) const;
    /// @return the element of m_rootSets with these roots; the set is added if it is new
    const Places* Keep(const Places& roots);
    /// Prepares switches of other ranks for calls to FindPath().
    void PrepareForeign() const;

    Path FindPath(const FlowRecord& flow) const;
    /// Counts the pauses of a target that make a flow a victim.
    /// @param hop the hop at which the flow passes the target
    /// @param path the egress queues on the flow's path
    /// @param begin the start of the flow's time at the hop; see Hop::lag
    /// @param end the end of the flow's time at the hop
    /// @param victim the record to update
    void Judge(const Hop& hop,
               const Target& target,
               const Places& path,
               Ticks begin,
               Ticks end,
               VictimRecord& victim) const;

    std::vector<std::unique_ptr<SwitchView>> m_views; ///< the switches passed to WatchSwitch()
    std::map<const Node*, SwitchView*> m_viewOfNode;  ///< the switches in m_views, keyed by node
    std::map<Ipv4Address, Ptr<LosslessNetDevice>> m_nics; ///< the NICs passed to AddNic()
    std::map<uint32_t, Depth> m_depths;                   ///< the pauses of each depth
    std::set<Places> m_rootSets;                          ///< the root sets that occurred
    std::shared_ptr<bool> m_isAlive;                      ///< shared with pending events; false if
                                                          ///< this object no longer exists
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_PROPAGATION_H */
