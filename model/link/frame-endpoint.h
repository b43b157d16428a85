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
 * The source of a device's frames: a switch port, or all sources of a host combined.
 *
 * The device requests a frame when its transmitter is free. A source that receives a frame while
 * the transmitter is idle must call LosslessNetDevice::Kick().
 */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /// Updates the source for the current time and permit. Called when the transmitter has become
    /// free or busy.
    /// @return whether Dequeue() would return a frame
    virtual bool Prepare(const Permit& permit) = 0;

    /// Removes and returns the next frame to transmit that the permit allows. Called only if
    /// Prepare() has returned true and nothing has changed since.
    virtual Frame Dequeue(const Permit& permit) = 0;

    /// Called when the gate has opened for a class, flow or frame.
    virtual void NotifyGateChanged()
    {
    }

    /// Called when the wire is free for a MAC control frame requested by
    /// LosslessNetDevice::RequestControl(), and again after each such frame until this function
    /// returns null.
    /// @return a frame that reports the current state, or null if there is nothing to report
    virtual Ptr<Packet> MakeControl()
    {
        return nullptr;
    }

    /// Called when the transmission of the frame just dequeued has started.
    /// @param lastBit the departure time of the frame's last bit
    /// @param permit the classes and frames that can be sent next
    /// @return whether the transmission must end with an event, because another frame is ready or
    /// NotifyTransmitEnd() must be called
    virtual bool NotifyTransmitStart(Ticks /* lastBit */, const Permit& permit)
    {
        return Prepare(permit);
    }

    /// Called when the source can release all frames whose last bit has been sent.
    virtual void NotifyTransmitEnd()
    {
    }

    /// Called when the link has gone down or come up.
    virtual void NotifyLinkChanged(bool /* up */)
    {
    }

    /// Called when the neighbour has paused classes or renewed a pause.
    virtual void NotifyPaused(const PauseNotice& /* notice */)
    {
    }
};

/**
 * @ingroup lossless
 * The destination of the frames that a device receives, except MAC control frames.
 */
class FrameSink
{
  public:
    virtual ~FrameSink() = default;

    /// Receives a frame.
    /// @param frame the frame, whose last bit has arrived
    virtual void Receive(Frame&& frame) = 0;

    /// Prefetches the data needed to receive frames that will arrive soon.
    virtual void Prefetch() const
    {
    }

    /// The number of frames on the cable whose packets a host's Prefetch() can read without
    /// waiting for memory.
    static constexpr std::size_t FRAMES_AHEAD = 3;

    /// Prefetches the data needed to receive the first frames on the cable to this sink.
    /// @param frames the frames in order of arrival, at least one
    virtual void Prefetch(const RingBuffer<Frame>& /* frames */) const
    {
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FRAME_ENDPOINT_H */
