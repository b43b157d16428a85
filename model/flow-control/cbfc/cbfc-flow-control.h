// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_FLOW_CONTROL_H
#define LOSSLESS_CBFC_FLOW_CONTROL_H

#include "cbfc-buffer-policy.h"
#include "cbfc-gate.h"
#include "cbfc-receiver.h"
#include "cbfc-settings.h"

#include "ns3/flow-control.h"
#include "ns3/switch-node.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Credit-based flow control for links (the CBFC of Ultra Ethernet, as documented by SAI). This
 * class contains the downstream side, which has a CbfcReceiver for each port, and the settings of
 * both sides. The upstream side is CbfcGate. When sending, each end of a link uses the settings of
 * the other end, as if it had received them through LLDP.
 */
class CbfcFlowControl : public FlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CbfcFlowControl();
    ~CbfcFlowControl() override;

    /// Returns the settings of this switch.
    /// @param lossless the classes with credits
    CbfcSettings GetSettings(PrioritySet lossless) const;

    /// Returns the receiver of a port; valid after Configure().
    const CbfcReceiver& GetReceiver(PortId port) const;

    void Attach(SwitchServices* services,
                SharedBuffer* buffer,
                BufferPolicy* policy,
                const SwitchShape* shape) override;
    std::optional<std::string> Configure(const SwitchShape& shape) override;
    // It is a fatal error if the port leads to a switch without CBFC.
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    bool ObeysPfc() const override;
    void PrepareHost(Ptr<LosslessNetDevice> device) const override;
    bool IsLossless() const override;
    void OnArrival(const SwitchItem& item) override;
    void OnRejection(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnLinkUp(PortId port) override;
    bool IsHolding(QueueId queue) const override;

  protected:
    void DoDispose() override;

  private:
    /// A port, with its receiver and the gate for the opposite direction.
    class Port;

    /// Sets the channel of each class from a comma-separated list; an invalid list is a fatal
    /// error.
    void SetChannels(const std::string& list);
    std::string GetChannels() const;
    /// Sets the threshold to None, Static or Dynamic; any other name is a fatal error.
    void SetThreshold(const std::string& name);
    std::string GetThreshold() const;

    Ptr<Packet> DoMakeControl(PortId port) override;

    /// Returns an error message if an attribute is set but has no effect.
    std::optional<std::string> FindUnused() const;

    /// Returns the ingress port of a frame, or null if the frame's class has no credits.
    Port* FindPort(const SwitchItem& item);
    /// Updates the set of classes in which the neighbour may have to wait for credits. Called after
    /// the credits in use have changed.
    void NoteWaiting(PortId port);

    // The values of the attributes; see CbfcSettings.
    uint32_t m_creditBytes{128};
    int32_t m_overheadBytes{0};
    uint32_t m_channelCredits{0};
    uint32_t m_portCredits{0};
    uint32_t m_sharedCredits{0};
    int32_t m_sharedExponent{0};
    uint32_t m_updateSpacing{6400};
    uint32_t m_refreshSpacing{262144};
    Time m_counterPeriod{MicroSeconds(256)};
    CbfcThreshold m_threshold{CbfcThreshold::NONE};
    std::array<uint8_t, NUM_PRIORITIES> m_channels{};

    CbfcSettings m_settings; ///< the settings that result from the attributes above and the
                             ///< lossless classes
    std::vector<std::unique_ptr<Port>> m_ports; ///< the ports, indexed by port
    uint64_t m_stored{0};                       ///< the number of stored frames of classes with
                                                ///< credits
    bool m_isStoring{false};                    ///< whether m_stored is not 0; see Watch()
};

/// @ingroup lossless
/// A switch with credit-based flow control (CBFC of Ultra Ethernet) on all links, including links
/// to hosts.
class CbfcSwitchNode : public SwitchOf<CbfcBufferPolicy, CbfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_FLOW_CONTROL_H */
