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

/// What happens to a link.
enum class FailureKind : uint8_t
{
    DOWN,       ///< it is cut; both ends know at once
    UP,         ///< it is mended
    RATE,       ///< it goes on at another rate
    BIT_ERRORS, ///< it has another rate of bit errors
    DEAD,       ///< nothing gets through, and neither end knows
    ALIVE,      ///< what was dead works again
};

/// A change of a link.
struct FailureEvent
{
    Time at;                        ///< when
    FailureKind kind;               ///< what
    uint32_t link;                  ///< link index of the topology
    std::optional<uint32_t> from{}; ///< node index: only what this end sends is concerned (of
                                    ///< BIT_ERRORS, DEAD and ALIVE); nothing: both directions
    DataRate rate{0};               ///< of RATE
    double bitErrorRate{0};         ///< of BIT_ERRORS
    std::optional<uint32_t> node{}; ///< node index: of DOWN and UP, the link goes with this node;
                                    ///< nothing: by itself
};

/**
 * @ingroup lossless
 * What happens to the links of a network in a run: cuts, lost lanes, bit errors, and directions
 * that fail silently; and when routes follow.
 *
 * A link that several cut, itself and the nodes at its ends, is up again when all of them are.
 *
 * Whatever is lost has its cause in drops.csv: `link-down` (under way, or waiting, when a link was
 * cut, or routed to it), `receive-error` (bit errors, and dead directions), `no-route` (no path is
 * left after the routes have followed).
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
    /// @param event a change; one in which nothing makes sense stops the program
    void Add(const FailureEvent& event);
    /// A node fails, or works again: all its links do. @param at when @param kind DOWN or UP
    /// @param node node index @param topology the network
    void AddNode(Time at, FailureKind kind, uint32_t node, const Topology& topology);
    /// All links have bit errors from the start. @param rate share of wrong bits, 0 to 1
    /// @param topology the network
    void SetBitErrorRate(double rate, const Topology& topology);
    /// Routes follow each cut and mend. @param delay when; nothing: they stay as they are, as
    /// initially
    void SetRerouteAfter(std::optional<Time> delay);
    /// All links send corrupt frames again (LinkRetry). @param isWanted whether they do
    void SetRetry(bool isWanted);

    /**
     * Reads events from a file of columns `time`, `event`, `node_a` and `node_b`, and if wanted
     * `value` and `direction`. Events are down, up, rate (value: a rate), bit-errors (value: share
     * of wrong bits), dead and alive. An empty node_b stands for all links of node_a. A direction
     * is both (default) or forward, from node_a to node_b.
     * @param path the file @param topology the network
     * @return one sentence with file and line about what is wrong; nothing if it was read
     */
    std::optional<std::string> ReadCsv(const std::string& path, const Topology& topology);

    /// @param topology the network @return a sentence's part about the first event that changes
    /// nothing, as a link that comes up and is up; nothing if there is none
    std::optional<std::string> DescribeIdleEvent(const Topology& topology) const;

    /// @return the events, as they were added
    const std::vector<FailureEvent>& GetEvents() const
    {
        return m_events;
    }

    /// Has everything happen. Called once, before the simulation runs.
    /// @param fabric the network; it and this object must outlive the run
    void Install(const Fabric& fabric);

    /**
     * Fixes the random numbers of bit errors, after Install().
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    /// A direction of a link: link index, and whether it is that from its node B.
    using Direction = std::pair<uint32_t, bool>;

    /// How links are after some events.
    struct State
    {
        std::set<std::pair<uint32_t, std::optional<uint32_t>>> cuts; ///< links, and what cuts them
        std::set<Direction> dead;                                    ///< those that are
        std::map<uint32_t, DataRate> rates; ///< by link, of those whose rate has changed

        /// @param event what happens next @param directions those that it concerns
        /// @param first rate of the link at the start @return whether that changes anything
        bool Change(const FailureEvent& event,
                    const std::vector<Direction>& directions,
                    DataRate first);
    };

    /// Reads a record. @param csv the reader, at the record @param topology the network
    void ReadRecord(const class LosslessCsvReader& csv, const Topology& topology);
    /// Complains if a link cannot have an event. @param csv the reader, at the record of it
    /// @param event the event @param link as it is at the start
    static void RequireFit(const class LosslessCsvReader& csv,
                           const FailureEvent& event,
                           const Topology::LinkInfo& link);
    /// @param event an event @param topology the network @return the directions that it concerns
    static std::vector<Direction> GetDirections(const FailureEvent& event,
                                                const Topology& topology);
    /// Puts bit errors on all links that ever have any. @param fabric the network
    void InstallModels(const Fabric& fabric);
    /// Something happens. @param event what @param fabric the network
    void Happen(const FailureEvent& event, const Fabric& fabric);
    /// Keeps what has cut a link, or no longer does. @param event DOWN or UP
    /// @return whether the link goes down, or comes up
    bool NoteCut(const FailureEvent& event);
    /// Routes follow what is cut now, if they are to. @param fabric the network
    void RerouteLater(const Fabric& fabric) const;

    std::vector<FailureEvent> m_events;               ///< see GetEvents()
    std::optional<Time> m_rerouteAfter;               ///< nothing: routes do not follow
    bool m_hasRetry{false};                           ///< see SetRetry()
    std::map<Direction, Ptr<BitErrorModel>> m_models; ///< of those that may have bit errors
    /// Links that are cut now, and by what: nodes that have failed, or the link itself (nothing).
    std::map<uint32_t, std::set<std::optional<uint32_t>>> m_down;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAILURE_PLAN_H */
