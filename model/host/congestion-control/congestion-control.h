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

/// The signals that an acknowledgement provides.
struct AckSignals
{
    uint64_t newBytes{0};     ///< the payload acknowledged for the first time, in bytes
    uint64_t acknowledged{0}; ///< the flow's payload acknowledged so far, including newBytes, in
                              ///< bytes
    uint64_t sent{0};         ///< the flow's payload sent so far, excluding retransmissions, in
                              ///< bytes
    uint64_t inFlight{0};     ///< the payload still in flight, in bytes
    bool isMarked{false};     ///< whether an acknowledged data packet was marked
    bool isTrimmed{false};    ///< whether the answer reports a trimmed packet
    std::optional<Time> roundTrip; ///< the time since the newest acknowledged packet was sent, if
                                   ///< known
    /// The telemetry of the newest acknowledged packet, or null.
    const TelemetryHeader* telemetry{nullptr};
};

/// The information that the sender has when it detects a loss.
struct LossSignals
{
    uint64_t bytes{0};    ///< the lost payload to be retransmitted, in bytes
    uint64_t inFlight{0}; ///< the payload still in flight, in bytes
    uint64_t sent{0};     ///< the flow's payload sent so far, excluding retransmissions, in bytes
    bool isFirst{true};   ///< whether this is the first known loss among the packets in flight
};

/// The feedback that an algorithm needs in addition to acknowledgements.
struct CongestionFeedback
{
    bool notifications{false}; ///< whether the receiver must send CNPs
    bool roundTrips{false};    ///< whether the sender must record the departure times of packets
    /// Whether data packets and acknowledgements must have a TelemetryHeader.
    bool telemetry{false};
};

/**
 * @ingroup lossless
 * Determines how fast a queue pair can send, by means of a rate, a window, or both.
 *
 * The NIC creates one object per flow and notifies it of events. The NIC queries the rate whenever
 * a packet is sent, and the window at the start and after acknowledgements, losses and pauses.
 * There are no other calls. An algorithm with timers handles expired timers in the next call, so
 * timers require no simulator events and never keep a simulation running.
 */
class CongestionControl : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the feedback that the algorithm needs.
    virtual CongestionFeedback GetFeedback() const
    {
        return {};
    }

    /// Handles the start of the flow.
    /// @param lineRate the initial rate of the link, which may have been reduced since then
    /// @param payloadBytes the payload of a full packet
    virtual void Start(DataRate lineRate, uint32_t payloadBytes) = 0;

    /// Handles the sending of a data packet.
    /// @param bytes the frame size without overhead
    virtual void NotifySent(uint32_t /* bytes */, Time /* now */)
    {
    }

    /// Handles an acknowledgement.
    virtual void NotifyAck(const AckSignals& /* signals */, Time /* now */)
    {
    }

    /// Handles a congestion notification packet. Receivers send none unless GetFeedback() requests
    /// notifications.
    virtual void NotifyCnp(Time /* now */)
    {
        m_handlesCnps = false;
    }

    /// Handles the loss of packets. The lost packets are retransmitted and, with go-back-N, so are
    /// all packets that follow them.
    virtual void NotifyLoss(const LossSignals& /* signals */, Time /* now */)
    {
    }

    /// Handles the report of a trimmed packet. By default, the packet is treated as lost. Called
    /// after NotifyAck() for the same answer.
    virtual void NotifyTrimmed(const LossSignals& signals, Time now);

    /// Handles a pause of the flow's class that the neighbour has requested.
    /// @param notice the pause time and the fraction of the rate that the flow keeps (FAFC,
    /// Algorithm 3)
    virtual void NotifyPaused(const PauseNotice& /* notice */, Time /* now */)
    {
    }

    /// Returns the rate on the wire, including overhead. The rate is always above zero.
    virtual DataRate GetRate(Time now) = 0;

    /// Returns the maximum unacknowledged payload, in bytes, or 0 for no limit. One packet is
    /// always allowed.
    virtual uint64_t GetWindow() const
    {
        return 0;
    }

    /// @return whether the class handles CNPs, that is, overrides NotifyCnp() without calling the
    /// base class. Calls Start() and NotifyCnp(), so this object must not belong to a flow.
    bool HandlesCnps();

  private:
    bool m_handlesCnps{true}; ///< false once NotifyCnp() of the base class has been called
};

/// @ingroup lossless
/// Sends each flow at the rate of its link. The NIC does not create objects of this type, so queue
/// pairs without congestion control have no extra cost.
class NoCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    DataRate GetRate(Time now) override;

  private:
    DataRate m_lineRate;
};

/// @ingroup lossless
/// The base class of algorithms with a rate between "MinRate" and the line rate. Flows start at the
/// line rate.
class RateCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    DataRate GetRate(Time now) override;
    /// Reduces the rate to the share in the notice, and with it any window that depends on the
    /// rate. Other state of the algorithm (such as a target or a reference) does not change.
    void NotifyPaused(const PauseNotice& notice, Time now) override;

  protected:
    /// Constructor for subclasses.
    RateCongestionControl() = default;

    /// Returns the line rate in bit/s.
    double GetLineRate() const
    {
        return m_lineRate;
    }

    /// Returns the current rate in bit/s.
    double GetCurrentRate() const
    {
        return m_rate;
    }

    /// Sets the rate in bit/s, limited to the allowed range.
    void SetCurrentRate(double rate);
    /// Returns a rate step in bit/s. A configured step of 0 represents a fraction of the line rate.
    /// @param divisor the inverse of that fraction
    double ResolveStep(DataRate step, double divisor) const;
    /// Returns the window, in bytes, that the current rate fills in a round trip; at least 1.
    /// Returns 0 (no limit) if the round-trip time is 0.
    /// @param seconds the round-trip time
    uint64_t GetBytesIn(double seconds) const;

  private:
    DataRate m_minAttribute; ///< the minimum rate, as configured
    double m_minRate{0};     ///< the minimum rate, in bit/s
    double m_lineRate{0};    ///< the maximum rate, in bit/s
    double m_rate{0};        ///< the current rate, in bit/s
};

/**
 * @ingroup lossless
 * The base class of algorithms that compute only a rate. A window can be added to the rate, as for
 * "DCQCN+win" and "TIMELY+win" in the HPCC paper (Li et al., SIGCOMM 2019, Sec. 5.1).
 *
 * If "WindowRtt" is set, the window is the number of bytes sent in that time at the current rate,
 * as in the public HPCC simulator.
 */
class RateWindowCongestionControl : public RateCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    uint64_t GetWindow() const override;

  protected:
    /// Constructor for subclasses.
    RateWindowCongestionControl() = default;

  private:
    Time m_windowRtt; ///< the time in which the current rate fills the window; 0 for no window
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CONGESTION_CONTROL_H */
