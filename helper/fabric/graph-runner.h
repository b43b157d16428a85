// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GRAPH_RUNNER_H
#define LOSSLESS_GRAPH_RUNNER_H

#include "ns3/event-id.h"
#include "ns3/flow-graph.h"
#include "ns3/flow-record.h"
#include "ns3/network-tally.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/ranks.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// When a step of a FlowGraph was how far; nothing: it was not.
struct StepTimes
{
    std::optional<Time> started;  ///< the flow began to send, or the computation began
    std::optional<Time> sent;     ///< the source had heard of all bytes; a computation was done
    std::optional<Time> received; ///< all had arrived; a computation was done

    /// @param until an end @return when that was
    const std::optional<Time>& Get(FlowGraph::Until until) const
    {
        return until == FlowGraph::Until::SENT       ? sent
               : until == FlowGraph::Until::RECEIVED ? received
                                                     : started;
    }
};

/**
 * @ingroup lossless
 * Runs a FlowGraph on a Fabric: starts each step in an event of its host, once what it waits for
 * is done and its compute time is over.
 *
 * What a host knows of its own flows it knows at once: a flow that waits for another one's
 * reception at its own source starts in the very nanosecond of the last byte. Steps of a host that
 * are due at one time start in the order of their numbers, after all else that happens there at
 * that time, so that results depend neither on the length of windows nor on ranks (see
 * WheelSimulatorImpl).
 *
 * What another host knows comes by a notice: at Fabric::GetNoticeTime() after it was known, which
 * is what the shortest packet takes on the idle network. Notices take no capacity, are never lost
 * or paused, and cost the hosts nothing, as if they had a small network of their own. Who wants
 * them to compete with data sends flows.
 *
 * Once the simulation has run, each rank knows all times, see RankedRecord.
 */
class GraphRunner : public RankedRecord, private MailReceiver
{
  public:
    /// What has stopped moving.
    struct Standstill
    {
        Time since;                        ///< nothing has happened from then on
        uint64_t unfinished{0};            ///< steps that are not done
        std::vector<std::string> examples; ///< sentences on some of them
    };

    /**
     * @param fabric the network, which must outlive this object
     * @param graph complete, see FlowGraph::Check()
     */
    GraphRunner(Fabric& fabric, FlowGraph graph);
    ~GraphRunner() override;

    /// Starts what waits for nothing, at its time; once, before the simulation runs.
    void Start();

    /**
     * Ends the simulation when all steps are done, or when the graph has stopped moving: when for
     * some time no step has started or ended, no payload was acknowledged and nobody has computed.
     * To be called once, behind Start().
     * @param patience that time, above 0, at most GetLatestStart(); it is looked at eight times
     * within, but not while hosts compute and nothing else is due
     * @param end when a flow is done: SENT or RECEIVED
     */
    void StopWhenDone(Time patience, FlowGraph::Until end);

    /// @return the graph
    const FlowGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @param step a step @return when it was how far
    StepTimes GetTimes(FlowGraph::Step step) const;

    /// @param predecessor of a step @param step it @return how long after the predecessor is so far
    /// the step's host knows
    Time GetNoticeTime(const FlowGraph::Link& predecessor, FlowGraph::Step step) const;

    /// @param host a host index @return its name
    const std::string& GetHostName(uint32_t host) const;

    /// @return steps that are done, as far as this rank has heard; takes no memory
    uint64_t CountDone() const
    {
        return m_done;
    }

    /// @return whether StopWhenDone() has ended the run since the graph did not move
    bool HasStalled() const
    {
        return m_hasStalled;
    }

    /// @return what did not get done; nothing: all is
    std::optional<Standstill> DescribeStandstill() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Ticks of StepTimes; -1: nothing.
    struct StepTicks
    {
        int64_t started{-1};  ///< tick
        int64_t sent{-1};     ///< tick
        int64_t received{-1}; ///< tick
    };

    /// A step that is due at a tick: to start, or, of a computation that has begun, to be done.
    using Due = std::pair<int64_t, FlowGraph::Step>;

    /// A host, as far as it is of this rank.
    struct Host
    {
        std::vector<Due> later;             ///< a heap, the earliest in front
        std::vector<FlowGraph::Step> ready; ///< due now
        int64_t wake{INT64_MAX};            ///< tick of the next event that looks at `later`
        bool isFlushing{false};             ///< an event of now looks at `ready`
    };

    /// What one rank tells another.
    struct Message
    {
        FlowGraph::Step step{0}; ///< a flow that starts, or a step that waits for one thing less
        bool isFlow{false};      ///< which of both
        int64_t tick{0};         ///< of the flow's start, or when the step hears
        int64_t due{0};          ///< when the event takes place
    };

    void TakeMail(const char* bytes, std::size_t size) override;

    /// Calls a member in an event of a host, unless this object is gone by then.
    /// @param host a host index @param delay until then @param call what to do
    template <typename Call>
    void Schedule(uint32_t host, Time delay, Call call);
    /// @param host a host index @return whether its events are executed here
    bool IsOwn(uint32_t host) const;
    /// @param message for a host of another rank @param host a host index
    void Post(const Message& message, uint32_t host);

    /// Nothing is waited for any more. @param step a step of this host
    void MakeReady(FlowGraph::Step step);
    /// @param step of a host @param tick at which it is due
    void Enter(FlowGraph::Step step, int64_t tick);
    /// Looks at what is due at a host. @param host its index
    void Wake(uint32_t host);
    /// Has Wake() called for the next that is due later. @param host its index
    void Arm(uint32_t host);
    /// Starts what is due now. @param host its index
    void Flush(uint32_t host);
    /// @param step starts, or is done as a computation
    void Advance(FlowGraph::Step step);
    /// @param step a flow that starts now
    void StartFlow(FlowGraph::Step step);
    /// Has the receiving end opened. @param step a flow @param start when it has started
    void OpenReceiver(FlowGraph::Step step, Time start);
    /// @param flow to start @return how long its receiver may take to be told
    Time GetOpenDelay(const FlowSpec& flow) const;

    /// Tells those that wait. @param step is so far now @param until so far
    void Tell(FlowGraph::Step step, FlowGraph::Until until);
    /// @param step waits for one thing less
    void Meet(FlowGraph::Step step);
    /// A step is done.
    void NoteDone();

    /// @param record a flow that was received here
    void NotifyReceived(const FlowRecord& record);
    /// @param record a flow from here that was acknowledged
    void NotifyAcknowledged(const FlowRecord& record);
    /// @param id of a flow @return the step; nothing: it is of no step
    std::optional<FlowGraph::Step> FindStep(uint64_t id) const;
    /// @param call called with each NIC of this rank
    template <typename Call>
    void VisitNics(Call call) const;

    /// Has CheckMovement() called when it may find something.
    void ScheduleLook();
    /// Ends the run if nothing moves.
    void CheckMovement();
    /// @return payload of each flow from here that is under way and acknowledged, by step
    std::map<FlowGraph::Step, uint64_t> GetAcknowledged() const;
    /// @param step that is not done @return whether all that it waits for is there
    bool IsUnderWay(FlowGraph::Step step) const;
    /// @param step a step @return whether it is done
    bool IsDone(FlowGraph::Step step) const;
    /// @param step that is not done @return a sentence about what it waits for
    std::string DescribeWait(FlowGraph::Step step) const;
    /// @param step a step @return what it is called, and its hosts
    std::string DescribeStep(FlowGraph::Step step) const;

    Fabric& m_fabric;                                     ///< the network
    FlowGraph m_graph;                                    ///< what is to be done
    std::vector<StepTicks> m_ticks;                       ///< by step
    std::vector<uint32_t> m_unmet;                        ///< by step: what it waits for
    std::vector<FlowGraph::Step> m_byId;                  ///< steps, sorted by id
    std::vector<Host> m_hosts;                            ///< by host index
    bool m_hasInstantLinks{false};                        ///< there are cables without a delay
    FlowGraph::Until m_end{FlowGraph::Until::RECEIVED};   ///< when a flow is done
    Time m_patience;                                      ///< see StopWhenDone(); 0: it was not
    NetworkTally m_doneTally;                             ///< steps that are done
    NetworkTally m_pulse;                                 ///< signs of movement
    uint64_t m_done{0};                                   ///< see CountDone()
    uint64_t m_lastDone{0};                               ///< tick at which the last one was
    uint64_t m_lastMove{0};                               ///< tick of the last sign of movement
    uint64_t m_acknowledged{0};                           ///< payload, as of the last look
    std::map<FlowGraph::Step, uint64_t> m_foreignPayload; ///< see GetAcknowledged(), elsewhere
    EventId m_check;                                      ///< next look
    bool m_hasStalled{false};                             ///< see HasStalled()
    std::shared_ptr<bool> m_isAlive{std::make_shared<bool>(true)}; ///< false: this object is gone
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GRAPH_RUNNER_H */
