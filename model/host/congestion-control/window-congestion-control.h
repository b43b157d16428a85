// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WINDOW_CONGESTION_CONTROL_H
#define LOSSLESS_WINDOW_CONGESTION_CONTROL_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Base of algorithms that pace a window over the round-trip time T without queues: rate = window /
 * T.
 *
 * Since T is the same throughout a flow, the rate is stored and the window derived from it, as in
 * HPCC's public simulator. Until T is known, the rate is that of the link and there is no window.
 */
class WindowCongestionControl : public RateCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifyAck(const AckSignals& signals, Time now) final;
    uint64_t GetWindow() const override;

  protected:
    /// Returns T, in seconds.
    double GetBaseRtt() const
    {
        return m_baseRtt;
    }

  private:
    /// An acknowledgement has arrived, and T is known.
    /// @param isNewRound once per round trip: it acknowledges a packet sent after the latest such
    /// call
    virtual void Update(const AckSignals& signals, bool isNewRound, Time now) = 0;

    Time m_baseAttribute;            ///< T, as set
    double m_baseRtt{0};             ///< T in seconds; 0: not known yet
    Time m_smallest{Time::Max()};    ///< round-trip time measured so far
    std::optional<uint64_t> m_round; ///< payload after which the round trip ends; none yet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WINDOW_CONGESTION_CONTROL_H */
