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
 * Where a device gets its frames from: a switch port, or the sources of a host.
 *
 * The device pulls, when its transmitter is free. A source which got something to send while the
 * transmitter idles says so by LosslessNetDevice::Kick().
 */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /**
     * The transmitter is free, or was just taken: brings what is ready up to date with the time and
     * with what may leave.
     * @param permit what may leave
     * @return whether Dequeue() would yield a frame
     */
    virtual bool Prepare(const Permit& permit) = 0;

    /**
     * The next frame to transmit; called only when Prepare() was true, and nothing has changed.
     * @param permit what may leave
     * @return the frame, which may
     */
    virtual Frame Dequeue(const Permit& permit) = 0;

    /// The gate lets other classes or flows through than before.
    virtual void NotifyGateChanged()
    {
    }

    /**
     * The wire is free for a MAC control frame which the source asked to send, see
     * LosslessNetDevice::RequestControl(). Asked again after each frame, until there is none.
     * @return the frame, made of what is to be said at this instant; null: nothing (more)
     */
    virtual Ptr<Packet> MakeControl()
    {
        return nullptr;
    }

    /**
     * The frame just dequeued is on the wire.
     * @param lastBit when its last bit will have left
     * @param permit what may leave behind it
     * @return whether the end of the transmission matters to the source: it has another frame
     * ready, or wants NotifyTransmitEnd() then; it costs an event
     */
    virtual bool NotifyTransmitStart(Ticks /* lastBit */, const Permit& permit)
    {
        return Prepare(permit);
    }

    /// Time has passed since the last call: frames whose last bit has left are gone.
    virtual void NotifyTransmitEnd()
    {
    }

    /// The link went down or came up. @param up whether it came up
    virtual void NotifyLinkChanged(bool /* up */)
    {
    }

    /// The neighbour has stopped classes, or has told so again.
    /// @param notice which, and for how long
    virtual void NotifyPaused(const PauseNotice& /* notice */)
    {
    }
};

/**
 * @ingroup lossless
 * Where a device hands the frames that have arrived, other than MAC control frames.
 */
class FrameSink
{
  public:
    virtual ~FrameSink() = default;

    /// @param frame a frame whose last bit has arrived
    virtual void Receive(Frame&& frame) = 0;

    /// Frames will arrive soon: brings what they will need, and what this object points to, into
    /// the processor's caches.
    virtual void Prefetch() const
    {
    }

    /// Of so many frames under way a host can read the packets in PrefetchFor() without waiting.
    static constexpr std::size_t FRAMES_AHEAD = 3;

    /// Frames are under way to here: brings what each of the first will need into the processor's
    /// caches. @param frames at least one, in the order of arrival
    virtual void PrefetchFor(const RingBuffer<Frame>& /* frames */) const
    {
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FRAME_ENDPOINT_H */
