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
 * Passes all that a NIC notifies on to the control of a flow, and reports its rate and window when
 * the NIC asks for them and they have changed. Flows without a trace have none, and no cost.
 */
class TracedCongestionControl : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param control of the flow
    /// @param tellRate called with a new rate
    /// @param tellWindow called with a new window
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
    Ptr<CongestionControl> m_control;           ///< of the flow
    std::function<void(DataRate)> m_tellRate;   ///< called with a new rate
    std::function<void(uint64_t)> m_tellWindow; ///< called with a new window
    std::optional<DataRate> m_rate;             ///< told last
    mutable std::optional<uint64_t> m_window;   ///< told last
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TRACED_CONGESTION_CONTROL_H */
