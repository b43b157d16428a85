// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WIRE_H
#define LOSSLESS_WIRE_H

#include "ns3/cache-line.h"
#include "ns3/lossless-frame.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"

#include <cstdint>
#include <memory>

namespace ns3::lossless
{

class FrameSink;
class LosslessNetDevice;
class RemoteWire;

/**
 * @ingroup lossless
 * One direction of a cable: the frames under way, in order.
 *
 * It is the event of its first frame's arrival itself, so that what an arrival reads of it stands
 * in one cache line: the simulator's event list grows with the number of links and not with
 * rate x delay.
 */
class alignas(CACHE_LINE_BYTES) Wire final : public ReusableEvent
{
  public:
    Wire();
    ~Wire() override;

    /// @param receiver the end that this direction leads to; not owned
    void SetReceiver(LosslessNetDevice* receiver);

    /// @return the end that this direction leads to; null: none yet, or disposed of
    LosslessNetDevice* GetReceiver() const
    {
        return m_receiver;
    }

    /**
     * @param sink where the receiver only hands on what arrives but MAC control frames; null: it
     * wants to see everything. To ask it for each frame would be a cache miss
     * @param isHost whether the sink is a host's, which reads headers
     */
    void SetSink(FrameSink* sink, bool isHost);

    /// The ends are of different ranks, see Ranks. @param rank of the receiver
    void SetRemote(uint32_t rank);

    /// @param delay of propagation
    void SetDelay(Time delay);
    /// @param jitter the largest random delay beyond it
    void SetJitter(Time jitter);
    /// @param stream of the random delays @return number of streams used; 0 without jitter
    int64_t AssignStreams(int64_t stream);

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
        if (m_isSpecial)
        {
            CarrySpecially(std::move(frame), now);
        }
        else
        {
            Push(std::move(frame), now);
        }
    }

    /// Takes up a frame that the wire of another rank has carried. @param frame with its arrival
    void Take(Frame&& frame);

    /// All frames under way are lost, and the receiver is told of each.
    void Cut();
    /// Forgets the receiver and the frames under way.
    void Dispose();

  private:
    /// The first frame arrives.
    void Notify() override;
    /// Waits for the first frame, if there is one. @param now the time
    void Await(Ticks now);
    /// Carries a frame with jitter, or to another rank. @param frame with its arrival without
    /// jitter @param now the time
    void CarrySpecially(Frame&& frame, Ticks now);
    /// @param arrival of a frame without jitter @return with jitter, and not before the latest
    Ticks Postpone(Ticks arrival);

    /// A frame is under way. @param frame with its arrival @param now the time
    void Push(Frame&& frame, Ticks now)
    {
        const Ticks arrival = frame.arrival;
        m_inFlight.Push(std::move(frame));
        if (!IsArmed())
        {
            Expect(arrival - now);
        }
    }

    /// Becomes the event of the next arrival. @param delay until then
    void Expect(Ticks delay)
    {
        if (m_context == Simulator::NO_CONTEXT)
        {
            FindContext();
        }
        ArmArrival(m_context, delay, m_port);
    }

    /// Looks for the receiver's node, which it had not when it was set.
    void FindContext();

    // What each frame needs, in one cache line.

    uint32_t m_context{Simulator::NO_CONTEXT}; ///< node of the receiver, once it is known
    uint16_t m_port{0};                        ///< of that node, once it is known
    bool m_isSpecial{false};                   ///< there is jitter, or the receiver is remote
    bool m_isToHost{false};                    ///< m_sink reads headers
    Ticks m_delay{0};                          ///< of propagation
    FrameSink* m_sink{nullptr};                ///< see SetSink()
    RingBuffer<Frame> m_inFlight;              ///< in the order of arrival

    // The rest.

    LosslessNetDevice* m_receiver{nullptr}; ///< see GetReceiver()
    std::unique_ptr<RemoteWire> m_remote;   ///< way to the receiver's rank; null: it is this one
    Ptr<UniformRandomVariable> m_random;    ///< draws the jitter, in ticks; null without
    Ticks m_latest{0};                      ///< latest arrival with jitter
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WIRE_H */
