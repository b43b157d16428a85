// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHANNEL_H
#define LOSSLESS_CHANNEL_H

#include "lossless-net-device.h"
#include "lossless-wire.h"

#include "ns3/channel.h"
#include "ns3/nstime.h"

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
class LosslessChannel : public Channel
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    LosslessChannel();

    /// @param device one of the two ends; a third one stops the program
    void Attach(Ptr<LosslessNetDevice> device);

    /// @param sender an end of the cable @return the direction by which it sends; not owned
    Wire* GetWire(const LosslessNetDevice* sender) const;

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

  protected:
    void DoDispose() override;

  private:
    /// @param jitter the largest random delay
    void SetJitter(Time jitter);
    /// @return the largest random delay
    Time GetJitter() const;
    /// If the ends are of different ranks, frames cross as bytes.
    void JoinRanks();
    /// Both ends tell each other what they are.
    void Introduce() const;
    /// Both ends see that the cable was completed, cut or mended.
    void NotifyEnds();

    /// @param delay of propagation
    void SetDelay(Time delay);

    Time m_delay;                                 ///< propagation delay
    Time m_jitter;                                ///< largest random delay beyond it
    bool m_up{true};                              ///< not cut
    std::array<Ptr<Wire>, 2> m_wires;             ///< m_wires[i] leads to end i
    std::array<Ptr<LosslessNetDevice>, 2> m_ends; ///< the devices
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CHANNEL_H */
