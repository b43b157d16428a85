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

/// What an acknowledgement tells the sender.
struct AckSignals
{
    uint64_t newBytes{0};          ///< payload that it acknowledges for the first time
    uint64_t acknowledged{0};      ///< payload of the flow acknowledged so far, with newBytes
    uint64_t sent{0};              ///< payload of the flow sent so far, each packet counted once
    uint64_t inFlight{0};          ///< payload on its way after it, in bytes
    bool isMarked{false};          ///< a data packet that it answers met congestion
    bool isTrimmed{false};         ///< it answers a packet that came without its payload
    std::optional<Time> roundTrip; ///< since the newest packet that it acknowledges was sent
    const TelemetryHeader* telemetry{nullptr}; ///< of the newest of these packets; null: none
};

/// What the sender knows of packets when it finds that they are lost.
struct LossSignals
{
    uint64_t bytes{0};    ///< payload that is lost, and is sent again
    uint64_t inFlight{0}; ///< payload that is on its way nevertheless, in bytes
    uint64_t sent{0};     ///< payload of the flow sent so far, each packet counted once
    bool isFirst{true};   ///< no other loss is known among what was under way with it
};

/// What an algorithm lives on besides acknowledgements; what it does not need is not provided.
struct CongestionFeedback
{
    bool notifications{false}; ///< the receiver sends CNPs
    bool roundTrips{false};    ///< the sender keeps the times at which packets left
    bool telemetry{false};     ///< data packets and acknowledgements have a TelemetryHeader
};

/**
 * @ingroup lossless
 * Decides how fast one sending queue pair may send, by a rate, a window or both.
 *
 * The NIC makes one object per flow, tells it what happens, and asks for the rate whenever a packet
 * leaves and for the window after acknowledgements and losses. Nothing here is called at other
 * times: an
 * algorithm with timers applies those that have expired when it is told or asked something next,
 * and so costs no events and never keeps a simulation from ending.
 */
class CongestionControl : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return what it needs to be told
    virtual CongestionFeedback GetFeedback() const;

    /// The flow begins. @param lineRate rate of the link before any change of it; the link may be
    /// slower now @param payloadBytes of a full packet
    virtual void Start(DataRate lineRate, uint32_t payloadBytes) = 0;
    /// A data packet leaves. @param bytes of its frame, without overhead @param now the time
    virtual void NotifySent(uint32_t bytes, Time now);
    /// An acknowledgement arrived. @param signals what it says @param now the time
    virtual void NotifyAck(const AckSignals& signals, Time now);
    /// A congestion notification packet arrived. @param now the time
    virtual void NotifyCnp(Time now);
    /// Packets were lost: they are sent again, with go-back-N also those behind them.
    /// @param signals what is known of them @param now the time
    virtual void NotifyLoss(const LossSignals& signals, Time now);
    /// A packet arrived without its payload (default: as a loss). It is told of behind
    /// NotifyAck() of the same answer. @param signals what is known of it @param now the time
    virtual void NotifyTrimmed(const LossSignals& signals, Time now);
    /// The neighbour has stopped the class of the flow. @param notice for how long, and the share
    /// of its rate that the flow is to keep (FAFC, Algorithm 3) @param now the time
    virtual void NotifyPaused(const PauseNotice& notice, Time now);

    /// @param now the time @return bits per second on the wire, overhead included; above zero
    virtual DataRate GetRate(Time now) = 0;
    /// @return payload that may be unacknowledged, in bytes; 0: any. One packet may always be.
    virtual uint64_t GetWindow() const;
};

/**
 * @ingroup lossless
 * Every flow sends at the rate of its link. A NIC makes no such object: with this type, its queue
 * pairs do without, and cost nothing.
 */
class NoCongestionControl : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    DataRate GetRate(Time now) override;

  private:
    DataRate m_lineRate; ///< of the link
};

/**
 * @ingroup lossless
 * What algorithms share that keep a rate between "MinRate" and that of the link, at which a flow
 * starts.
 */
class RateCongestionControl : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    DataRate GetRate(Time now) override;
    /// Lowers the rate, with the window where it is the rate's. What the algorithm keeps besides
    /// (a target, a reference) stays. @param notice with the share of the rate to keep
    /// @param now the time
    void NotifyPaused(const PauseNotice& notice, Time now) override;

  protected:
    /// Only algorithms are created.
    RateCongestionControl() = default;

    /// @return the rate of the link, bit/s
    double GetLineRate() const
    {
        return m_lineRate;
    }

    /// @return the rate now, bit/s
    double GetCurrentRate() const
    {
        return m_rate;
    }

    /// @param rate the rate from now on, bit/s; brought into its limits
    void SetCurrentRate(double rate);
    /// @param step an attribute, of which 0 stands for a share of the line rate
    /// @param divisor the inverse of that share @return the step, bit/s
    double ResolveStep(DataRate step, double divisor) const;
    /// @param seconds a round-trip time @return the window that the rate fills in it, in bytes, at
    /// least 1; for no time 0, which stands for any window
    uint64_t GetBytesIn(double seconds) const;

  private:
    DataRate m_minAttribute; ///< lower limit, as set
    double m_minRate{0};     ///< lower limit, bit/s
    double m_lineRate{0};    ///< upper limit, bit/s
    double m_rate{0};        ///< bit/s
};

/**
 * @ingroup lossless
 * What algorithms share that keep a rate alone, and to which a window may be added, as HPCC does
 * for comparison (Li et al., SIGCOMM 2019, Sec. 5.1: "DCQCN+win", "TIMELY+win").
 *
 * With "WindowRtt" the window is what the rate yields in that time, so that it shrinks with the
 * rate, as in HPCC's public simulator.
 */
class RateWindowCongestionControl : public RateCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    uint64_t GetWindow() const override;

  protected:
    /// Only algorithms are created.
    RateWindowCongestionControl() = default;

  private:
    Time m_windowRtt; ///< of the window; 0: none
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CONGESTION_CONTROL_H */
