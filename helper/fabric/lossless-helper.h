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
 * Connects nodes by cables, and captures what goes over them; the counterpart of ns-3's
 * PointToPointHelper.
 *
 * Captures (EnablePcap) are Ethernet frames that Wireshark opens, PFC frames included, with times
 * in nanoseconds; doc/reading-a-capture.rst tells how to read them. Files are named
 * `PREFIX-NODE-DEVICE.pcap`, the node by its name in ns3::Names, which a Fabric enters, or else by
 * its number; behind a prefix that ends with a slash, a folder which has to exist, without the
 * first hyphen: EnablePcapAll("captures/") makes captures/leaf0-3.pcap. In ASCII traces
 * (EnableAscii), `+` is a packet handed over by the stack, `-` a frame whose first bit leaves, `r`
 * a frame received and `d` one lost on the way to the device: corrupt, or the cable was cut. What
 * is lost elsewhere is not shown there: DropRecorder tells of it. A file that could not be written
 * in full stops the program in Simulator::Destroy().
 */
class LosslessHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    LosslessHelper();

    /// @param name attribute of LosslessNetDevice @param value for devices installed from now on
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// @param name attribute of LosslessChannel @param value for cables installed from now on
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Connects two nodes.
     * @param a one node
     * @param b the other node
     * @return the device at a and the device at b
     */
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b);

    /// @param nodes exactly two nodes @return their devices
    NetDeviceContainer Install(const NodeContainer& nodes);

    /**
     * Queue disciplines that lose nothing, for a host on which ns-3's stack is to run.
     *
     * What ns-3's address helpers install, TrafficControlHelper::Default(), would drop packets that
     * have waited for longer than 5 ms under PAUSE (CoDel), and those beyond 10240 in a class. Here
     * the flows of each class take turns (FqCoDelQueueDisc) and nothing is dropped up to 1000 s
     * and a million packets in a class, so that the send buffers of the sockets are the limit.
     *
     * @return installs one queue discipline for each class of a device
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

    /// @param node a node @return a new device on it
    Ptr<LosslessNetDevice> CreateDevice(Ptr<Node> node) const;

    ObjectFactory m_deviceFactory;  ///< makes the devices
    ObjectFactory m_channelFactory; ///< makes the cables
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HELPER_H */
