// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHANNEL_H
#define LOSSLESS_CHANNEL_H

#include "lossless-net-device.h"
#include "recurring-event.h"
#include "ring-buffer.h"

#include "ns3/channel.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A full-duplex point-to-point cable between two LosslessNetDevices.
 *
 * Each direction keeps its frames under way in order and has one pending event, for the first of
 * them: the simulator's event list grows with the number of links and not with rate x delay.
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
     * Carries a frame to the other end, where it arrives one delay after its last bit has left.
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

        /// @param frame a frame that leaves, its arrival set @param now the time
        void Carry(Frame&& frame, Ticks now);
        /// All frames under way are lost, and the receiver is told of each.
        void Cut();
        /// Forgets the receiver and the frames under way.
        void Dispose();

        Ptr<LosslessNetDevice> m_receiver; ///< the end that this direction leads to

      private:
        /// The first frame arrives.
        void Deliver();
        /// Waits for the first frame. @param now the current time
        void ArmFor(Ticks now);

        using ArrivalEvent = RecurringEvent<Wire, &Wire::Deliver>;

        RingBuffer<Frame> m_inFlight; ///< in the order of arrival
        Ptr<ArrivalEvent> m_arrival;  ///< arrival of the first
    };

    Time m_delay;                ///< propagation delay
    bool m_up{true};             ///< not cut
    std::array<Wire, 2> m_wires; ///< m_wires[i] leads to end i
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CHANNEL_H */
