// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAILURE_PLAN_H
#define LOSSLESS_FAILURE_PLAN_H

#include "ns3/bit-error-model.h"
#include "ns3/data-rate.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// The type of a link event.
enum class FailureKind : uint8_t
{
    DOWN,       ///< the link is cut, and both ends detect it immediately
    UP,         ///< the link is repaired
    RATE,       ///< the rate changes
    BIT_ERRORS, ///< the bit error rate changes
    DEAD,       ///< all frames are lost, and neither end detects it
    ALIVE,      ///< the link works again after DEAD
};

/// A link event.
struct FailureEvent
{
    Time at;                        ///< time of the event
    FailureKind kind;               ///< type of the event
    uint32_t link;                  ///< index of the link in the topology
    std::optional<uint32_t> from{}; ///< index of the node whose outgoing frames are affected
                                    ///< (BIT_ERRORS, DEAD and ALIVE); if not set, both directions
                                    ///< are affected
    DataRate rate{0};               ///< new rate (RATE)
    double bitErrorRate{0};         ///< new bit error rate (BIT_ERRORS)
    std::optional<uint32_t> node{}; ///< index of the node whose failure or repair causes the event
                                    ///< (DOWN and UP), if any
    std::string place{};            ///< file and line of the event, if it was read from a file
};

/**
 * @ingroup lossless
 * Schedules link failures and repairs during a run. Links can be cut, lose lanes, have bit errors,
 * or fail silently in one or both directions. Route updates can also be scheduled.
 *
 * A link is down if it has been cut or if the node at either end has failed. It comes up again when
 * none of these causes remains.
 *
 * The cause of each lost frame is recorded in drops.csv. `link-down` means that the frame was in
 * flight or queued when the link was cut, or that it was routed to the link after the cut.
 * `receive-error` means that the frame had a bit error or that the link had failed silently in the
 * frame's direction. `no-route` means that no path was left after a route update.
 *
 * @code
 * FailurePlan plan;
 * plan.Add({MilliSeconds(1), FailureKind::DOWN, 4});
 * plan.AddNode(MilliSeconds(2), FailureKind::DOWN, topology.FindNode("spine0").value(), topology);
 * plan.SetRerouteAfter(MicroSeconds(100));
 * plan.Install(fabric); // before the simulation starts; plan and fabric must outlive it
 * plan.AssignStreams(1 + fabric.AssignStreams(1));
 * @endcode
 */
class FailurePlan
{
  public:
    /// Adds an event. Aborts if the event is inconsistent.
    void Add(const FailureEvent& event);
    /// Adds the failure or repair of a node and all its links.
    /// @param kind DOWN or UP
    /// @param node the node index
    void AddNode(Time at, FailureKind kind, uint32_t node, const Topology& topology);
    /// Sets the bit error rate of all links from the start.
    /// @param rate the fraction of corrupt bits, from 0 to 1
    void SetBitErrorRate(double rate, const Topology& topology);
    /// Schedules a route update after each cut and repair.
    /// @param delay the delay until the update; if not set (the default), routes never change
    void SetRerouteAfter(std::optional<Time> delay);

    /// Reads events from a file with the columns `time`, `event`, `node_a` and `node_b`, and
    /// optionally `value` and `direction`. The events are down, up, rate (the value is a rate),
    /// bit-errors (the value is the fraction of corrupt bits), dead and alive. For down and up, an
    /// empty node_b means all links of node_a. The direction is `both` (the default) or, for
    /// bit-errors, dead and alive, `forward`, which means from node_a to node_b.
    /// @return an error message with the file name and line number, or nothing if the file is valid
    std::optional<std::string> ReadCsv(const std::string& path, const Topology& topology);

    /// @return a description of the first event without an effect, such as the repair of a link
    /// that is up or one that another event of the same time undoes, or nothing if every event has
    /// an effect. The description includes the file and line if the event was read from a file.
    std::optional<std::string> DescribeIdleEvent(const Topology& topology) const;

    /// @return the events, in the order in which they were added
    const std::vector<FailureEvent>& GetEvents() const
    {
        return m_events;
    }

    /// Schedules all events. Call this once, before the simulation starts.
    /// @param fabric the network; it and this object must outlive the run
    void Install(const Fabric& fabric);

    /// Assigns fixed random variable streams to the bit errors. Call this after Install().
    /// @param stream the first stream index to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// A link index and a flag, which is true for the direction from node B to node A.
    using Direction = std::pair<uint32_t, bool>;

    /// The state of the links after some of the events.
    struct State
    {
        /// The reasons why links are down. Each entry consists of a link and the failed node, if
        /// any.
        std::set<std::pair<uint32_t, std::optional<uint32_t>>> cuts;
        std::set<Direction> dead;
        std::map<uint32_t, DataRate> rates; ///< changed rates, by link index

        /// Applies the next event.
        /// @param directions the affected directions
        /// @param first the initial rate of the link
        /// @return true if the event has an effect
        bool Change(const FailureEvent& event,
                    const std::vector<Direction>& directions,
                    DataRate first);
    };

    /// What an event sets: the link, the failed node or the direction, and the last kind of event
    /// that sets the same.
    using Subject = std::tuple<uint32_t, std::optional<uint32_t>, FailureKind>;

    /// @return what the event sets
    static std::set<Subject> GetSubjects(const FailureEvent& event, const Topology& topology);
    /// @param events the events, sorted by time
    /// @return the first event all of whose subjects later events of the same time set, or null. A
    /// bit error rate from the start may have exceptions.
    static const FailureEvent* FindUndone(const std::vector<FailureEvent>& events,
                                          const Topology& topology);
    /// @param reason the reason why the event has no effect
    static std::string Describe(const FailureEvent& event,
                                const Topology& topology,
                                const std::string& reason);
    /// Adds the events of the current record.
    void ReadRecord(const class LosslessCsvReader& csv, const Topology& topology);
    /// Throws a FileComplaint if the event of the current record cannot apply to a link.
    /// @param link the initial state of the link
    static void RequireFit(const class LosslessCsvReader& csv,
                           const FailureEvent& event,
                           const Topology::LinkInfo& link);
    /// @return the directions that the event affects
    static std::vector<Direction> GetDirections(const FailureEvent& event,
                                                const Topology& topology);
    /// Installs an error model in each direction that has BIT_ERRORS, DEAD or ALIVE events.
    void InstallModels(const Fabric& fabric);
    void Happen(const FailureEvent& event, const Fabric& fabric);
    /// Records a DOWN or UP event.
    /// @return true if this changes the state of the link
    bool NoteCut(const FailureEvent& event);
    /// Schedules a route update that avoids the links that are currently down, if updates are
    /// enabled.
    void RerouteLater(const Fabric& fabric) const;

    std::vector<FailureEvent> m_events;
    std::optional<Time> m_rerouteAfter;               ///< delay of route updates; not set if routes
                                                      ///< never change
    std::map<Direction, Ptr<BitErrorModel>> m_models; ///< error models; see InstallModels()
    /// The causes of failure for each link that is down. A cause is a failed node, or is empty if
    /// the link itself was cut.
    std::map<uint32_t, std::set<std::optional<uint32_t>>> m_down;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAILURE_PLAN_H */
