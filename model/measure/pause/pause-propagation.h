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

/// The pauses of one depth, see PausePropagation.
struct PauseDepthRecord
{
    uint32_t depth{0};  ///< hops from the congestion, at least 1
    uint64_t pauses{0}; ///< number of pauses
    uint64_t queues{0}; ///< ingress queues, and ports as a whole, that had one
    uint64_t hosts{0};  ///< NICs of hosts stopped by one
};

/// A flow that suffers from congestion elsewhere, see PausePropagation.
struct VictimRecord
{
    uint64_t flow{0};   ///< id
    uint64_t pauses{0}; ///< pauses that stopped it without its being part of their cause
    Time first;         ///< start of the first one, or of the flow if that is later
    std::string node;   ///< switch that asked for that pause
    PortId port{0};     ///< ingress port there
    std::string root;   ///< switch whose egress queue was the cause, or one of the causes
    PortId rootPort{0}; ///< egress port of that queue
};

/**
 * @ingroup lossless
 * How far pauses spread from the congestion that causes them, and whom they hit.
 *
 * When an ingress queue (with DSH also a port as a whole, with other schemes a single flow of the
 * queue, or the class for times that add up) stops its neighbour, the egress queues of the switch
 * that hold its frames are examined. Those with at least half as many of its bytes as the one with
 * most are the *holders*; queues below that are not considered causes.
 *
 * - A holder that may send is a **congestion root**: it is backlogged because more comes than its
 *   link takes.
 * - A holder that is paused itself passes on the pause of the next switch.
 *
 * The *depth* of a pause is 1 if all holders are roots, else 1 more than the largest depth of the
 * pauses of its holders: it counts the links from the root upstream, and keeps increasing in a
 * cycle of pauses. The *roots* of a pause are its holders that are roots, and the roots of the
 * pauses of the others.
 *
 * A flow is a **victim** of a pause if
 * - its path enters the switch by that ingress queue, so that the pause stops its class, or the
 *   pause stops that flow,
 * - it was on its way to where the pause stops it: by the delays of cables, its first frame had
 *   arrived there before the pause ended, and its last one had not passed when it began,
 * - the pause stopped its NIC, or an egress queue in which frames of its class wait when the pause
 *   ends (more than the one that may be on the wire), and
 * - the pause has roots, and no egress queue of its path is one of them. (Only a scheme that stops
 *   a neighbour without storing a frame of it has pauses without roots.)
 *
 * Waiting frames are not examined one by one: a flow that sends nothing during a pause counts as
 * stopped by it.
 *
 * Times are those of the switch that pauses, as in PauseRecorder. A switch learns of a pause of the
 * next one, and whether frames wait for its end is examined, one cable delay later; what has not
 * arrived at the end of a run does not count. Work is done only when a pause begins or ends, and on
 * request. Which flows were under way is known only at the end, so the times of each pause for
 * which frames waited are kept: 16 B, up to 32 B with the growth of a std::vector.
 *
 * With several ranks (see Ranks) a switch of another rank learns of a pause by mail, after the same
 * delay. Results are complete after RankedRecord::GatherAll().
 */
class PausePropagation : public Recorder, private MailReceiver
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PausePropagation();
    ~PausePropagation() override;
    PausePropagation(const PausePropagation&) = delete;
    PausePropagation& operator=(const PausePropagation&) = delete;

    /// @param node with its final flow control
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @param device where frames of the NIC leave the host
    void AddNic(Ipv4Address address, Ptr<LosslessNetDevice> device);
    void WatchNic(const WatchedNic& nic) override;

    /// @return a record per depth that occurred, by depth
    std::vector<PauseDepthRecord> GetDepths() const;

    /// @return GetDepths() as pause-depths.csv shows it
    ResultTable GetDepthTable() const;

    /// @return NICs of hosts that were ever stopped
    uint64_t CountStoppedHosts() const;

    /// Finds the victims among flows, for which it asks the switches for paths.
    /// @param flows by id; those of NICs that were not added are skipped
    /// @return a record per victim, by id
    std::vector<VictimRecord> GetVictims(const std::map<uint64_t, FlowRecord>& flows) const;

    /// @return victims as victims.csv shows them
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
        std::size_t view;  ///< index of the switch
        PortId port;       ///< egress port
        Priority priority; ///< class

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

    /// Orders sets of roots by what they hold.
    struct ByPlaces
    {
        bool operator()(const Places* a, const Places* b) const
        {
            return *a < *b;
        }
    };

    /// Why an ingress queue pauses.
    struct Cause
    {
        uint32_t depth{0};
        Places roots;
    };

    /// Pauses of a depth. Pairs have the number of a switch, and of one of its ports or slots.
    struct Depth
    {
        uint64_t pauses{0};                                    ///< number of pauses
        std::set<std::pair<std::size_t, std::size_t>> slots;   ///< that had one
        std::set<std::pair<std::size_t, std::size_t>> stopped; ///< ports to hosts

        auto Tie()
        {
            return std::tie(pauses, slots, stopped);
        }
    };

    /// A switch on the path of a flow.
    struct Hop
    {
        const SwitchView* view{nullptr}; ///< the switch
        PortId ingress{0};               ///< port of arrival
        PortId egress{0};                ///< port of departure
        Ticks lag{0}; ///< delay of the flow behind pauses, at the place where these stop it
    };

    /// The path of a flow.
    struct Path
    {
        std::vector<Hop> hops; ///< the watched switches, in order
        Ticks delay{0};        ///< of all cables
    };

    /// What a pause stops.
    struct Target
    {
        PortId port{0};                 ///< ingress port
        std::size_t column{0};          ///< class, or NUM_PRIORITIES for the port as a whole
        std::optional<uint64_t> flow{}; ///< of the class, only the flow with this hash

        /// @return number of the target in the switch; all flows of a class have the same
        std::size_t GetNumber() const;
    };

    /// A pause begins.
    void Begin(SwitchView& view, const Target& target);
    /// A pause ends.
    void End(SwitchView& view, const Target& target);

    /// @param view of a switch that pauses
    Cause FindCause(const SwitchView& view, const Target& target) const;
    /// Informs the switch at the other end of the cable, one cable delay later.
    /// @param view of the switch that pauses
    void Tell(SwitchView& view, const Target& target, const Pause& pause);
    /// Sends a message to a switch of another rank.
    void Post(const Message& message);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// Sends a message to a switch of this rank.
    void Schedule(const Message& message);
    /// A message arrives at its switch.
    void Hear(const Message& message);
    /// @return the target by the port at the other end of the cable
    static Target GetOtherSide(const SwitchView& view, const Target& target);
    /// @param queue an egress queue @return the pause that keeps it from sending; null: it may send
    static const Pause* FindHolding(const SwitchView& view, QueueId queue);
    /// @return the device at the other end of the cable
    static Ptr<LosslessNetDevice> GetPeer(const SwitchView& view, PortId port);
    /// @return the switch of a device; null if it is not watched
    SwitchView* FindView(Ptr<LosslessNetDevice> device) const;
    /// @param view of a switch that pauses
    /// @return whether frames at the other end of the cable wait for the pause to end
    bool IsAnyoneWaiting(const SwitchView& view, const Target& target) const;
    /// @return the set in m_rootSets
    const Places* Keep(const Places& roots);
    /// Makes switches of other ranks ready to be asked for routes.
    void PrepareForeign() const;

    Path FindPath(const FlowRecord& flow) const;
    /// Counts the pauses of a target that a flow is a victim of.
    /// @param hop where the flow passes the target
    /// @param path egress queues of the flow
    /// @param begin of the flow's time at the hop, see Hop::lag
    /// @param end of that time
    /// @param victim gets the numbers
    void Judge(const Hop& hop,
               const Target& target,
               const Places& path,
               Ticks begin,
               Ticks end,
               VictimRecord& victim) const;

    std::vector<std::unique_ptr<SwitchView>> m_views;     ///< as given to Watch()
    std::map<const Node*, SwitchView*> m_viewOfNode;      ///< the same
    std::map<Ipv4Address, Ptr<LosslessNetDevice>> m_nics; ///< as given to AddNic()
    std::map<uint32_t, Depth> m_depths;                   ///< by depth
    std::set<Places> m_rootSets;                          ///< that occurred
    std::shared_ptr<bool> m_isAlive;                      ///< false: this object is gone
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_PROPAGATION_H */
