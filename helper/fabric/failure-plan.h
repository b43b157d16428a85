// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAILURE_PLAN_H
#define LOSSLESS_FAILURE_PLAN_H

#include "ns3/bit-error-model.h"
#include "ns3/data-rate.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// Kind of change of a link.
enum class FailureKind : uint8_t
{
    DOWN,       ///< cut; both ends notice at once
    UP,         ///< repaired
    RATE,       ///< has another rate
    BIT_ERRORS, ///< has another bit error rate
    DEAD,       ///< loses everything, unnoticed by either end
    ALIVE,      ///< works again after DEAD
};

/// A change of a link.
struct FailureEvent
{
    Time at;                        ///< time of the change
    FailureKind kind;               ///< kind of change
    uint32_t link;                  ///< link index of the topology
    std::optional<uint32_t> from{}; ///< node index: only frames sent by this end are affected
                                    ///< (BIT_ERRORS, DEAD and ALIVE); nothing: both directions
    DataRate rate{0};               ///< for RATE
    double bitErrorRate{0};         ///< for BIT_ERRORS
    std::optional<uint32_t> node{}; ///< node index: the link goes down or up with this node (DOWN
                                    ///< and UP); nothing: on its own
};

/**
 * @ingroup lossless
 * Link failures and repairs during a run: cuts, lost lanes, bit errors and silent failures of one
 * direction, and when routes are updated.
 *
 * A link with several causes of a cut, itself and the nodes at its ends, is up again when all of
 * them are.
 *
 * Each loss has its cause in drops.csv: `link-down` (in flight or queued when a link was cut, or
 * routed to it), `receive-error` (bit errors and dead directions) or `no-route` (no path is left
 * after the update of the routes).
 *
 * @code
 * FailurePlan plan;
 * plan.Add({MilliSeconds(1), FailureKind::DOWN, 4});
 * plan.AddNode(MilliSeconds(2), FailureKind::DOWN, topology.FindNode("spine0").value(), topology);
 * plan.SetRerouteAfter(MicroSeconds(100));
 * plan.Install(fabric); // before the simulation runs; the plan and the fabric outlive it
 * plan.AssignStreams(1 + fabric.AssignStreams(1));
 * @endcode
 */
class FailurePlan
{
  public:
    /// Adds an event; an inconsistent one stops the program.
    void Add(const FailureEvent& event);
    /// Adds the failure or repair of a node, with all its links.
    /// @param kind DOWN or UP
    /// @param node node index
    void AddNode(Time at, FailureKind kind, uint32_t node, const Topology& topology);
    /// Gives all links bit errors from the start. @param rate share of wrong bits, 0 to 1
    void SetBitErrorRate(double rate, const Topology& topology);
    /// Updates routes after each cut and repair.
    /// @param delay of the update; nothing: routes never change (default)
    void SetRerouteAfter(std::optional<Time> delay);
    /// Makes all links retransmit corrupt frames (LinkRetry).
    void SetRetry(bool isWanted);

    /// Reads events from a file with the columns `time`, `event`, `node_a` and `node_b`, optionally
    /// `value` and `direction`. Events are down, up, rate (value: a rate), bit-errors (value: share
    /// of wrong bits), dead and alive. An empty node_b means all links of node_a. A direction is
    /// both (default) or forward, from node_a to node_b.
    /// @return one sentence with file and line about the error; nothing if there is none
    std::optional<std::string> ReadCsv(const std::string& path, const Topology& topology);

    /// @return part of a sentence about the first event that changes nothing, such as the repair of
    /// a link that is up; nothing if there is none
    std::optional<std::string> DescribeIdleEvent(const Topology& topology) const;

    /// @return the events, in the order in which they were added
    const std::vector<FailureEvent>& GetEvents() const
    {
        return m_events;
    }

    /// Schedules all events. To be called once, before the simulation runs.
    /// @param fabric the network; it and this object must outlive the run
    void Install(const Fabric& fabric);

    /// Fixes the random streams of bit errors, starting at `stream`; call it after Install().
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    /// Link index, and whether the direction is that from node B.
    using Direction = std::pair<uint32_t, bool>;

    /// State of the links after some events.
    struct State
    {
        std::set<std::pair<uint32_t, std::optional<uint32_t>>> cuts; ///< links and the causes of
                                                                     ///< their cuts
        std::set<Direction> dead;
        std::map<uint32_t, DataRate> rates; ///< by link, where it has changed

        /// Applies the next event.
        /// @param directions affected by it
        /// @param first rate of the link at the start
        /// @return whether it changes anything
        bool Change(const FailureEvent& event,
                    const std::vector<Direction>& directions,
                    DataRate first);
    };

    /// Reads the current record.
    void ReadRecord(const class LosslessCsvReader& csv, const Topology& topology);
    /// Complains if a link cannot have the event of the current record.
    /// @param link its state at the start
    static void RequireFit(const class LosslessCsvReader& csv,
                           const FailureEvent& event,
                           const Topology::LinkInfo& link);
    /// @return the affected directions
    static std::vector<Direction> GetDirections(const FailureEvent& event,
                                                const Topology& topology);
    /// Installs an error model on all links that ever have bit errors.
    void InstallModels(const Fabric& fabric);
    void Happen(const FailureEvent& event, const Fabric& fabric);
    /// Records a DOWN or UP. @return whether the link goes down or comes up
    bool NoteCut(const FailureEvent& event);
    /// Schedules an update of the routes for the present cuts, if wanted.
    void RerouteLater(const Fabric& fabric) const;

    std::vector<FailureEvent> m_events;
    std::optional<Time> m_rerouteAfter;               ///< nothing: routes never change
    bool m_hasRetry{false};                           ///< see SetRetry()
    std::map<Direction, Ptr<BitErrorModel>> m_models; ///< of directions that may have bit errors
    /// Links that are down and the causes: nodes that have failed, or the link itself (nothing).
    std::map<uint32_t, std::set<std::optional<uint32_t>>> m_down;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAILURE_PLAN_H */
