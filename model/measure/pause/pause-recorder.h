// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_RECORDER_H
#define LOSSLESS_PAUSE_RECORDER_H

#include "ns3/lossless-types.h"
#include "ns3/mac-control-header.h"
#include "ns3/measure-window.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstdint>
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
    Time firstPause;                  ///< when it was told to stop for the first time
};

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
class PauseRecorder : public RankedRecord
{
  public:
    /// Counts and times pauses in a window of time alone; called before Watch(). Control frames are
    /// counted in the whole run. @param window the window
    void SetWindow(const MeasureWindow& window);

    /**
     * Follows a switch, whatever its flow control is.
     * @param name name of the switch
     * @param node the switch, with its final flow control
     */
    void Watch(const std::string& name, Ptr<SwitchNode> node);

    /// @return one record per queue or port that was paused in the window: switches in the order in
    /// which they were given, then by port, by kind and by class
    std::vector<PauseRecord> GetPauses() const;

    /// @return one record per port that ever sent a control frame, in the same order
    std::vector<ControlFrameRecord> GetFrames() const;

    /// @return GetPauses() as pauses.csv shows it
    ResultTable GetTable() const;

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
        Time first;                ///< first stop
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
    class SwitchLog : public SimpleRefCount<SwitchLog>
    {
      public:
        /// @param queue an ingress queue @param paused stopped, or restarted
        void NotifyQueueState(QueueId queue, bool paused);
        /// @param port an ingress port @param paused stopped, or restarted
        void NotifyPortState(PortId port, bool paused);
        /// @param queue an ingress queue @param flow hash of a flow @param paused stopped, or not
        void NotifyFlowState(QueueId queue, uint64_t flow, bool paused);
        /// @param queue an ingress queue @param length for how long it is stopped
        void NotifyTimedPause(QueueId queue, Time length);
        /// @param port a port @param frame a control frame that it sends
        void NotifyControlSent(PortId port, Ptr<const Packet> frame);

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
        /// @param place a queue, port or flow of a queue @param paused stopped, or restarted
        void Count(Place place, bool paused);
        /// Counts a stop, if it is in the window. @param tally of what is stopped @param now the
        /// time
        void CountStart(Tally& tally, Time now) const;
    };

    MeasureWindow m_window;             ///< of what is counted
    std::vector<Ptr<SwitchLog>> m_logs; ///< one per switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_RECORDER_H */
