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
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ns3::lossless
{

/// @ingroup lossless
/// The sending end of a flow: its queue pair, its congestion control, and the place where it waits
/// to send.
struct FlowSender
{
    /// The place where the sender waits.
    enum class Place : uint8_t
    {
        NOWHERE,      ///< nowhere, because the sender is sending, needs an answer or has finished
        ARBITER,      ///< in the SendArbiter, until a packet is granted
        RATE_LIMITER, ///< in the RateLimiter, until the rate allows a packet
    };

    SendQueuePair queuePair;        ///< the sending end of the queue pair
    uint32_t number{0};             ///< the number of the queue pair
    Place place{Place::NOWHERE};    ///< set by the arbiter and the rate limiter
    Ptr<CongestionControl> control; ///< the congestion control; null to send at the line rate
    Ptr<PathSelection> paths;       ///< the path selection; null for a single path
    double due{0}; ///< the earliest time to send the next packet, in ticks; used only with
                   ///< congestion control

    /// A period without progress. It is recorded after the first timeout or trimmed packet.
    struct Stall
    {
        uint32_t timeouts{0};      ///< the number of consecutive timeouts
        bool isTold{false};        ///< whether the stall has been reported
        uint64_t arrived{0};       ///< the number of packets that had arrived by the time of the
                                   ///< first loss
        std::optional<Time> since; ///< the start of the period; unset if there has been no loss
    };

    Stall stall; ///< the current stall

    /// Calls a function with a value whenever the value has changed.
    template <typename T>
    struct ChangeNotice
    {
        std::function<void(T)> tell; ///< the function to call
        std::optional<T> latest{};   ///< the latest value

        /// @param value the current value
        void Note(T value)
        {
            if (value != latest)
            {
                latest = value;
                tell(value);
            }
        }
    };

    /// What follows the congestion control.
    struct ControlTrace
    {
        ChangeNotice<DataRate> rate;   ///< its rate
        ChangeNotice<uint64_t> window; ///< its window
    };

    std::unique_ptr<ControlTrace> trace; ///< null if nothing followed the flow when it started

    /// Prefetches the objects that each packet needs.
    void Prefetch() const
    {
        queuePair.Prefetch();
    }

    /// Records a lost packet.
    /// @param since the time at which a stall would start; ignored if the stall has already started
    void NoteLoss(Time since);
    /// Records a timeout.
    void NoteTimeout();
    /// Describes the state of the flow, such as why it is waiting.
    std::string DescribeState() const;

    /// Passes an answer (ACK or NAK) to the queue pair and to the congestion control.
    /// @param telemetry the telemetry in the answer, or null
    /// @param sack the SACK header in the answer, or null
    /// @param maxWindow an additional limit on the window, in bytes; 0 for no limit
    void HandleAnswer(const RoceHeader& answer,
                      const TelemetryHeader* telemetry,
                      const SackHeader* sack,
                      uint64_t maxWindow,
                      Time now);

    /// Reports an answer to the path selection. There must be a path selection.
    /// @param sack see HandleAnswer()
    void TellPaths(const RoceHeader& answer, const SackHeader* sack, Time now);

    /// Handles a retransmission timeout.
    /// @param maxWindow see HandleAnswer()
    void HandleTimeout(uint64_t maxWindow, Time now);

    /// Handles a pause of the flow's class. The flow must have a congestion control.
    /// @param notice the pause
    /// @param maxWindow see HandleAnswer()
    void HandlePause(const PauseNotice& notice, uint64_t maxWindow, Time now);

    /// Returns the rate of the congestion control, which must exist.
    DataRate GetRate(Time now) const
    {
        const DataRate rate = control->GetRate(now);
        if (trace)
        {
            trace->rate.Note(rate);
        }
        return rate;
    }

    /// Returns the window of the congestion control, which must exist, limited to `maxWindow`.
    /// @param maxWindow see HandleAnswer()
    uint64_t GetWindow(uint64_t maxWindow) const;

  private:
    /// Informs the congestion control of an answer.
    /// @param telemetry see HandleAnswer()
    /// @param effect the changes that the answer has caused
    /// @param before the payload, in bytes, that was acknowledged before the answer
    void TellAnswer(const RoceHeader& answer,
                    const TelemetryHeader* telemetry,
                    const AnswerEffect& effect,
                    uint64_t before,
                    Time now);
    /// Informs the congestion control of losses.
    /// @param sack see HandleAnswer()
    /// @param effect the changes that the answer has caused
    void TellLosses(const SackHeader* sack, const AnswerEffect& effect, Time now);
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_SENDER_H */
