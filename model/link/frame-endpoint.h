// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_ENDPOINT_H
#define LOSSLESS_FRAME_ENDPOINT_H

#include "transmit-gate.h"

#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ring-buffer.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Source of a device's frames: a switch port, or the sources of a host.
 *
 * The device pulls a frame when its transmitter is free. A source that gets a frame while the
 * transmitter is idle calls LosslessNetDevice::Kick().
 */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /// Called when the transmitter is free or has just been taken: brings the source up to date
    /// with the time and the permit.
    /// @return whether Dequeue() would return a frame
    virtual bool Prepare(const Permit& permit) = 0;

    /// Removes and returns the next frame to transmit, which the permit allows. Called only if
    /// Prepare() has returned true and nothing has changed since.
    virtual Frame Dequeue(const Permit& permit) = 0;

    /// The gate lets other classes or flows through than before.
    virtual void NotifyGateChanged()
    {
    }

    /// Called when the wire is free for a MAC control frame requested by
    /// LosslessNetDevice::RequestControl(), and again after each frame until null is returned.
    /// @return a frame made from the present state; null if there is nothing (more) to send
    virtual Ptr<Packet> MakeControl()
    {
        return nullptr;
    }

    /// The frame just dequeued is on the wire.
    /// @param lastBit when its last bit will have left
    /// @param permit what may leave behind it
    /// @return whether the source needs the end of the transmission, which costs an event: it has
    /// another frame ready, or wants NotifyTransmitEnd() then
    virtual bool NotifyTransmitStart(Ticks /* lastBit */, const Permit& permit)
    {
        return Prepare(permit);
    }

    /// Time has passed since the last call: frames whose last bit has left are gone.
    virtual void NotifyTransmitEnd()
    {
    }

    /// The link went down or came up.
    virtual void NotifyLinkChanged(bool /* up */)
    {
    }

    /// The neighbour has paused classes, or has renewed a pause.
    virtual void NotifyPaused(const PauseNotice& /* notice */)
    {
    }
};

/**
 * @ingroup lossless
 * Destination of a device's received frames, except MAC control frames.
 */
class FrameSink
{
  public:
    virtual ~FrameSink() = default;

    /// @param frame its last bit has arrived
    virtual void Receive(Frame&& frame) = 0;

    /// Frames will arrive soon: prefetches what this object points to and what they will need.
    virtual void Prefetch() const
    {
    }

    /// Number of frames under way from which a host can read packets in PrefetchFor() without
    /// waiting.
    static constexpr std::size_t FRAMES_AHEAD = 3;

    /// Prefetches what the first of the frames under way to here will need.
    /// @param frames at least one, in order of arrival
    virtual void PrefetchFor(const RingBuffer<Frame>& /* frames */) const
    {
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FRAME_ENDPOINT_H */
