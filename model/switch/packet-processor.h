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
 * What a switch does for its packet processor.
 */
class ProcessorClient
{
  public:
    virtual ~ProcessorClient() = default;

    /**
     * Routes a frame and asks for admission at its egress queue.
     * @param item a frame that was pushed
     * @param isRouted it has been here before and had to wait: it keeps its egress port while that
     * one has a link
     * @return ADMIT: it has joined the queue; REFUSE: it is lost; WAIT: it stays with the
     * processor, to be forwarded again by PacketProcessor::Resume()
     */
    virtual AdmissionOutcome Forward(SwitchItem& item, bool isRouted) = 0;
};

/**
 * @ingroup lossless
 * The stage between ingress and egress: holds frames that have arrived until it forwards them. A
 * switch without one forwards each frame as it arrives.
 */
class PacketProcessor : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * Called once, before the first frame.
     * @param client the switch; not owned
     * @param nodeId its id, the context of events
     * @param ports number of its ports
     */
    void Attach(ProcessorClient* client, uint32_t nodeId, std::size_t ports);

    /// @param item a frame that is counted at its ingress, to be forwarded at once or later
    virtual void Push(SwitchItem&& item) = 0;

    /// A frame has left the switch: forwards again what had to wait. Called only while GetStopped()
    /// is not null.
    virtual void Resume() = 0;

    /// @return the frame whose egress queue has no room, so that nothing is forwarded; null: the
    /// processor is not stopped
    virtual const SwitchItem* GetStopped() const = 0;

    /// @param visitor is called with all frames that have been pushed and not forwarded
    virtual void ForEach(const ItemVisitor& visitor) const = 0;

  protected:
    void DoDispose() override;

    /// @param ports number of ports of the switch
    virtual void DoAttach(std::size_t ports);

    /// @param item a frame @param isRouted it has waited @return what ProcessorClient::Forward()
    /// makes of it
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
 * One engine for all ports of the switch, which forwards "Rate" frames a second: ingress ports take
 * turns, each with a first-in first-out queue over all classes (CaPFC, Sec. II). It takes a frame
 * not before "Latency" has passed since its arrival. A frame whose egress queue has no room stops
 * the engine, and so all ports, until that queue has: where it goes is known then (Sec. IV-C).
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
    /// A frame that waits for the engine.
    struct Entry
    {
        SwitchItem item; ///< the frame
        Ticks ready;     ///< when the engine may take it
    };

    /// The engine has finished a frame, or one is ready: goes on.
    void Serve();
    /// Turns to the next frame, if there is one; the engine is not stopped.
    void StartNext();
    /// Turns to the next port whose first frame is ready. @return whether there is one
    bool FindReady();
    /// Forwards the frame at hand. @return whether it could be
    bool ForwardFirst();
    /// @return when the first frame is ready; there is one
    Ticks GetFirstReady() const;

    using ServeEvent = RecurringEvent<SharedProcessor, &SharedProcessor::Serve>;

    double m_rate{0};                        ///< frames a second; 0: no limit
    Time m_latency;                          ///< of each frame, before the engine
    std::vector<RingBuffer<Entry>> m_queues; ///< by ingress port
    std::size_t m_frames{0};                 ///< in all of them
    std::size_t m_turn{0};                   ///< port whose turn it is, or whose frame is at hand
    bool m_isServing{false};                 ///< the engine has the first frame of m_turn at hand
    bool m_isStopped{false};                 ///< that frame waits for its egress queue
    Ptr<ServeEvent> m_serve; ///< pending while the engine works, or waits for a frame to be ready
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_PROCESSOR_H */
