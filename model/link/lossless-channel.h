// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHANNEL_H
#define LOSSLESS_CHANNEL_H

#include "lossless-net-device.h"

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A full-duplex point-to-point cable between two LosslessNetDevices.
 *
 * Each direction keeps its frames under way in order and has one pending event, for the first of
 * them: the simulator's event list grows with the number of links and not with rate x delay.
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

    /**
     * Carries a frame to the other end, where it arrives one delay after its last bit has left, and
     * up to one jitter later.
     * @param sender the end that transmits
     * @param frame the frame
     * @param lastBit when its last bit leaves the sender, not before the previous frame's
     * @param now the time
     */
    void Transmit(const LosslessNetDevice* sender, Frame&& frame, Ticks lastBit, Ticks now);

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
        return m_up && m_wires[1].m_receiver;
    }

    /**
     * Cuts or mends the cable, for both ends. Frames under way are lost when it is cut.
     * @param up the new state
     */
    void SetUp(bool up);

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
    /// Both ends see that the cable was completed, cut or mended.
    void NotifyEnds();

    /// One direction of the cable.
    class Wire
    {
      public:
        Wire();
        ~Wire();
        Wire(const Wire&) = delete;
        Wire& operator=(const Wire&) = delete;

        /// @param jitter the largest random delay
        void SetJitter(Time jitter);
        /// @param stream of the random delays @return number of streams used; 0 without jitter
        int64_t AssignStreams(int64_t stream);
        /// @param frame a frame that leaves, its arrival without jitter set @param now the time
        void Carry(Frame&& frame, Ticks now);
        /// All frames under way are lost, and the receiver is told of each.
        void Cut();
        /// Forgets the receiver and the frames under way.
        void Dispose();

        Ptr<LosslessNetDevice> m_receiver; ///< the end that this direction leads to

      private:
        /// @param arrival of a frame without jitter @return with jitter, and not before the latest
        Ticks Postpone(Ticks arrival);
        /// The first frame arrives.
        void Deliver();
        /// Waits for the first frame. @param now the current time
        void ArmFor(Ticks now);

        using ArrivalEvent = RecurringEvent<Wire, &Wire::Deliver>;

        RingBuffer<Frame> m_inFlight;        ///< in the order of arrival
        Ptr<ArrivalEvent> m_arrival;         ///< arrival of the first
        Ptr<UniformRandomVariable> m_random; ///< draws the jitter, in ticks; null without
        Ticks m_latest{0};                   ///< latest arrival with jitter
    };

    Time m_delay;                ///< propagation delay
    Time m_jitter;               ///< largest random delay beyond it
    bool m_up{true};             ///< not cut
    std::array<Wire, 2> m_wires; ///< m_wires[i] leads to end i
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CHANNEL_H */
