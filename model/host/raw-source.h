// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RAW_SOURCE_H
#define LOSSLESS_RAW_SOURCE_H

#include "ns3/application.h"
#include "ns3/frame-endpoint.h"
#include "ns3/host-port.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/recurring-event.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::lossless
{

class LosslessNetDevice;

/// The UDP destination port of raw frames, which is assigned to the "discard" service.
inline constexpr uint16_t RAW_UDP_PORT = 9;

/**
 * @ingroup lossless
 * Sends frames of equal size and class to one destination, without a transport protocol.
 *
 * The frames carry UDP datagrams, so switches route, hash and classify them like other packets.
 * They become due once per "Interval" or, if "Interval" is 0, back to back at the rate of the link.
 * They are sent continuously or in bursts with pauses in between. Frames wait in the source while
 * the class is stopped or the wire is busy; see GetBacklog().
 *
 * This is an Application, so the node owns it, and "StartTime" and "StopTime" work as usual in
 * ns-3.
 */
class RawSource : public Application, public FrameSource
{
  public:
    /// The total size of the Ethernet, IPv4 and UDP headers of a frame, in bytes.
    static constexpr uint32_t HEADER_BYTES = ETHERNET_BYTES + 20 + 8;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    RawSource();
    ~RawSource() override;

    /// Adds the source to a host's device and to the device's node. A device can have several
    /// sources.
    /// @param address the IPv4 source address of the frames
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /// Sets the addresses of the host that receives the frames.
    void SetDestination(Ipv4Address address, Mac48Address mac);

    /// Returns the number of due frames that are waiting. With back-to-back transmission, a frame
    /// becomes due only when it can be sent.
    uint64_t GetBacklog() const;

    /// Returns the number of frames sent so far.
    uint64_t GetSent() const
    {
        return m_sent;
    }

    /// Describes why a frame size is invalid. Returns an empty string if it is valid.
    /// @param frameBytes the frame size
    /// @param mtu the largest payload of the device's Ethernet frames, in bytes
    static std::string DescribeMisfit(uint32_t frameBytes, uint32_t mtu);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void CheckConfiguration() const;
    void PrepareFrame();
    /// Makes the next frame due or, if frames are sent back to back, the next burst.
    void Generate();
    void Await(Time wait);

    using GenerateEvent = RecurringEvent<RawSource, &RawSource::Generate>;

    LosslessNetDevice* m_device{nullptr}; ///< the device that sends frames; null before Install()
    Ipv4Address m_address;                ///< the source address of the frames
    Ipv4Address m_destination;            ///< the destination address of the frames
    Mac48Address m_destinationMac;        ///< the destination MAC address of the frames

    uint32_t m_frameBytes{0};  ///< the frame size in bytes
    uint8_t m_priority{0};     ///< the class of the frames
    Time m_interval;           ///< the time between frames; 0 to send them back to back
    uint64_t m_maxFrames{0};   ///< the number of frames to send; 0 for no limit
    uint64_t m_maxBytes{0};    ///< the number of bytes to send; 0 for no limit
    uint64_t m_burstFrames{0}; ///< the number of frames per burst; 0 for no bursts
    Time m_burstPause;         ///< the time from the end of a burst to the start of the next one
    uint16_t m_sourcePort{0};  ///< the UDP source port

    Frame m_frame;                                   ///< the template of all frames, without a
                                                     ///< packet
    std::array<uint8_t, HEADER_BYTES> m_headerBytes; ///< the headers of all frames
    uint64_t m_limit{0};                             ///< the total number of frames that become due
    uint64_t m_due{0};                               ///< the number of frames that have become due
    uint64_t m_sent{0};                              ///< the number of frames that have been sent
    Ptr<GenerateEvent> m_generate;                   ///< the event that makes further frames due

    TracedCallback<Ptr<const Packet>> m_sentTrace; ///< fired when a frame is sent
};

/// @ingroup lossless
/// Counts the frames of RawSources that arrive at a host.
class RawSink : public Object, public FrameReceiver
{
  public:
    /// The counts of the frames that have arrived so far.
    struct Tally
    {
        uint64_t frames{0}; ///< the number of frames
        uint64_t bytes{0};  ///< the number of bytes, including Ethernet headers
        Time lastArrival;   ///< the time at which the last bit of the latest frame arrived
    };

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Aggregates the sink to a host's device, which then owns it. The device must not have a sink
    /// yet.
    /// @param address the address of the host
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /// Returns the counts of all frames.
    const Tally& GetTotal() const
    {
        return m_total;
    }

    bool TryReceive(const Frame& frame) override;

  private:
    Ipv4Address m_address; ///< the address of the host
    Tally m_total;         ///< the counts of all frames
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RAW_SOURCE_H */
