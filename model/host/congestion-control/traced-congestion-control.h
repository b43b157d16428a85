// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRACED_CONGESTION_CONTROL_H
#define LOSSLESS_TRACED_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/ptr.h"

#include <functional>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Forwards a NIC's notifications to the congestion control of a flow. When the NIC queries the rate
 * or the window, this class reports any change. If neither trace source of
 * the NIC is connected when a flow starts, the flow has no such object, so that it incurs no cost.
 */
class TracedCongestionControl : public CongestionControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @param control the congestion control of the flow
    /// @param tellRate the function to call with a new rate
    /// @param tellWindow the function to call with a new window
    TracedCongestionControl(Ptr<CongestionControl> control,
                            std::function<void(DataRate)> tellRate,
                            std::function<void(uint64_t)> tellWindow);

    CongestionFeedback GetFeedback() const override;
    void Start(DataRate lineRate, uint32_t payloadBytes) override;
    void NotifySent(uint32_t bytes, Time now) override;
    void NotifyAck(const AckSignals& signals, Time now) override;
    void NotifyCnp(Time now) override;
    void NotifyLoss(const LossSignals& signals, Time now) override;
    void NotifyTrimmed(const LossSignals& signals, Time now) override;
    void NotifyPaused(const PauseNotice& notice, Time now) override;
    DataRate GetRate(Time now) override;
    uint64_t GetWindow() const override;

  private:
    Ptr<CongestionControl> m_control;           ///< the congestion control of the flow
    std::function<void(DataRate)> m_tellRate;   ///< the function to call with a new rate
    std::function<void(uint64_t)> m_tellWindow; ///< the function to call with a new window
    std::optional<DataRate> m_rate;             ///< the latest reported rate
    mutable std::optional<uint64_t> m_window;   ///< the latest reported window
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TRACED_CONGESTION_CONTROL_H */
