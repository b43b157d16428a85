// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHANNEL_H
#define LOSSLESS_CHANNEL_H

#include "lossless-net-device.h"

#include "ns3/channel.h"
#include "ns3/lookahead.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A full-duplex point-to-point cable between two LosslessNetDevices.
 *
 * Without jitter, the relative phase of senders with equal rates never changes. If a queue is full
 * and room for only one frame becomes free at a time, a frame of the same sender always takes it,
 * and the other senders lose all of their frames (Floyd and Jacobson, On Traffic Phase Effects in
 * Packet-Switched Gateways, 1992). "Jitter" randomizes the order in which frames arrive.
 */
class LosslessChannel : public Channel, public LookaheadChannel
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @param device one of the two ends; a third device stops the program
    void Attach(Ptr<LosslessNetDevice> device);

    /// @return the propagation delay, which is the same in both directions
    Time GetDelay() const
    {
        return m_delay;
    }

    /// @return the maximum time from the departure of a frame's last bit to its arrival
    Time GetLongestDelay() const
    {
        return m_delay + m_jitter;
    }

    /// Assigns fixed random streams to the jitter, starting at `stream`.
    /// @return the number of streams used: one per direction, or none without jitter
    int64_t AssignStreams(int64_t stream);

    /// @return whether both ends are attached and the cable has not been cut
    bool IsUp() const
    {
        return m_up && m_ends[1];
    }

    /// Cuts or restores the cable in both directions. Frames that are on the cable when it is cut
    /// are dropped.
    void SetUp(bool up);

    /// Sends the description of one end to the other end.
    void Announce(const LosslessNetDevice* device) const;

    /// @return the other end, or null if it is not attached
    Ptr<LosslessNetDevice> GetPeer(const LosslessNetDevice* device) const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @return the propagation delay, which jitter never shortens
    Time GetLookahead() const override
    {
        return m_delay;
    }

  protected:
    void DoDispose() override;

  private:
    /// Stops the program if one end has been initialized, because headroom, gates and the
    /// simulator's windows have then already been computed from the cable's properties.
    /// @param attribute the attribute about to be set
    void RequireNew(const char* attribute) const;
    void SetJitter(Time jitter);
    Time GetJitter() const;
    /// Connects the sending half of one end to the receiving half of the other end.
    void Connect(std::size_t end);
    /// Applies the delay and the jitter at both ends and makes the ends exchange their
    /// descriptions.
    void Adjust() const;
    /// Notifies both ends that the cable has been attached, cut or restored.
    void NotifyEnds();

    void SetDelay(Time delay);

    Time m_delay;
    Time m_jitter;   ///< the maximum random delay added to the propagation delay
    bool m_up{true}; ///< whether the cable is intact
    std::array<Ptr<LosslessNetDevice>, 2> m_ends; ///< the devices

    /// For each end, the random variable for the jitter of frames to that end, in ticks; null
    /// without jitter.
    std::array<Ptr<UniformRandomVariable>, 2> m_random;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CHANNEL_H */
