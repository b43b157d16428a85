// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_PROCESSOR_H
#define LOSSLESS_PACKET_PROCESSOR_H

#include "ns3/buffer-policy.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"
#include "ns3/switch-item.h"

#include <functional>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The stage between ingress and egress. It holds received frames until it forwards them. A switch
 * without a processor forwards each frame on arrival.
 */
class PacketProcessor : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Routes a frame and requests admission at its egress queue.
    /// @param item a frame passed to Push()
    /// @param isRouted whether the frame has already been routed and had to wait; if so, it keeps
    /// its egress port as long as that port's link is up
    /// @return ADMIT if the frame has joined the queue, REFUSE if it is lost, or WAIT if it stays
    /// in the processor until Resume()
    using Forwarder = std::function<AdmissionOutcome(SwitchItem& item, bool isRouted)>;

    /// Called once, before the first frame.
    /// @param forwarder the service of the switch
    /// @param nodeId the ID of the switch, which is the context of events
    /// @param ports the number of ports of the switch
    void Attach(Forwarder forwarder, uint32_t nodeId, std::size_t ports);

    /// @param item a frame that is counted at its ingress, to be forwarded now or later
    virtual void Push(SwitchItem&& item) = 0;

    /// Tries again to forward the waiting frame. Called when a frame has left the switch, but only
    /// while GetStopped() is not null.
    virtual void Resume() = 0;

    /// @return the frame whose full egress queue stops the processor, or null if there is no such
    /// frame
    virtual const SwitchItem* GetStopped() const = 0;

    /// Calls the visitor with each frame that has not been forwarded yet.
    virtual void ForEach(const ItemVisitor& visitor) const = 0;

  protected:
    void DoDispose() override;

    /// Called by Attach().
    /// @param ports the number of ports of the switch
    virtual void DoAttach(std::size_t /* ports */)
    {
    }

    /// Calls the switch's Forwarder.
    AdmissionOutcome Forward(SwitchItem& item, bool isRouted);

    /// @return the ID of the switch
    uint32_t GetNodeId() const
    {
        return m_nodeId;
    }

  private:
    Forwarder m_forwarder; ///< the service of the switch
    uint32_t m_nodeId{0};  ///< the ID of the switch
};

/**
 * @ingroup lossless
 * A processor with one engine for all ports of the switch. The engine forwards up to "Rate" frames
 * per second from the ingress ports in round-robin order. Each port has one FIFO queue for all
 * classes (CaPFC, Sec. II). The engine processes a frame no earlier than "Latency" after the
 * frame's arrival. A frame whose egress queue is full stops the engine, and thus all ports, until
 * the queue has room, because the engine has already determined the frame's destination (Sec.
 * IV-C).
 *
 * If no rate is set, the processor is a pipeline that forwards each frame "Latency" after its
 * arrival.
 */
class SharedProcessor : public PacketProcessor
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    SharedProcessor();
    ~SharedProcessor() override;

    void Push(SwitchItem&& item) override;
    void Resume() override;
    const SwitchItem* GetStopped() const override;
    void ForEach(const ItemVisitor& visitor) const override;

  protected:
    void DoDispose() override;
    void DoAttach(std::size_t ports) override;

  private:
    struct Entry
    {
        SwitchItem item;
        Ticks ready; ///< the earliest time at which the engine can process the frame
    };

    /// Called when the engine has processed a frame or when a frame is ready.
    void Serve();
    /// Starts processing the next frame or, without a rate, forwards all frames that are ready. The
    /// engine must not be stopped.
    void StartNext();
    /// Proceeds to the next port whose first frame is ready.
    /// @return whether there is such a port
    bool FindReady();
    /// Forwards the current frame.
    /// @return whether the frame left the processor
    bool ForwardFirst();
    /// @return the earliest time at which a frame is ready. At least one frame must be waiting.
    Ticks GetFirstReady() const;

    using ServeEvent = RecurringEvent<SharedProcessor, &SharedProcessor::Serve>;

    double m_rate{0};                        ///< the number of frames per second; 0 for no limit
    double m_carry{0};                       ///< the fraction of a tick carried over from earlier
                                             ///< frames
    Time m_latency;                          ///< the minimum time from the arrival of a frame to
                                             ///< its processing
    std::vector<RingBuffer<Entry>> m_queues; ///< the queue of each ingress port
    std::size_t m_frames{0};                 ///< the number of frames in all queues
    std::size_t m_turn{0};                   ///< the port whose turn it is
    bool m_isServing{false};                 ///< whether the engine is processing a frame
    bool m_isStopped{false};                 ///< whether the current frame is waiting for room in
                                             ///< its egress queue
    Ptr<ServeEvent> m_serve; ///< pending while the engine works or waits until a frame is ready
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_PROCESSOR_H */
