// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_HOST_H
#define LOSSLESS_CBFC_HOST_H

#include "cbfc-gate.h"
#include "cbfc-receiver.h"

#include "ns3/host-port.h"
#include "ns3/object.h"

namespace ns3::lossless
{

class LosslessNetDevice;

/// @ingroup lossless
/// The receiving side of CBFC at a host. It grants credits to the switch and, because the host
/// consumes frames without delay, immediately returns the credits of arriving frames. The sending
/// side is the gate of the device.
class CbfcHost : public Object, public FrameReceiver, public CbfcLinkEnd
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Aggregates this object to a host's device, which then owns it.
    void Install(Ptr<LosslessNetDevice> device);

    /// Configures both directions.
    /// @param link the link direction in which the switch sends
    void Configure(const CbfcSettings& settings, const PortLink& link);

    /// Returns the receiver.
    const CbfcReceiver& GetReceiver() const
    {
        return m_receiver;
    }

    bool TryReceive(const Frame& frame) override;
    void RequestCounters() override;
    void TakeCounters(const CcUpdateHeader& counters) override;
    bool IsUp() const override;

  protected:
    void DoDispose() override;

  private:
    void SendUpdate();
    void NotifyLinkChanged();

    CbfcSettings m_settings;              ///< the settings of the receiver
    CbfcReceiver m_receiver;              ///< the counters of the receiver
    LosslessNetDevice* m_device{nullptr}; ///< the device that owns this object
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_HOST_H */
