// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAKE_SWITCH_H
#define LOSSLESS_FAKE_SWITCH_H

#include "test-network.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3::lossless::tests
{

/// A fake switch for testing the decisions of a flow control scheme. The test controls the frames
/// and links of this switch, which has buffer accounting, a shape, and neighbours that are notified
/// at the test's request.
template <typename SCHEME, typename POLICY>
class FakeSwitch : public SwitchServices
{
  public:
    /// @param ports the number of ports, each with a link of 100 Gb/s and a delay of 2 us
    /// @param lossless the classes under flow control
    explicit FakeSwitch(std::size_t ports = 2, PrioritySet lossless = 0x7f)
    {
        m_shape.ports.assign(ports, {DataRate("100Gbps"), MicroSeconds(2), 1500});
        m_shape.lossless = lossless;
    }

    ~FakeSwitch() override
    {
        m_scheme->Dispose();
    }

    /// Connects the parts after their attributes have been set.
    FakeSwitch& Start()
    {
        m_shape.bufferBytes = m_buffer->GetSize();
        Require(m_policy->Configure(m_shape));
        m_buffer->Resize(m_shape.ports.size());
        m_buffer->SetTwoSided(m_policy->IsTwoSided());
        m_scheme->Attach(this, PeekPointer(m_buffer), PeekPointer(m_policy), &m_shape);
        Require(m_scheme->Configure(m_shape));
        return *this;
    }

    /// Stores an arriving frame.
    /// @param item the frame, with its ingress port, class and size
    /// @param segments the segments in which its bytes are stored
    void Arrive(const SwitchItem& item, const SegmentBytes& segments)
    {
        m_buffer->Arrive(item, segments);
        m_scheme->OnArrival(item);
    }

    /// Adds a frame that has arrived to its egress queue.
    void Enqueue(const SwitchItem& item)
    {
        m_buffer->Move(item);
        m_scheme->OnEnqueue(item);
    }

    /// Stores an arriving frame in the shared buffer and adds it to its egress queue.
    /// @param item the frame, with its ingress port, egress port, class and size
    void Pass(const SwitchItem& item)
    {
        m_buffer->Arrive(item, {0, item.bufferBytes, 0});
        m_buffer->Move(item);
        m_scheme->OnArrival(item);
        m_scheme->OnEnqueue(item);
    }

    /// Passes a frame to its egress queue, where it remains until Serve().
    void Store(const SwitchItem& item)
    {
        m_stored.push_back(item);
        Pass(item);
    }

    /// Removes frames from the switch, the oldest first.
    void Serve(uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            Leave(m_stored.front());
            m_stored.pop_front();
        }
    }

    /// Sends a frame, from its first bit to its last.
    void Leave(SwitchItem item)
    {
        m_scheme->OnDequeue(item);
        m_buffer->Leave(item);
        m_scheme->OnRelease(item, Simulator::Now().GetTimeStep());
    }

    /// Drops a frame that has arrived, before it joins an egress queue.
    void Refuse(const SwitchItem& item)
    {
        m_buffer->Discard(item);
        m_scheme->OnRefusal(item);
    }

    /// Marks a port's wire, which is otherwise busy, as free until the next request. The requested
    /// control frame then leaves immediately, with the state at that time.
    void SetIdle(PortId port)
    {
        m_idle.insert(port);
    }

    /// Marks the wire of a port as free.
    /// @return all control frames that the port sends, beginning with those sent on the idle wire
    std::vector<Ptr<Packet>> TakeControl(PortId port)
    {
        std::vector<Ptr<Packet>> frames = std::move(m_sent[port]);
        m_sent[port].clear();
        while (Ptr<Packet> frame = m_scheme->MakeControl(port))
        {
            frames.push_back(frame);
        }
        return frames;
    }

    void RequestControl(PortId port) override
    {
        ++m_requests[port];
        if (m_idle.erase(port) > 0)
        {
            if (Ptr<Packet> frame = m_scheme->MakeControl(port))
            {
                m_sent[port].push_back(frame);
            }
        }
    }

    void NotifyWatching() override
    {
    }

    void Mark(SwitchItem& /* item */) override
    {
        ++m_marks;
    }

    Mac48Address GetAddress(PortId /* port */) const override
    {
        return Mac48Address("02:00:00:00:00:01");
    }

    bool IsLinkUp(PortId port) const override
    {
        return m_down.count(port) == 0;
    }

    DataRate GetRate(PortId port) const override
    {
        const auto found = m_rates.find(port);
        return found == m_rates.end() ? m_shape.ports[Index(port)].GetSendRate() : found->second;
    }

    std::optional<PortId> FindRoute(Ipv4Address /* address */) const override
    {
        return std::nullopt;
    }

    Ptr<SCHEME> m_scheme{CreateObject<SCHEME>()};             ///< flow control under test
    Ptr<POLICY> m_policy{CreateObject<POLICY>()};             ///< buffer policy
    Ptr<SharedBuffer> m_buffer{CreateObject<SharedBuffer>()}; ///< buffer accounting
    SwitchShape m_shape;                                      ///< shape of the switch
    std::map<PortId, uint32_t> m_requests; ///< number of requests for the wire, per port
    uint32_t m_marks{0};                   ///< number of marked frames
    std::set<PortId> m_down;               ///< ports without a link
    std::map<PortId, DataRate> m_rates;    ///< changed rates of ports
    std::deque<SwitchItem> m_stored;       ///< frames passed to Store()

  private:
    static void Require(const std::optional<std::string>& error)
    {
        NS_ABORT_MSG_IF(error, "FakeSwitch: " << *error);
    }

    std::set<PortId> m_idle;                           ///< ports whose wire is free
    std::map<PortId, std::vector<Ptr<Packet>>> m_sent; ///< control frames sent on a free wire
};

/// Checks that a scheme respects a policy's port thresholds. Frames of seven classes arrive at port
/// 0 and leave through port 4.
template <typename FAKE>
class PortUnderLevels
{
  public:
    explicit PortUnderLevels(FAKE& fake)
        : m_fake(fake)
    {
    }

    /// Stores frames until the port is paused.
    /// @return true if the port is paused as soon as it exceeds XOFF
    bool Fill()
    {
        while (!IsStopped())
        {
            m_stored.push_back(MakeItem(0, m_stored.size() % 7, 20000, 4));
            m_fake.Pass(m_stored.back());
            if (IsStopped() != (GetOccupancy() > GetLevels().xoff))
            {
                return false;
            }
        }
        return true;
    }

    /// Forwards frames until the port resumes.
    /// @return true if the port resumes as soon as it is below XON, before it is empty
    bool Drain()
    {
        while (IsStopped())
        {
            m_fake.Leave(m_stored.back());
            m_stored.pop_back();
            if (IsStopped() != (GetOccupancy() >= GetLevels().xon))
            {
                return false;
            }
        }
        return !m_stored.empty();
    }

  private:
    bool IsStopped() const
    {
        return m_fake.m_buffer->GetIngressPort(PortId{0}).paused;
    }

    uint64_t GetOccupancy() const
    {
        return m_fake.m_buffer->GetSharedOf(PortId{0}, m_fake.m_shape.lossless);
    }

    Thresholds GetLevels() const
    {
        return *m_fake.m_policy->GetPortThresholds(*m_fake.m_buffer, PortId{0});
    }

    FAKE& m_fake;                     ///< the switch
    std::vector<SwitchItem> m_stored; ///< frames in the switch
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_FAKE_SWITCH_H */
