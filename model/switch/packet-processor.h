// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_PROCESSOR_H
#define LOSSLESS_PACKET_PROCESSOR_H

#include "ns3/buffer-policy.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"
#include "ns3/switch-item.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Services of a switch for its packet processor.
 */
class ProcessorClient
{
  public:
    virtual ~ProcessorClient() = default;

    /// Routes a frame and requests admission at its egress queue.
    /// @param item a frame that was pushed
    /// @param isRouted it had to wait earlier: it keeps its egress port while that has a link
    /// @return ADMIT: it has joined the queue; REFUSE: it is lost; WAIT: it stays with the
    /// processor until PacketProcessor::Resume()
    virtual AdmissionOutcome Forward(SwitchItem& item, bool isRouted) = 0;
};

/**
 * @ingroup lossless
 * The stage between ingress and egress: holds received frames until it forwards them. A switch
 * without one forwards each frame on arrival.
 */
class PacketProcessor : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the first frame.
    /// @param client the switch; not owned
    /// @param nodeId its id, the context of events
    /// @param ports number of its ports
    void Attach(ProcessorClient* client, uint32_t nodeId, std::size_t ports);

    /// @param item counted at its ingress, to be forwarded at once or later
    virtual void Push(SwitchItem&& item) = 0;

    /// A frame has left the switch: retries to forward what had to wait. Called only while
    /// GetStopped() is not null.
    virtual void Resume() = 0;

    /// @return the frame that stops the processor because its egress queue is full; null if there
    /// is none
    virtual const SwitchItem* GetStopped() const = 0;

    /// Calls the visitor with all frames pushed and not yet forwarded.
    virtual void ForEach(const ItemVisitor& visitor) const = 0;

  protected:
    void DoDispose() override;

    /// Called by Attach(). @param ports number of ports of the switch
    virtual void DoAttach(std::size_t ports);

    /// @copydoc ProcessorClient::Forward()
    AdmissionOutcome Forward(SwitchItem& item, bool isRouted);

    /// @return id of the switch
    uint32_t GetNodeId() const
    {
        return m_nodeId;
    }

  private:
    ProcessorClient* m_client{nullptr}; ///< not owned
    uint32_t m_nodeId{0};               ///< of the switch
};

/**
 * @ingroup lossless
 * One engine for all ports of the switch, which forwards "Rate" frames per second from the ingress
 * ports in round-robin order, each with a FIFO queue over all classes (CaPFC, Sec. II). It takes a
 * frame at least "Latency" after its arrival. A frame whose egress queue is full stops the engine,
 * and thus all ports, until the queue has room, because its destination is known by then (Sec.
 * IV-C).
 *
 * Without a rate it is a pipeline: each frame is forwarded "Latency" after its arrival, any number
 * at once.
 */
class SharedProcessor : public PacketProcessor
{
  public:
    /// @return the type
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
        Ticks ready; ///< when the engine may take it
    };

    /// The engine has finished a frame, or one is ready.
    void Serve();
    /// Proceeds to the next frame, if any; the engine must not be stopped.
    void StartNext();
    /// Proceeds to the next port whose first frame is ready. @return whether there is one
    bool FindReady();
    /// Forwards the current frame. @return whether that was possible
    bool ForwardFirst();
    /// @return when the first frame is ready; there must be one
    Ticks GetFirstReady() const;

    using ServeEvent = RecurringEvent<SharedProcessor, &SharedProcessor::Serve>;

    double m_rate{0};                        ///< frames per second; 0: no limit
    Time m_latency;                          ///< of each frame, before the engine
    std::vector<RingBuffer<Entry>> m_queues; ///< by ingress port
    std::size_t m_frames{0};                 ///< in all queues
    std::size_t m_turn{0};                   ///< port whose turn it is, or of the current frame
    bool m_isServing{false};                 ///< the engine processes the first frame of m_turn
    bool m_isStopped{false};                 ///< that frame waits for its egress queue
    Ptr<ServeEvent> m_serve; ///< pending while the engine works or waits for a ready frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_PROCESSOR_H */
