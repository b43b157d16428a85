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
 * Senders of equal rate keep their phases for ever. Where a full queue that drops gets room for one
 * frame at a time, the same sender is the first to come each time, and the others lose all of their
 * frames (Floyd and Jacobson, On Traffic Phase Effects in Packet-Switched Gateways, 1992). With
 * "Jitter" it is a matter of luck who comes first.
 */
class LosslessChannel : public Channel, public LookaheadChannel
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param device one of the two ends; a third one stops the program
    void Attach(Ptr<LosslessNetDevice> device);

    /// @return propagation delay, the same in both directions
    Time GetDelay() const
    {
        return m_delay;
    }

    /// @return the longest time from the last bit sent to its arrival
    Time GetLongestDelay() const
    {
        return m_delay + m_jitter;
    }

    /**
     * Fixes the random numbers of the jitter.
     * @param stream first stream to use
     * @return number of streams used: one for each direction, or 0 without jitter
     */
    int64_t AssignStreams(int64_t stream);

    /// @return whether frames get through: both ends are attached, and it is not cut
    bool IsUp() const
    {
        return m_up && m_ends[1];
    }

    /**
     * Cuts or mends the cable, for both ends. Frames under way are lost when it is cut.
     * @param up the new state
     */
    void SetUp(bool up);

    /// Tells the other end what an end is now. @param device the end
    void Announce(const LosslessNetDevice* device) const;

    /// @param device one end @return the other end; null while it is not attached
    Ptr<LosslessNetDevice> GetPeer(const LosslessNetDevice* device) const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @return the propagation delay, below which no jitter gets
    Time GetLookahead() const override
    {
        return m_delay;
    }

  protected:
    void DoDispose() override;

  private:
    /// Stops the program if an end is initialised: headroom, gates and the simulator's windows are
    /// for the cable as it was then. @param attribute that is about to be set
    void RequireNew(const char* attribute) const;
    /// @param jitter the largest random delay
    void SetJitter(Time jitter);
    /// @return the largest random delay
    Time GetJitter() const;
    /// Connects what an end sends by with what the other end receives by. @param end index of the
    /// one that sends
    void Connect(std::size_t end);
    /// Both ends send with this delay and jitter, and tell each other what they are.
    void Adjust() const;
    /// Both ends see that the cable was completed, cut or mended.
    void NotifyEnds();

    /// @param delay of propagation
    void SetDelay(Time delay);

    Time m_delay;                                 ///< propagation delay
    Time m_jitter;                                ///< largest random delay beyond it
    bool m_up{true};                              ///< not cut
    std::array<Ptr<LosslessNetDevice>, 2> m_ends; ///< the devices

    /// Draw the jitter of frames to each end, in ticks; null without.
    std::array<Ptr<UniformRandomVariable>, 2> m_random;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CHANNEL_H */
