// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_EVENT_RECORDER_H
#define LOSSLESS_PAUSE_EVENT_RECORDER_H

#include "pause-recorder.h"

#include "ns3/nstime.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/// Why a neighbour was told to stop or to go on, as far as the thresholds of the buffer policy tell
/// it.
enum class PauseReason : uint8_t
{
    XOFF,     ///< the shared occupancy of the queue or port is above XOFF
    HEADROOM, ///< a frame is in headroom
    XON,      ///< the shared occupancy is below XON
    EMPTY,    ///< there is no frame, and XON is 0
    FLOW,     ///< a single flow is stopped, or goes on (OFC)
    TIMED,    ///< a time to stop for (FAFC)
    SCHEME,   ///< another rule of the scheme, such as a long egress queue (CaPFC, P-PFC)
};

/// @param reason of a stop or restart @return its name as results files print it
const char* ToString(PauseReason reason);

/**
 * @ingroup lossless
 * Notes when switches stop their neighbours and let them go on, and why: each pause of
 * PauseRecorder as a start and an end.
 *
 * Takes some 70 bytes for each of them. The switches tell nothing more for it: what holds at the
 * moment is read from their ledgers and thresholds.
 */
class PauseEventRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PauseEventRecorder();

    /**
     * Follows a switch, whatever its flow control is.
     * @param name name of the switch
     * @param node the switch, with its final flow control
     */
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return all events in the order of time, as pause-events.csv shows them
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// A stop or a restart.
    struct Event
    {
        Time time;            ///< when
        std::size_t node{0};  ///< number of the switch
        PauseChange change;   ///< of what
        PauseReason reason{}; ///< why

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(time,
                            node,
                            change.kind,
                            change.port,
                            change.priority,
                            change.isStart,
                            change.flow,
                            change.length,
                            reason);
        }
    };

    /// Those of all switches.
    using Events = std::vector<Event>;

    std::vector<std::string> m_names; ///< of the switches
    std::shared_ptr<Events> m_events; ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_EVENT_RECORDER_H */
