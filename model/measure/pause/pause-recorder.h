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
        CLASS, ///< the class, until it was told to go on
        PORT,  ///< all classes (DSH)
        FLOWS, ///< single flows of the class (OFC)
        TIMED, ///< the class, for times after which it went on by itself (FAFC)
    };

    std::string node;                 ///< name of the switch
    PortId port{0};                   ///< ingress port
    Kind kind{Kind::CLASS};           ///< what was stopped
    std::optional<Priority> priority; ///< class; nothing: the whole port
    uint64_t pauses{0};               ///< times its neighbour was told to stop it, or one of them
    uint64_t resumes{0};              ///< times it was told to go on; 0 of those that end alone
    Time paused;                      ///< time between them, an open pause counted up to now; of
                                      ///< flows: in which at least one was stopped; of those that
                                      ///< end alone: asked for in all
    std::optional<Time> firstPause;   ///< when it was told to stop for the first time in the window
};

/// A switch stops a neighbour or lets it go on.
struct PauseChange
{
    PauseRecord::Kind kind{};       ///< what is concerned
    PortId port{0};                 ///< ingress port
    Priority priority{0};           ///< class; void for a whole port
    bool isStart{false};            ///< it stops
    std::optional<uint64_t> flow{}; ///< hash of the flow, of one
    std::optional<Time> length{};   ///< for how long it stops, if the switch says so
};

/// @param scheme flow control of a switch @param notice is called at each change from now on, as
/// long as the scheme lives
void FollowPauses(FlowControl& scheme, const std::function<void(const PauseChange&)>& notice);

/// @param kind what is stopped @param priority its class; void for a whole port
/// @return the same, as the column "priority" of pauses.csv has it
ResultCell DescribePaused(PauseRecord::Kind kind, Priority priority);

/// Control frames of the scheme that one port has sent, refreshes and RESUMEs included.
struct ControlFrameRecord
{
    std::string node;   ///< name of the switch
    PortId port{0};     ///< port
    uint64_t frames{0}; ///< number of frames
};

/**
 * @ingroup lossless
 * Counts and times the pauses that switches ask their neighbours for.
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

    /// Counts and times pauses in a window of time alone; called before Watch(). Control frames are
    /// counted in the whole run. @param window the window
    void SetWindow(const MeasureWindow& window);

    /**
     * Follows a switch, whatever its flow control is.
     * @param name name of the switch
     * @param node the switch, with its final flow control
     */
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return one record per queue or port that was paused in the window: switches in the order in
    /// which they were given, then by port, by kind and by class
    std::vector<PauseRecord> GetPauses() const;

    /// @return one record per port that ever sent a control frame, in the same order
    std::vector<ControlFrameRecord> GetFrames() const;

    /// @return GetPauses() as pauses.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
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

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(pauses, resumes, open, total, first, since);
        }
    };

    /// What is stopped: the port, the kind, and the class (of a whole port: 0).
    using Place = std::tuple<PortId, PauseRecord::Kind, std::size_t>;

    /// What one switch has done; kept alive by the switch, so that a recorder may go first.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        /// @param change a stop or restart
        void Note(const PauseChange& change);

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(m_tallies, m_frames);
        }

        std::string m_name;                  ///< of the switch
        uint32_t m_rank{0};                  ///< of the switch
        MeasureWindow m_window;              ///< of what is counted
        std::map<Place, Tally> m_tallies;    ///< of queues and ports ever paused
        std::map<PortId, uint64_t> m_frames; ///< control frames by port

      private:
        /// Counts a stop, if it is in the window. @param tally of what is stopped @param now the
        /// time
        void CountStart(Tally& tally, Time now) const;
    };

    MeasureWindow m_window;             ///< of what is counted
    std::vector<Ptr<SwitchLog>> m_logs; ///< one per switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_RECORDER_H */
