// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WIRE_H
#define LOSSLESS_WIRE_H

#include "ns3/lossless-frame.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"

#include <cstdint>
#include <memory>

namespace ns3
{
class UniformRandomVariable;
} // namespace ns3

namespace ns3::lossless
{

class FrameSink;
class LinkRetry;
class LosslessNetDevice;

/**
 * @ingroup lossless
 * The receiving half of one direction of a cable: the frames under way to a device, in order.
 *
 * It is the event of its first frame's arrival itself: the simulator's event list grows with the
 * number of links and not with rate x delay.
 */
class WireReceiver final : public ReusableEvent
{
  public:
    /// @param device where frames arrive; owns this object
    explicit WireReceiver(LosslessNetDevice* device);

    /// @param context node of the device @param port of that node
    void SetPlace(uint32_t context, uint32_t port);

    /**
     * @param sink where the device only hands on what arrives but MAC control frames, which saves a
     * look at the device (3 to 5 % of a run); null: the device takes everything
     * @param isHost whether the sink is a host's, which reads headers
     */
    void SetSink(FrameSink* sink, bool isHost);

    /// A frame is under way. @param frame with its arrival, not before the previous frame's
    /// @param now the time
    void Take(Frame&& frame, Ticks now)
    {
        const Ticks arrival = frame.arrival;
        m_inFlight.Push(std::move(frame));
        if (!IsArmed())
        {
            ArmArrival(m_context, arrival - now, m_port);
        }
        m_inFlight.Prefetch(m_inFlight.GetSize()); // for the next one
    }

    void Prefetch(uint32_t step) const override;

    /// All frames under way are lost, and the device is told of each.
    void Cut();
    /// The device goes away, and the frames under way with it.
    void Detach();

  private:
    /// The first frame arrives.
    void Notify() override;
    /// Waits for the first frame, if there is one. @param now the time
    void Await(Ticks now);
    /// Brings what a host will read of the first frames, and for them, into the processor's caches.
    void PrefetchForHost() const;

    uint32_t m_context{0};        ///< node of the device
    uint16_t m_port{0};           ///< of that node
    bool m_isToHost{false};       ///< m_sink reads headers
    FrameSink* m_sink{nullptr};   ///< see SetSink()
    LosslessNetDevice* m_device;  ///< not owned; null after Detach()
    RingBuffer<Frame> m_inFlight; ///< in the order of arrival
};

/**
 * @ingroup lossless
 * The sending half: when a frame arrives, and how it gets to the receiving half, which may be of
 * another rank, see Ranks. Nothing else passes between the two.
 */
class WireSender
{
  public:
    WireSender();
    ~WireSender();
    WireSender(const WireSender&) = delete;
    WireSender& operator=(const WireSender&) = delete;

    /// @param receiver the other half
    void Connect(Ptr<WireReceiver> receiver);
    /// @param receiver the other half, whose place another rank takes @param rank that one
    void ConnectRemotely(Ptr<WireReceiver> receiver, uint32_t rank);
    /// Forgets the other half.
    void Disconnect();

    /// @param delay of propagation
    void SetDelay(Time delay);
    /// @param jitter draws the random delay beyond it, in ticks; null: there is none
    void SetJitter(Ptr<UniformRandomVariable> jitter);

    /// @param retry is shown each frame that is carried; not owned; null: there is none
    void SetRetry(LinkRetry* retry);

    /**
     * Carries a frame to the receiver, where it arrives one delay after its last bit has left, and
     * up to one jitter later.
     * @param frame the frame
     * @param lastBit when its last bit leaves the sender, not before the previous frame's
     * @param now the time
     */
    void Carry(Frame&& frame, Ticks lastBit, Ticks now)
    {
        frame.arrival = lastBit + m_delay;
        if (m_detour)
        {
            CarrySpecially(std::move(frame), now);
        }
        else
        {
            m_receiver->Take(std::move(frame), now);
        }
    }

  private:
    struct Detour;

    /// Carries a frame with jitter, or to another rank, or that a LinkRetry keeps. @param frame
    /// with its arrival without jitter @param now the time
    void CarrySpecially(Frame&& frame, Ticks now);
    /// @return what is there only with jitter, a LinkRetry, or to another rank; made if it was not
    /// there
    Detour& GetDetour();

    Ptr<WireReceiver> m_receiver;     ///< the other half; null while there is none
    Ticks m_delay{0};                 ///< of propagation
    std::unique_ptr<Detour> m_detour; ///< see GetDetour(); null: neither
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WIRE_H */
