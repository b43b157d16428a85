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
    uint64_t pauses{0}; ///< pauses of this depth
    uint64_t queues{0}; ///< ingress queues, and ports as a whole, that had one
    uint64_t hosts{0};  ///< NICs of hosts that were stopped by one
};

/// A flow that suffered from congestion elsewhere, see PausePropagation.
struct VictimRecord
{
    uint64_t flow{0};   ///< id
    uint64_t pauses{0}; ///< pauses that stopped it although it had no part in their cause
    Time first;         ///< start of the first one, or of the flow if that is later
    std::string node;   ///< switch that asked for it
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
 * that hold its frames are looked at. Those that hold at least half as many bytes of it as the one
 * that holds most are the *holders*; what is less passes by and is not the reason.
 *
 * - A holder that may send is a **congestion root**: it is backlogged because more comes than its
 *   link takes.
 * - A holder that is paused itself passes on what stopped it: the pause of the next switch.
 *
 * The *depth* of a pause is 1 if all holders are roots, else 1 more than the largest depth of the
 * pauses of its holders. So it counts the links from the root upstream. In a cycle of pauses it
 * goes on counting. The *roots* of a pause are its holders that are roots, and the roots of the
 * pauses of the others.
 *
 * A flow is a **victim** of a pause if
 * - its path enters the switch by that ingress queue, so that the pause stops its class, or the
 *   pause stops that flow,
 * - it was on its way to where the pause stops it at some time of it: by the delays of cables, its
 *   first frame had come there before it ended, and its last one had not passed when it began,
 * - the pause stopped its NIC, or an egress queue in which frames of its class wait when the pause
 *   ends (more than the one that may be on the wire), and
 * - the pause has roots, and no egress queue of its path is one of them. (Only a scheme that stops
 *   a neighbour without a frame of it in store has pauses without roots.)
 *
 * Which frames wait is not looked at one by one: a flow that sends nothing at the time of a pause
 * counts as stopped by it.
 *
 * Times are those of the switch that pauses, as in PauseRecorder. A switch knows of the pauses of
 * the next one, and whether frames wait for the end of one is looked at, a delay of the cable
 * later; what has not got there at the end of a run does not count. Work is only done when a pause
 * begins or ends, and on request. Which flows were under way is only known in the end, and so the
 * times of each pause for which frames have waited are kept: 16 B, with the growth of a std::vector
 * up to 32 B.
 *
 * On several ranks (see Ranks) a switch of another rank hears by mail, after the same delay. What
 * is found then is told after RankedRecord::GatherAll().
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

    /**
     * Watches a switch.
     * @param name name of the switch
     * @param node the switch, with its final flow control
     */
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @param address of a NIC @param device where its frames leave the host
    void AddNic(Ipv4Address address, Ptr<LosslessNetDevice> device);
    void WatchNic(const WatchedNic& nic) override;

    /// @return a record per depth that occurred, the smallest first
    std::vector<PauseDepthRecord> GetDepths() const;

    /// @return GetDepths() as pause-depths.csv shows it
    ResultTable GetDepthTable() const;

    /// @return NICs of hosts that were ever stopped
    uint64_t CountStoppedHosts() const;

    /**
     * Finds the victims among flows. Must be called before Simulator::Destroy(), since it asks the
     * switches for the paths.
     * @param flows flows by id, from NICs that were added; others are passed over
     * @return a record per victim, by id
     */
    std::vector<VictimRecord> GetVictims(const std::map<uint64_t, FlowRecord>& flows) const;

    /// @param victims see GetVictims() @return them as victims.csv shows them
    static ResultTable GetVictimTable(const std::vector<VictimRecord>& victims);

    std::vector<NamedTable> GetTables() const override;
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

        /// @param other another one @return whether this one comes first
        bool operator<(const Place& other) const
        {
            return std::tie(view, port, priority) <
                   std::tie(other.view, other.port, other.priority);
        }

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(view, port, priority);
        }
    };

    using Places = std::set<Place>;

    /// Orders sets of roots by what they hold.
    struct ByPlaces
    {
        /// @param a a set @param b another @return whether a comes first
        bool operator()(const Places* a, const Places* b) const
        {
            return *a < *b;
        }
    };

    /// Why an ingress queue pauses.
    struct Cause
    {
        uint32_t depth{0}; ///< of the pause
        Places roots;      ///< of the pause
    };

    /// What is counted of a depth. Numbers are those of a switch, and of a port or slot of it.
    struct Depth
    {
        uint64_t pauses{0};                                    ///< number
        std::set<std::pair<std::size_t, std::size_t>> slots;   ///< that had one
        std::set<std::pair<std::size_t, std::size_t>> stopped; ///< ports to hosts
    };

    /// A switch on the way of a flow.
    struct Hop
    {
        const SwitchView* view{nullptr}; ///< the switch
        PortId ingress{0};               ///< port of arrival
        PortId egress{0};                ///< port of departure
        Ticks lag{0}; ///< how much later the flow comes to where pauses stop it than these do
    };

    /// The way of a flow.
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

        /// @return what is stopped, as a number among those of the switch, all flows of a class one
        std::size_t GetNumber() const;
    };

    /// A pause begins. @param view of the switch @param target what it stops
    void Begin(SwitchView& view, const Target& target);
    /// It ends. @param view of the switch @param target what it stopped
    void End(SwitchView& view, const Target& target);

    /// @param view of a switch that pauses @param target what it stops @return the reason
    Cause FindCause(const SwitchView& view, const Target& target) const;
    /// Has the switch behind a cable hear of a pause, when the cable has carried it there.
    /// @param view of the switch that pauses @param target what it stops @param pause as it is now
    void Tell(SwitchView& view, const Target& target, const Pause& pause);
    /// Has the switch of a rank hear of a pause. @param message what it is told
    void Post(const Message& message);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// Has a switch of this rank hear of a pause. @param message what it is told
    void Schedule(const Message& message);
    /// A switch hears of a pause. @param message what it is told
    void Hear(const Message& message);
    /// @param view of a switch @param target what it stops @return the same, by the port of the
    /// switch behind the cable
    static Target GetOtherSide(const SwitchView& view, const Target& target);
    /// @param view of a switch @param queue an egress queue
    /// @return the pause that keeps it from sending; null if it may send
    static const Pause* FindHolding(const SwitchView& view, QueueId queue);
    /// @param view of a switch @param port a port of it @return the device behind the cable
    static Ptr<LosslessNetDevice> GetPeer(const SwitchView& view, PortId port);
    /// @param device a device @return its switch; null if that is not watched
    SwitchView* FindView(Ptr<LosslessNetDevice> device) const;
    /// @param view of a switch that pauses @param target what it stops
    /// @return whether frames wait behind that port for the pause to end
    bool IsAnyoneWaiting(const SwitchView& view, const Target& target) const;
    /// @param roots a set @return the same one in m_rootSets
    const Places* Keep(const Places& roots);
    /// Victims are asked for: switches of other ranks have to tell by their routes where flows go.
    void PrepareForeign() const;

    /// @param flow a flow @return its way
    Path FindPath(const FlowRecord& flow) const;
    /// Counts the pauses of a target that a flow is a victim of. @param hop where it passes it
    /// @param target what is stopped @param path egress queues of the flow
    /// @param begin of its time at the hop @param end of that, see Hop::lag
    /// @param victim where to
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
