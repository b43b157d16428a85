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

/// UDP destination port of raw frames: the "discard" service.
inline constexpr uint16_t RAW_UDP_PORT = 9;

/**
 * @ingroup lossless
 * Sends frames of one size in one class to one destination, without any transport.
 *
 * The frames are UDP datagrams, so that switches route, hash and classify them as others. They
 * are due at a fixed "Interval", or back to back at the rate of the link (Interval 0), all the
 * time or in bursts with pauses between them. A frame that finds its class closed or the wire
 * busy waits here; GetBacklog() tells how many do.
 *
 * An Application, so that the node keeps it and "StartTime" and "StopTime" mean what they always
 * do in ns-3.
 */
class RawSource : public Application, public FrameSource
{
  public:
    /// Bytes of the Ethernet, IPv4 and UDP headers of a frame.
    static constexpr uint32_t HEADER_BYTES = ETHERNET_BYTES + 20 + 8;

    /// @return the type
    static TypeId GetTypeId();

    RawSource();
    ~RawSource() override;

    /**
     * Puts the source on a device, and on the node of the device.
     * @param device device of a host; any number of sources may share it
     * @param address IPv4 source address of the frames
     */
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /// @param address IPv4 address @param mac MAC address of the host that frames go to
    void SetDestination(Ipv4Address address, Mac48Address mac);

    /// @return frames that are due and wait; of those back to back none is due before it can leave
    uint64_t GetBacklog() const;

    /// @return frames sent so far
    uint64_t GetSent() const
    {
        return m_sent;
    }

    /**
     * @param frameBytes bytes of the frames
     * @param mtu largest payload of an Ethernet frame of the device, in bytes
     * @return what is wrong with this pair; empty if the frame fits
     */
    static std::string DescribeMisfit(uint32_t frameBytes, uint32_t mtu);

    // Inherited from FrameSource

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Stops the program if the configuration cannot be.
    void CheckConfiguration() const;
    /// Writes what all frames have in common.
    void PrepareFrame();
    /// The next frame, or when back to back the next burst, is due.
    void Generate();
    /// @return whether the frames due so far make whole bursts, and a pause follows
    bool IsBurstEnd() const;
    /// @param wait time until Generate()
    void Await(Time wait);

    using GenerateEvent = RecurringEvent<RawSource, &RawSource::Generate>;

    LosslessNetDevice* m_device{nullptr}; ///< on the same node; null before Install()
    Ipv4Address m_address;                ///< source of the frames
    Ipv4Address m_destination;            ///< destination of the frames
    Mac48Address m_destinationMac;        ///< destination of the frames

    uint32_t m_frameBytes{0};  ///< bytes of a frame
    uint8_t m_priority{0};     ///< class of the frames
    Time m_interval;           ///< between frames; 0: back to back
    uint64_t m_maxFrames{0};   ///< frames to send; 0: any number
    uint64_t m_maxBytes{0};    ///< bytes to send; 0: any number
    uint64_t m_burstFrames{0}; ///< frames per burst; 0: no bursts
    Time m_burstPause;         ///< from the end of a burst to the next
    uint16_t m_sourcePort{0};  ///< UDP source port

    Frame m_frame;                                   ///< what all frames say, without a packet
    std::array<uint8_t, HEADER_BYTES> m_headerBytes; ///< what all frames begin with
    uint64_t m_limit{0};                             ///< frames that become due in all
    uint64_t m_due{0};                               ///< frames that have become due
    uint64_t m_sent{0};                              ///< frames that have left
    Ptr<GenerateEvent> m_generate;                   ///< pending while frames are to become due

    TracedCallback<Ptr<const Packet>> m_sentTrace; ///< a frame leaves
};

/**
 * @ingroup lossless
 * Counts the frames of RawSources that arrive at a host.
 */
class RawSink : public Object, public FrameReceiver
{
  public:
    /// What has arrived.
    struct Tally
    {
        uint64_t frames{0}; ///< number of frames
        uint64_t bytes{0};  ///< their bytes, from the Ethernet header on
        Time lastArrival;   ///< when the last bit of the latest one arrived
    };

    /// @return the type
    static TypeId GetTypeId();

    /**
     * Puts the sink on a device and aggregates it to the device, which keeps it alive.
     * @param device device of a host, without a sink so far
     * @param address address of the host
     */
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /// @return all frames
    const Tally& GetTotal() const
    {
        return m_total;
    }

    bool TryReceive(const Frame& frame) override;

  private:
    Ipv4Address m_address; ///< address of the host
    Tally m_total;         ///< all frames
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RAW_SOURCE_H */
