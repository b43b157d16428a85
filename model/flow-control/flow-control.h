// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_CONTROL_H
#define LOSSLESS_FLOW_CONTROL_H

#include "ns3/buffer-policy.h"
#include "ns3/ecn-marker.h"
#include "ns3/egress-queue.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-item.h"
#include "ns3/transmit-gate.h"

#include <optional>
#include <string>

namespace ns3::lossless
{

class LosslessNetDevice;

/**
 * @ingroup lossless
 * What a switch lends to its flow control; small enough to fake in a test.
 */
class SwitchServices
{
  public:
    virtual ~SwitchServices() = default;

    /// @return the ledger, in which flow control notes whom it has stopped
    virtual SharedBuffer& GetBuffer() = 0;
    /// @return the admission rules
    virtual const BufferPolicy& GetPolicy() const = 0;
    /// @return ports, links and lossless classes of the switch
    virtual const SwitchShape& GetShape() const = 0;
    /// There is something to tell the neighbour behind a port: FlowControl::MakeControl() is called
    /// as soon as its wire is free. Void while its link is down. @param port the port
    virtual void RequestControl(PortId port) = 0;
    /// @param port a port @return its MAC address
    virtual Mac48Address GetAddress(PortId port) const = 0;
    /// @param port a port @return whether its link is up
    virtual bool IsLinkUp(PortId port) const = 0;
};

/**
 * @ingroup lossless
 * A flow control scheme. One object per switch, since several schemes look across ports.
 *
 * It sees each frame three times, and supplies the parts of the data path that the scheme
 * replaces. This base class does nothing, and so is the "no flow control" of the baselines.
 */
class FlowControl : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param services the switch; not owned, outlives this object's use
    void Attach(SwitchServices* services);

    /**
     * Called once, before the first frame.
     * @param shape what the switch is like
     * @return a sentence with the numbers if the configuration is impossible
     */
    virtual std::optional<std::string> Configure(const SwitchShape& shape);

    /// @return whether the scheme keeps frames of the classes under it from being lost
    virtual bool IsLossless() const;

    /**
     * A frame was routed and is about to ask for admission: may it leave by that port? A scheme
     * which sends frames elsewhere (PABO) changes its egress port here, and one whose queues have
     * limits of their own refuses frames. It may also change the frame.
     * @param item the frame
     * @return why the frame is lost; nothing if it is not
     */
    virtual std::optional<DropReason> Steer(SwitchItem& item);

    /// A frame was stored and counted. @param item the frame
    virtual void OnEnqueue(const SwitchItem& item);

    /// A frame starts to leave; it may still be marked. @param item the frame, still counted
    virtual void OnDequeue(SwitchItem& item);

    /// The last bit of a frame has left. @param item the frame, no longer counted
    virtual void OnRelease(const SwitchItem& item);

    /**
     * A stored frame which has not begun to leave is lost with its link. The base class treats it
     * as released.
     * @param item the frame, no longer counted
     */
    virtual void OnDiscard(const SwitchItem& item);

    /// The link of a port has come up again: its neighbour has forgotten. @param port the port
    virtual void OnLinkUp(PortId port);

    /**
     * The wire of a port is free for a control frame that SwitchServices::RequestControl() asked
     * for. The frame is made now and not at the request, so that a scheme whose newer word replaces
     * the older one (PFC) tells the state of this instant, and nothing stale goes before it; a
     * scheme whose words add up makes a frame of all that it has not told yet.
     * @param port the port
     * @return the frame; null: there is nothing to tell. Asked again after each frame.
     */
    virtual Ptr<Packet> MakeControl(PortId port);

    /**
     * Whether OnRelease() is needed at the very moment at which the last bit leaves. If not, the
     * switch saves an event and releases the frame before the next thing that happens.
     * @return the answer, which may change whenever one of the methods above was called
     */
    bool IsWatchingReleases() const
    {
        return m_watching;
    }

    /// @param port a port @return the upstream side of the scheme for its device
    virtual Ptr<TransmitGate> CreateGate(PortId port);

    /// @param queue an egress queue @return its structure
    virtual Ptr<EgressQueue> CreateEgressQueue(QueueId queue);

    /// @param port a port @return the scheme's own marker; null: the one the switch is set to use
    virtual Ptr<EcnMarker> CreateMarker(PortId port);

    /**
     * Gives a host behind this switch its part in the scheme, if it has one. Called by Fabric,
     * before anything else receives at the host.
     * @param device device of the host
     * @param address its address
     */
    virtual void PrepareHost(Ptr<LosslessNetDevice> device, Ipv4Address address) const;

    /**
     * Fixes the random numbers of the scheme, if it has any.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

    /// @return the switch
    SwitchServices& Services() const
    {
        return *m_services;
    }

    /// @param watching see IsWatchingReleases()
    void SetWatchingReleases(bool watching)
    {
        m_watching = watching;
    }

  private:
    SwitchServices* m_services{nullptr}; ///< not owned
    bool m_watching{false};              ///< see IsWatchingReleases()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CONTROL_H */
