// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HELPER_H
#define LOSSLESS_HELPER_H

#include "ns3/lossless-net-device.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"
#include "ns3/traffic-control-helper.h"

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Connects nodes with cables and captures the frames on them, as PointToPointHelper does in ns-3.
 *
 * Captures (EnablePcap) contain Ethernet frames, including PFC frames, with nanosecond timestamps.
 * They can be opened in Wireshark; see doc/reading-a-capture.rst. Files are named
 * `PREFIX-NODE-DEVICE.pcap`, where NODE is the name of the node in ns3::Names (a Fabric registers
 * it) or its number. If the prefix ends with a slash, it is a folder, which must exist. The first
 * hyphen is then omitted, so EnablePcapAll("captures/") creates files such as
 * captures/leaf0-3.pcap.
 *
 * In ASCII traces (EnableAscii), `+` stands for a packet from the stack, `-` for the first bit of a
 * transmitted frame, and `r` for a received frame. `d` stands for a frame that was lost on the way
 * to the device because it was corrupt or the cable was cut. DropRecorder records other losses.
 * Simulator::Destroy() aborts the program if a file could not be written in full.
 */
class LosslessHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    LosslessHelper();

    /// Sets an attribute of the LosslessNetDevices that are installed after this call.
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// Sets an attribute of the LosslessChannels that are installed after this call.
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /// Connects two nodes.
    /// @return the device on node a and the device on node b
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b);

    /// @param nodes exactly two nodes to connect
    /// @return the devices of the two nodes
    NetDeviceContainer Install(const NodeContainer& nodes);

    /**
     * Creates queue discs that in practice do not drop packets, for a host with the ns-3 stack.
     *
     * By default, the address helpers of ns-3 install TrafficControlHelper::Default(). Its queue
     * discs would drop packets that wait for more than 5 ms during a PAUSE (because of CoDel) and
     * packets beyond 10240 per class. The queue discs created here serve the flows of each class in
     * turn (FqCoDelQueueDisc). They drop packets only after a wait of 1000 s or beyond a million
     * packets per class, so the sockets' send buffers limit the queues.
     *
     * @return a helper that installs one queue disc per class of a device
     */
    static TrafficControlHelper MakeTrafficControl();

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;

    /// @return a new device on the node
    Ptr<LosslessNetDevice> CreateDevice(Ptr<Node> node) const;

    ObjectFactory m_deviceFactory;
    ObjectFactory m_channelFactory;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HELPER_H */
