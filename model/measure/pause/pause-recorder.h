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

/// The pauses of one ingress queue, of one ingress port as a whole, or of flows of a queue.
struct PauseRecord
{
    /// What was stopped.
    enum class Kind : uint8_t
    {
        CLASS, ///< the class, until a resume
        PORT,  ///< all classes (DSH)
        FLOWS, ///< single flows of the class (OFC)
        TIMED, ///< the class, for times after which it went on by itself (FAFC)
    };

    std::string node;                 ///< name of the switch
    PortId port{0};                   ///< ingress port
    Kind kind{Kind::CLASS};           ///< what was stopped
    std::optional<Priority> priority; ///< class; nothing: the whole port
    uint64_t pauses{0};               ///< times the neighbour paused it, or one of them
    uint64_t resumes{0};              ///< times it was resumed; 0 for pauses that expire
    Time paused;                      ///< time in between, an open pause up to now; of flows:
                                      ///< with at least one stopped; of those that expire: the
                                      ///< sum of the requested times
    std::optional<Time> firstPause;   ///< first stop in the window
};

/// A switch stops a neighbour or lets it go on.
struct PauseChange
{
    PauseRecord::Kind kind{};       ///< what is stopped
    PortId port{0};                 ///< ingress port
    Priority priority{0};           ///< class; unused for a whole port
    bool isStart{false};            ///< it stops
    std::optional<uint64_t> flow{}; ///< hash of the flow, of one
    std::optional<Time> length{};   ///< how long it stops, if given
};

/// Calls `notice` at each change, as long as the scheme lives.
void FollowPauses(FlowControl& scheme, const std::function<void(const PauseChange&)>& notice);

/// Why a switch paused or resumed a neighbour, as far as the thresholds of the buffer policy
/// explain it.
enum class PauseReason : uint8_t
{
    XOFF,     ///< the shared occupancy of the queue or port is above XOFF
    HEADROOM, ///< a frame is in headroom
    XON,      ///< the shared occupancy is below XON
    EMPTY,    ///< there is no frame, and XON is 0
    FLOW,     ///< a single flow is stopped, or goes on (OFC)
    TIMED,    ///< a pause of a given length (FAFC)
    SCHEME,   ///< another rule of the scheme, such as a long egress queue (CaPFC, P-PFC)
};

/// Control frames of the scheme that one port has sent, refreshes and RESUMEs included.
struct ControlFrameRecord
{
    std::string node;   ///< name of the switch
    PortId port{0};     ///< number of the port
    uint64_t frames{0}; ///< number of frames
};

/**
 * @ingroup lossless
 * Counts and times the pauses that switches ask their neighbours for, and, on request, lists each
 * start and end with its reason.
 *
 * A pause lasts from the decision of the ingress queue to pause to its decision to resume: it is
 * the switch's view, which the neighbour follows one propagation delay and its reaction time
 * later. Only queues that were ever paused take memory.
 */
class PauseRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Counts and times pauses only in a window of time; to be called before a switch is watched.
    /// Control frames are counted in the whole run.
    void SetWindow(const MeasureWindow& window);
    /// Has each start and end of a pause kept, some 60 bytes each, for pause-events.csv; to be
    /// called before a switch is watched. Reasons are read from the switch's ledger and thresholds.
    void KeepEvents();

    /// @param node with its final flow control, of any scheme
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return one record per queue or port that was paused in the window: in the order of the
    /// switches, then by port, by kind and by class
    std::vector<PauseRecord> GetPauses() const;

    /// @return one record per port that ever sent a control frame, in the order of GetPauses()
    std::vector<ControlFrameRecord> GetFrames() const;

    /// @return GetPauses() as pauses.csv shows it
    ResultTable GetTable() const;
    /// @return pause-events.csv: all starts and ends by time
    ResultTable GetEventTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The pauses of one queue or port.
    struct Tally
    {
        uint64_t pauses{0};        ///< stops
        uint64_t resumes{0};       ///< restarts
        uint64_t open{0};          ///< stops that have not ended; of flows, there may be several
        Time total;                ///< of the intervals that have ended
        std::optional<Time> first; ///< first stop
        std::optional<Time> since; ///< start of the open interval

        auto Tie()
        {
            return std::tie(pauses, resumes, open, total, first, since);
        }
    };

    /// What is stopped: the port, the kind, and the class (of a whole port: 0).
    using Place = std::tuple<PortId, PauseRecord::Kind, std::size_t>;

    /// A start or end.
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

    /// The pauses of one switch; its traces keep this alive.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        void Note(const PauseChange& change);

        auto Tie()
        {
            return std::tie(m_tallies, m_frames, m_events);
        }

        std::string m_name;                  ///< of the switch
        uint32_t m_rank{0};                  ///< of the switch
        MeasureWindow m_window;              ///< of the tallies
        std::map<Place, Tally> m_tallies;    ///< of queues and ports ever paused
        std::map<PortId, uint64_t> m_frames; ///< control frames by port
        std::vector<Event> m_events;         ///< in order of time

        /// Gives the reason of a change; empty: no events are kept.
        std::function<PauseReason(const PauseChange&)> m_explain;

      private:
        void CountStart(Tally& tally, Time now) const;
    };

    MeasureWindow m_window;             ///< see SetWindow()
    bool m_keepsEvents{false};          ///< see KeepEvents()
    std::vector<Ptr<SwitchLog>> m_logs; ///< one per switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_RECORDER_H */
