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
 * The receiving half of one direction of a cable. It stores, in order of arrival, the frames that
 * are on the cable to a device.
 *
 * The object itself is the event for the arrival of the first frame, so the size of the simulator's
 * event list depends on the number of links rather than on their bandwidth-delay products.
 */
class WireReceiver final : public ReusableEvent
{
  public:
    /// @param device the device that owns this object
    explicit WireReceiver(LosslessNetDevice* device);

    /// @param context the node of the device
    /// @param port the index of the device's port at the node
    void SetPlace(uint32_t context, uint32_t port);

    /// @param sink the recipient of all frames except MAC control frames; if null, the device
    /// receives all frames. Setting a sink saves 3 to 5 % of the run time if the device would only
    /// pass the frames on.
    /// @param isHost whether the sink belongs to a host, which reads headers
    void SetSink(FrameSink* sink, bool isHost);

    /// Receives a frame from the sending half.
    /// @param frame the frame, which must not arrive before the previous one
    void Take(Frame&& frame, Ticks now)
    {
        const Ticks arrival = frame.arrival;
        m_inFlight.Push(std::move(frame));
        if (!IsArmed())
        {
            ArmArrival(m_context, arrival - now, m_port);
        }
        m_inFlight.Prefetch(m_inFlight.GetSize()); // the slot of the next frame
    }

    void Prefetch(uint32_t step) const override;

    /// Drops all frames on the cable and notifies the device of each.
    void Cut();
    /// Called when the device is disposed of. Discards the frames on the cable.
    void Detach();

  private:
    /// Called when the first frame arrives.
    void Notify() override;
    /// Schedules the event for the first frame, if any.
    void Await(Ticks now);
    /// Prefetches the data that a host will need for the first frames.
    void Prefetch() const;

    uint32_t m_context{0};        ///< the node of the device
    uint16_t m_port{0};           ///< the port of the device
    bool m_isToHost{false};       ///< whether m_sink reads headers
    FrameSink* m_sink{nullptr};   ///< see SetSink()
    LosslessNetDevice* m_device;  ///< the device; not owned; null after Detach()
    RingBuffer<Frame> m_inFlight; ///< the frames in order of arrival
};

/**
 * @ingroup lossless
 * The sending half of one direction of a cable. It determines the arrival time of each frame and
 * passes the frame to the receiving half, which can be on another rank (see Ranks). The two halves
 * have no other connection.
 */
class WireSender
{
  public:
    WireSender();
    ~WireSender();
    WireSender(const WireSender&) = delete;
    WireSender& operator=(const WireSender&) = delete;

    /// @param receiver the receiving half
    void Connect(Ptr<WireReceiver> receiver)
    {
        m_receiver = receiver;
    }

    /// @param receiver this rank's copy of the receiving half
    /// @param rank the rank of the receiving half
    void ConnectRemotely(Ptr<WireReceiver> receiver, uint32_t rank);
    /// Removes the connection to the receiving half.
    void Disconnect();

    /// @param delay the propagation delay
    void SetDelay(Time delay);
    /// @param jitter the random variable for the additional delay, in ticks; can be null
    void SetJitter(Ptr<UniformRandomVariable> jitter);

    /// @param retry the LinkRetry to notify of each sent frame; not owned; can be null
    void SetRetry(LinkRetry* retry);

    /// Sends a frame to the receiver. The frame arrives one propagation delay, plus any jitter,
    /// after its last bit has been sent.
    /// @param lastBit the departure time of the frame's last bit, which must not precede that of
    /// the previous frame
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

    /// Sends a frame. Called only if there is jitter, a LinkRetry, or a receiver on another rank.
    /// @param frame the frame with its arrival time without jitter
    void CarrySpecially(Frame&& frame, Ticks now);
    /// @return the Detour, which is created if necessary
    Detour& GetDetour();

    Ptr<WireReceiver> m_receiver; ///< the receiving half; null if not connected
    Ticks m_delay{0};
    std::unique_ptr<Detour> m_detour; ///< see GetDetour(); null if not needed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WIRE_H */
