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
 * It is itself the event of its first frame's arrival, so the simulator's event list grows with the
 * number of links, not with rate x delay.
 */
class WireReceiver final : public ReusableEvent
{
  public:
    /// @param device owns this object
    explicit WireReceiver(LosslessNetDevice* device);

    /// @param context node of the device
    /// @param port of that node
    void SetPlace(uint32_t context, uint32_t port);

    /// @param sink gets all frames except MAC control frames directly, if the device would only
    /// pass them on: saves 3 to 5 % of a run; null: the device takes all frames
    /// @param isHost whether the sink is a host's, which reads headers
    void SetSink(FrameSink* sink, bool isHost);

    /// Takes a frame under way. @param frame with its arrival, not before the previous frame's
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

    /// Loses all frames under way; the device is notified of each.
    void Cut();
    /// Called when the device is disposed of: drops the frames under way.
    void Detach();

  private:
    /// The first frame arrives.
    void Notify() override;
    /// Arms the event for the first frame, if there is one.
    void Await(Ticks now);
    /// Prefetches what a host will read of and for the first frames.
    void PrefetchForHost() const;

    uint32_t m_context{0};        ///< node of the device
    uint16_t m_port{0};           ///< of that node
    bool m_isToHost{false};       ///< m_sink reads headers
    FrameSink* m_sink{nullptr};   ///< see SetSink()
    LosslessNetDevice* m_device;  ///< not owned; null after Detach()
    RingBuffer<Frame> m_inFlight; ///< in order of arrival
};

/**
 * @ingroup lossless
 * The sending half: determines when a frame arrives, and how it gets to the receiving half, which
 * may be of another rank, see Ranks. The two halves have no other connection.
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
    /// @param receiver the other half's counterpart here
    /// @param rank of the other half
    void ConnectRemotely(Ptr<WireReceiver> receiver, uint32_t rank);
    /// Forgets the other half.
    void Disconnect();

    /// @param delay of propagation
    void SetDelay(Time delay);
    /// @param jitter draws the random delay on top, in ticks; may be null
    void SetJitter(Ptr<UniformRandomVariable> jitter);

    /// @param retry sees each frame carried; not owned; may be null
    void SetRetry(LinkRetry* retry);

    /// Carries a frame to the receiver, where it arrives one delay after its last bit has left,
    /// plus up to one jitter.
    /// @param lastBit when the last bit leaves the sender, not before the previous frame's
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

    /// Carries a frame with jitter, to another rank, or kept by a LinkRetry.
    /// @param frame with its arrival without jitter
    void CarrySpecially(Frame&& frame, Ticks now);
    /// @return the detour, created if necessary
    Detour& GetDetour();

    Ptr<WireReceiver> m_receiver; ///< the other half; null while there is none
    Ticks m_delay{0};
    std::unique_ptr<Detour> m_detour; ///< null if not needed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WIRE_H */
