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
 * Connects nodes by cables and captures their frames; the counterpart of ns-3's PointToPointHelper.
 *
 * Captures (EnablePcap) contain Ethernet frames, PFC frames included, with times in nanoseconds,
 * and open in Wireshark; see doc/reading-a-capture.rst. Files are named `PREFIX-NODE-DEVICE.pcap`,
 * where the node has its name in ns3::Names, which a Fabric enters, or its number. A prefix that
 * ends with a slash is a folder, which must exist, and the first hyphen is omitted:
 * EnablePcapAll("captures/") makes captures/leaf0-3.pcap. In ASCII traces (EnableAscii), `+` is a
 * packet handed over by the stack, `-` the first bit of a frame leaving, `r` a frame received and
 * `d` a frame lost on the way to the device: corrupt, or the cable was cut. DropRecorder shows
 * losses elsewhere. A file that could not be written in full stops the program in
 * Simulator::Destroy().
 */
class LosslessHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    LosslessHelper();

    /// Sets an attribute of the LosslessNetDevices installed from now on.
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// Sets an attribute of the LosslessChannels installed from now on.
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /// Connects two nodes. @return the device at a and the device at b
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b);

    /// @param nodes exactly two nodes
    /// @return their devices
    NetDeviceContainer Install(const NodeContainer& nodes);

    /**
     * Makes queue disciplines that drop nothing, for a host with ns-3's stack.
     *
     * What ns-3's address helpers install, TrafficControlHelper::Default(), would drop packets that
     * have waited for more than 5 ms under PAUSE (CoDel), and those beyond 10240 in a class. Here
     * the flows of each class take turns (FqCoDelQueueDisc) and nothing is dropped up to 1000 s and
     * a million packets per class, so that the send buffers of the sockets are the limit.
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

    /// @return a new device on the node
    Ptr<LosslessNetDevice> CreateDevice(Ptr<Node> node) const;

    ObjectFactory m_deviceFactory;
    ObjectFactory m_channelFactory;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HELPER_H */
