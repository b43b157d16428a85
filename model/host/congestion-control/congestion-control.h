// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONGESTION_CONTROL_H
#define LOSSLESS_CONGESTION_CONTROL_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pause-notice.h"

#include <cstdint>
#include <optional>

namespace ns3::lossless
{

class TelemetryHeader;

/// What an acknowledgement reports to the sender.
struct AckSignals
{
    uint64_t newBytes{0};          ///< payload that it acknowledges for the first time
    uint64_t acknowledged{0};      ///< payload of the flow acknowledged so far, including newBytes
    uint64_t sent{0};              ///< payload of the flow sent so far, each packet counted once
    uint64_t inFlight{0};          ///< payload in flight after it, bytes
    bool isMarked{false};          ///< a data packet that it answers met congestion
    bool isTrimmed{false};         ///< it answers a packet without its payload
    std::optional<Time> roundTrip; ///< since the newest packet that it acknowledges was sent
    const TelemetryHeader* telemetry{nullptr}; ///< of the newest of these packets; null: none
};

/// What the sender knows of packets when it finds that they are lost.
struct LossSignals
{
    uint64_t bytes{0};    ///< lost payload, to be sent again
    uint64_t inFlight{0}; ///< payload still in flight, bytes
    uint64_t sent{0};     ///< payload of the flow sent so far, each packet counted once
    bool isFirst{true};   ///< no other loss is known among the packets in flight with it
};

/// What an algorithm needs besides acknowledgements; nothing else is provided.
struct CongestionFeedback
{
    bool notifications{false}; ///< the receiver sends CNPs
    bool roundTrips{false};    ///< the sender records when packets left
    bool telemetry{false};     ///< data packets and acknowledgements have a TelemetryHeader
};

/**
 * @ingroup lossless
 * Decides how fast one sending queue pair may send, by a rate, a window or both.
 *
 * The NIC makes one object per flow, notifies it of what happens, and asks for the rate whenever a
 * packet leaves and for the window after acknowledgements and losses. Nothing is called at other
 * times: an algorithm with timers applies those that have expired on its next call, so it costs no
 * events and never keeps a simulation from ending.
 */
class CongestionControl : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// What the algorithm needs.
    virtual CongestionFeedback GetFeedback() const;

    /// The flow begins.
    /// @param lineRate rate of the link before any change of it; the link may be slower now
    /// @param payloadBytes of a full packet
    virtual void Start(DataRate lineRate, uint32_t payloadBytes) = 0;
    /// A data packet leaves.
    /// @param bytes of its frame, without overhead
    virtual void NotifySent(uint32_t bytes, Time now);
    /// An acknowledgement has arrived.
    virtual void NotifyAck(const AckSignals& signals, Time now);
    /// A congestion notification packet has arrived.
    virtual void NotifyCnp(Time now);
    /// Packets were lost and are sent again, with go-back-N also those after them.
    virtual void NotifyLoss(const LossSignals& signals, Time now);
    /// A packet lost its payload (default: as a loss). Follows NotifyAck() of the same answer.
    virtual void NotifyTrimmed(const LossSignals& signals, Time now);
    /// The neighbour has stopped the class of the flow.
    /// @param notice time, and share of its rate that the flow keeps (FAFC, Algorithm 3)
    virtual void NotifyPaused(const PauseNotice& notice, Time now);

    /// Rate on the wire, including overhead; above zero.
    virtual DataRate GetRate(Time now) = 0;
    /// Payload that may be unacknowledged, bytes; 0: any. One packet is always allowed.
    virtual uint64_t GetWindow() const;
};

/// @ingroup lossless
/// Every flow sends at the rate of its link. The NIC creates no object of this type: its queue
/// pairs have no control and no cost.
class NoCongestionControl : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    DataRate GetRate(Time now) override;

  private:
    DataRate m_lineRate;
};

/// @ingroup lossless
/// Base of algorithms with a rate between "MinRate" and the link's, at which a flow starts.
class RateCongestionControl : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    DataRate GetRate(Time now) override;
    /// Lowers the rate, and the window if it follows the rate. Other state of the algorithm (a
    /// target, a reference) is unchanged.
    void NotifyPaused(const PauseNotice& notice, Time now) override;

  protected:
    /// Only subclasses are instantiated.
    RateCongestionControl() = default;

    /// Rate of the link, bit/s.
    double GetLineRate() const
    {
        return m_lineRate;
    }

    /// Present rate, bit/s.
    double GetCurrentRate() const
    {
        return m_rate;
    }

    /// Sets the rate, bit/s, limited to its range.
    void SetCurrentRate(double rate);
    /// Returns a step, bit/s; 0 stands for a share of the line rate.
    /// @param divisor the inverse of that share
    double ResolveStep(DataRate step, double divisor) const;
    /// Window that the rate fills in a round trip, bytes, at least 1; 0 (any) for no time.
    /// @param seconds the round-trip time
    uint64_t GetBytesIn(double seconds) const;

  private:
    DataRate m_minAttribute; ///< lower limit, as set
    double m_minRate{0};     ///< lower limit, bit/s
    double m_lineRate{0};    ///< upper limit, bit/s
    double m_rate{0};        ///< bit/s
};

/**
 * @ingroup lossless
 * Base of algorithms that keep only a rate, and to which a window may be added, as HPCC does for
 * comparison (Li et al., SIGCOMM 2019, Sec. 5.1: "DCQCN+win", "TIMELY+win").
 *
 * With "WindowRtt" the window is what the rate yields in that time, as in HPCC's public simulator.
 */
class RateWindowCongestionControl : public RateCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    uint64_t GetWindow() const override;

  protected:
    /// Only subclasses are instantiated.
    RateWindowCongestionControl() = default;

  private:
    Time m_windowRtt; ///< of the window; 0: none
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CONGESTION_CONTROL_H */
