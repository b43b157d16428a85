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
 * Passes everything that a NIC notifies on to the congestion control of a flow, and reports its
 * rate and window when the NIC asks for them and they have changed. Flows without connected traces
 * have no such object and so incur no cost.
 */
class TracedCongestionControl : public CongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param control the congestion control of the flow
    /// @param tellRate a function that is called with a new rate
    /// @param tellWindow a function that is called with a new window
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
    Ptr<CongestionControl> m_control;           ///< congestion control of the flow
    std::function<void(DataRate)> m_tellRate;   ///< function that is called with a new rate
    std::function<void(uint64_t)> m_tellWindow; ///< function that is called with a new window
    std::optional<DataRate> m_rate;             ///< rate reported last
    mutable std::optional<uint64_t> m_window;   ///< window reported last
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TRACED_CONGESTION_CONTROL_H */
