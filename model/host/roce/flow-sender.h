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

/**
 * @ingroup lossless
 * The sending end of a flow as its NIC keeps it: the queue pair, the congestion control that
 * limits it, and where it waits to send.
 */
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
    uint32_t number{0};             ///< number of the queue pair
    Place place{Place::NOWHERE};    ///< kept by the arbiter and the rate limiter
    Ptr<CongestionControl> control; ///< null: sends at the rate of the link
    Ptr<PathSelection> paths;       ///< null: all packets take one path
    double due{0};                  ///< with a control: when it may send next, in ticks

    /// What is known of timeouts, and of trimmed packets, without progress between them.
    struct Stall
    {
        uint32_t timeouts{0};      ///< in a row
        bool isTold{false};        ///< it was told of
        uint64_t arrived{0};       ///< packets that had arrived at the first of them
        std::optional<Time> since; ///< when the latest progress was; nothing: no loss so far
    };

    Stall stall; ///< see Stall

    /// Brings what it points to, and each packet needs, into the processor's caches.
    void PrefetchParts() const
    {
        queuePair.PrefetchReliability();
    }

    /// A packet was lost. @param since time of the latest progress, if there was none since the
    /// latest loss
    void NoteLoss(Time since);
    /// A timeout is over.
    void NoteTimeout();
    /// @return what the flow waits for, as text
    std::string DescribeState() const;

    /**
     * The queue pair and its control hear an answer.
     * @param answer header of an ACK or NAK @param telemetry that it carries; null: none
     * @param sack that it carries; null: none
     * @param maxWindow limit of the window besides that of the control, in bytes; 0: none
     * @param now the time
     */
    void HandleAnswer(const RoceHeader& answer,
                      const TelemetryHeader* telemetry,
                      const SackHeader* sack,
                      uint64_t maxWindow,
                      Time now);

    /// Its choice of paths, which it has, hears what became of a packet. @param answer to it
    /// @param sack see HandleAnswer() @param now the time
    void TellPaths(const RoceHeader& answer, const SackHeader* sack, Time now);

    /// No answer has come for too long. @param maxWindow see HandleAnswer() @param now the time
    void HandleTimeout(uint64_t maxWindow, Time now);

    /// The neighbour has stopped its class; it has a control. @param notice of the pause
    /// @param maxWindow see HandleAnswer() @param now the time
    void HandlePause(const PauseNotice& notice, uint64_t maxWindow, Time now);

    /// @param maxWindow see HandleAnswer() @return the tighter one of it and that of the control
    uint64_t GetWindow(uint64_t maxWindow) const;

  private:
    /// Tells the control what has arrived. @param answer of the receiver @param telemetry see
    /// HandleAnswer() @param effect what it has changed @param before payload acknowledged before
    /// it, in bytes @param now the time
    void TellAnswer(const RoceHeader& answer,
                    const TelemetryHeader* telemetry,
                    const AnswerEffect& effect,
                    uint64_t before,
                    Time now);
    /// Tells the control what is lost. @param sack see HandleAnswer() @param effect what an answer
    /// has changed @param now the time
    void TellLosses(const SackHeader* sack, const AnswerEffect& effect, Time now);
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_SENDER_H */
