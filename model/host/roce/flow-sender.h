// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_SENDER_H
#define LOSSLESS_FLOW_SENDER_H

#include "queue-pair.h"

#include "ns3/congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/path-selection.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lossless
{

/// @ingroup lossless
/// The sending end of a flow: queue pair, congestion control, and where it waits to send.
struct FlowSender
{
    /// Where it waits.
    enum class Place : uint8_t
    {
        NOWHERE,      ///< it has nothing to send, or sends now
        ARBITER,      ///< SendArbiter: until it is granted a packet
        RATE_LIMITER, ///< RateLimiter: until its rate lets it send
    };

    SendQueuePair queuePair;        ///< the end
    uint32_t number{0};             ///< of the queue pair
    Place place{Place::NOWHERE};    ///< set by the arbiter and the rate limiter
    Ptr<CongestionControl> control; ///< null: sends at the rate of the link
    Ptr<PathSelection> paths;       ///< null: all packets take one path
    double due{0};                  ///< with a control: when it may send next, in ticks

    /// Timeouts and trimmed packets without progress in between.
    struct Stall
    {
        uint32_t timeouts{0};      ///< consecutive
        bool isTold{false};        ///< it was reported
        uint64_t arrived{0};       ///< packets that had arrived at the first of them
        std::optional<Time> since; ///< time of the latest progress; nothing: no loss so far
    };

    Stall stall; ///< since the latest progress

    /// Prefetches what the sender points to and each packet needs.
    void PrefetchParts() const
    {
        queuePair.PrefetchReliability();
    }

    /// Notes a lost packet.
    /// @param since time of the latest progress, if there was none since the latest loss
    void NoteLoss(Time since);
    /// Notes a timeout.
    void NoteTimeout();
    /// Describes what the flow waits for.
    std::string DescribeState() const;

    /// Passes an answer, an ACK or NAK, to the queue pair and its control.
    /// @param telemetry of the answer; null: none
    /// @param sack of the answer; null: none
    /// @param maxWindow limit of the window besides the control's, bytes; 0: none
    void HandleAnswer(const RoceHeader& answer,
                      const TelemetryHeader* telemetry,
                      const SackHeader* sack,
                      uint64_t maxWindow,
                      Time now);

    /// Informs its path selection, which must exist, of an answer.
    /// @param sack see HandleAnswer()
    void TellPaths(const RoceHeader& answer, const SackHeader* sack, Time now);

    /// Handles a retransmission timeout.
    /// @param maxWindow see HandleAnswer()
    void HandleTimeout(uint64_t maxWindow, Time now);

    /// Handles a pause of its class; it must have a control.
    /// @param maxWindow see HandleAnswer()
    void HandlePause(const PauseNotice& notice, uint64_t maxWindow, Time now);

    /// Returns the smaller of this window and the control's.
    /// @param maxWindow see HandleAnswer()
    uint64_t GetWindow(uint64_t maxWindow) const;

  private:
    /// Informs the control of what has arrived.
    /// @param telemetry see HandleAnswer()
    /// @param effect what the answer has changed
    /// @param before payload acknowledged before it, bytes
    void TellAnswer(const RoceHeader& answer,
                    const TelemetryHeader* telemetry,
                    const AnswerEffect& effect,
                    uint64_t before,
                    Time now);
    /// Informs the control of losses.
    /// @param sack see HandleAnswer()
    /// @param effect what the answer has changed
    void TellLosses(const SackHeader* sack, const AnswerEffect& effect, Time now);
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_SENDER_H */
