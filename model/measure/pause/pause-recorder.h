// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_RECORDER_H
#define LOSSLESS_PAUSE_RECORDER_H

#include "ns3/flow-control.h"
#include "ns3/lossless-types.h"
#include "ns3/measure-window.h"
#include "ns3/nstime.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/// The pauses of one ingress queue, of one whole ingress port, or of individual flows of a queue.
struct PauseRecord
{
    /// The target of a pause.
    enum class Kind : uint8_t
    {
        CLASS, ///< the class, until it is resumed
        PORT,  ///< all classes (DSH)
        FLOWS, ///< individual flows of the class (OFC)
        TIMED, ///< the class, for a limited time (FAFC)
    };

    std::string node;                 ///< the name of the switch
    PortId port{0};                   ///< the ingress port
    Kind kind{Kind::CLASS};           ///< the target
    std::optional<Priority> priority; ///< the class; unset for a whole port
    uint64_t pauses{0};               ///< the number of times that the target or one of its flows
                                      ///< was paused
    uint64_t resumes{0};              ///< the number of resumes; 0 for pauses that expire
    Time paused;                      ///< the total pause time, including an open pause up to the
                                      ///< current time; for flows, the time during which at least
                                      ///< one was stopped; for pauses that expire, the sum of the
                                      ///< requested times
    std::optional<Time> firstPause;   ///< the time of the first pause in the window
};

/// A change of state in which a switch stops or resumes a neighbour.
struct PauseChange
{
    PauseRecord::Kind kind{};       ///< the target
    PortId port{0};                 ///< the ingress port
    Priority priority{0};           ///< the class; unused for a whole port
    bool isStart{false};            ///< whether the neighbour is stopped rather than resumed
    std::optional<uint64_t> flow{}; ///< see FlowControl::GetFlowOf(); set if the target is a flow
    std::optional<Time> length{};   ///< the duration of the stop, if specified
};

/// Calls `notice` whenever the scheme stops or resumes a neighbour, as long as the scheme exists.
void FollowPauses(FlowControl& scheme, const std::function<void(const PauseChange&)>& notice);

/// The reason why a switch paused or resumed a neighbour, according to the thresholds of the buffer
/// policy.
enum class PauseReason : uint8_t
{
    XOFF,     ///< the shared occupancy of the queue or port is above XOFF
    HEADROOM, ///< a frame is in headroom
    XON,      ///< the shared occupancy is below XON
    EMPTY,    ///< the shared occupancy and XON are 0
    FLOW,     ///< an individual flow is stopped or resumed (OFC)
    TIMED,    ///< the neighbour is paused for a given time (FAFC)
    SCHEME,   ///< another rule of the scheme applies, such as that for a long egress queue (CaPFC,
              ///< P-PFC)
};

/// The control frames of the scheme that one port has sent, including refreshes and RESUMEs.
struct ControlFrameRecord
{
    std::string node;   ///< the name of the switch
    PortId port{0};     ///< the port number
    uint64_t frames{0}; ///< the number of frames
};

/**
 * @ingroup lossless
 * Counts and times the pauses that switches request from their neighbours. After KeepEvents(), it
 * also records each start and end with the reason.
 *
 * A pause lasts from the decision to pause the neighbour of an ingress queue until the decision to
 * resume it. Both times are those at the switch; the neighbour reacts later, after the propagation
 * delay and its response time. Only queues that have been paused at least once use memory.
 */
class PauseRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Limits the counting and timing of pauses to a time window. Call this function before a
    /// switch is watched. Control frames are counted during the whole run.
    void SetWindow(const MeasureWindow& window)
    {
        m_window = window;
    }

    /// Makes the recorder store each start and end of a pause for pause-events.csv. Each start or
    /// end takes about 60 bytes of memory. Call this function before a switch is watched. Reasons
    /// are determined from the switch's buffer accounting and thresholds.
    void KeepEvents()
    {
        m_keepsEvents = true;
    }

    /// @param node a switch with its final flow control, of any scheme
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return one record for each target that was paused in the window, sorted by switch, port,
    /// kind and class
    std::vector<PauseRecord> GetPauses() const;

    /// @return one record for each port that has sent a control frame, sorted by switch and port
    std::vector<ControlFrameRecord> GetFrames() const;

    /// @return the contents of pauses.csv
    ResultTable GetTable() const;
    /// @return the contents of pause-events.csv, with all starts and ends of pauses in order of
    /// time
    ResultTable GetEventTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The pauses of one queue or port.
    struct Tally
    {
        uint64_t pauses{0};        ///< the number of stops
        uint64_t resumes{0};       ///< the number of resumes
        uint64_t open{0};          ///< the number of stops that have not ended; for flows, there
                                   ///< can be several
        Time total;                ///< the sum of the intervals that have ended or a set length
        Time latestEnd;            ///< the end of the latest interval of a set length
        std::optional<Time> first; ///< the time of the first stop
        std::optional<Time> since; ///< the start of the open interval

        auto Tie()
        {
            return std::tie(pauses, resumes, open, total, latestEnd, first, since);
        }
    };

    /// The port, kind and class (0 for a whole port) of a target.
    using Place = std::tuple<PortId, PauseRecord::Kind, std::size_t>;

    /// A start or end of a pause.
    struct Event
    {
        Time time;
        PauseChange change;
        PauseReason reason{};

        auto Tie()
        {
            return std::tie(time,
                            change.kind,
                            change.port,
                            change.priority,
                            change.isStart,
                            change.flow,
                            change.length,
                            reason);
        }
    };

    /// The pauses of one switch. The switch's traces hold a reference to this object.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        void Note(const PauseChange& change);

        auto Tie()
        {
            return std::tie(m_tallies, m_frames, m_events);
        }

        std::string m_name;                  ///< the name of the switch
        uint32_t m_rank{0};                  ///< the rank of the switch
        MeasureWindow m_window;              ///< the window of the tallies
        std::map<Place, Tally> m_tallies;    ///< the tallies of queues and ports that were paused
        std::map<PortId, uint64_t> m_frames; ///< the number of control frames of each port
        std::vector<Event> m_events;         ///< the starts and ends of pauses, in order of time

        /// The function that returns the reason for a change; empty if no events are stored.
        std::function<PauseReason(const PauseChange&)> m_explain;

      private:
        void CountStart(Tally& tally, Time now) const;
    };

    MeasureWindow m_window;             ///< see SetWindow()
    bool m_keepsEvents{false};          ///< see KeepEvents()
    std::vector<Ptr<SwitchLog>> m_logs; ///< one log per switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_RECORDER_H */
