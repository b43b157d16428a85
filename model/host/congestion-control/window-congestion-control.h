// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WINDOW_CONGESTION_CONTROL_H
#define LOSSLESS_WINDOW_CONGESTION_CONTROL_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The base class of algorithms that spread a window over T, the round-trip time without queueing:
 * rate = window / T.
 *
 * Because T hardly changes during a flow, only the rate is stored, and the window is derived from
 * the rate, as in the public HPCC simulator. Until T is known, flows send at the line rate without
 * a window.
 */
class WindowCongestionControl : public RateCongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifyAck(const AckSignals& signals, Time now) final;
    uint64_t GetWindow() const override;

  protected:
    /// Returns T in seconds.
    double GetBaseRtt() const
    {
        return m_baseRtt;
    }

  private:
    /// Handles an acknowledgement. Called only if T is known.
    /// @param signals the signals of the acknowledgement
    /// @param isNewRound whether a new round trip begins, that is, whether a packet sent after the
    /// start of the previous round trip has been acknowledged
    virtual void Update(const AckSignals& signals, bool isNewRound, Time now) = 0;

    Time m_baseAttribute;         ///< T, as set by the attribute
    double m_baseRtt{0};          ///< T in seconds; 0 if it is not known yet
    Time m_smallest{Time::Max()}; ///< the smallest round-trip time measured so far
    /// The acknowledged payload at which the round trip ends, if one has started.
    std::optional<uint64_t> m_round;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WINDOW_CONGESTION_CONTROL_H */
