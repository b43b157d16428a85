// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the accounting of the packet memory: its invariants, the order of release, cells, flags and
// traces.

#include "lossless-test.h"
#include "test-network.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-shared-buffer", UNIT);

Ptr<SharedBuffer>
MakeBuffer(std::size_t ports)
{
    auto buffer = CreateObject<SharedBuffer>();
    buffer->Resize(ports);
    return buffer;
}

constexpr uint16_t PORTS = 5;

void
CheckViews(const SharedBuffer& buffer, const std::vector<SwitchItem>& stored)
{
    std::array<uint64_t, PORTS * NUM_PRIORITIES> ingress{};
    std::array<uint64_t, PORTS * NUM_PRIORITIES> egress{};
    std::array<uint32_t, PORTS * NUM_PRIORITIES> frames{};
    uint64_t used = 0;
    for (const SwitchItem& item : stored)
    {
        ingress[Index(item.GetIngressQueue())] += item.bufferBytes;
        egress[Index(item.GetEgressQueue())] += item.bufferBytes;
        ++frames[Index(item.GetEgressQueue())];
        used += item.bufferBytes;
    }
    uint64_t shared = 0;
    uint64_t headroom = 0;
    for (uint16_t port = 0; port < PORTS; ++port)
    {
        uint64_t portShared = 0;
        uint64_t portHeadroom = 0;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            const auto& in = buffer.GetIngress(queue);
            const auto& out = buffer.GetEgress(queue);
            NS_TEST_ASSERT_MSG_EQ(in.GetTotal(), ingress[Index(queue)], "ingress queue");
            NS_TEST_ASSERT_MSG_EQ(out.bytes, egress[Index(queue)], "egress queue, bytes");
            NS_TEST_ASSERT_MSG_EQ(out.frames, frames[Index(queue)], "egress queue, frames");
            portShared += in.shared;
            portHeadroom += in.headroom;
        }
        const auto& counts = buffer.GetIngressPort(PortId{port});
        NS_TEST_ASSERT_MSG_EQ(counts.shared, portShared, "shared bytes of the port");
        NS_TEST_ASSERT_MSG_EQ(counts.headroom, portHeadroom, "headroom bytes of the port");
        shared += portShared;
        headroom += portHeadroom;
    }
    NS_TEST_ASSERT_MSG_EQ(buffer.GetUsed(), used, "bytes in the memory");
    NS_TEST_ASSERT_MSG_EQ(buffer.GetSharedUsed(), shared, "bytes in the shared segment");
    NS_TEST_ASSERT_MSG_EQ(buffer.GetHeadroomUsed(), headroom, "bytes in headroom");
}

/// Regardless of which frames are added and removed, all views count the same bytes, and the
/// contents of each queue match an independent list of the stored frames.
LOSSLESS_TEST(g_suite, "all views agree under random traffic, and end at zero")
{
    const auto buffer = MakeBuffer(PORTS);
    std::vector<SwitchItem> stored;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const auto add = [&] {
        const SwitchItem item = MakeItem(random->GetInteger(0, PORTS - 1),
                                         random->GetInteger(0, NUM_PRIORITIES - 1),
                                         random->GetInteger(60, 9000),
                                         random->GetInteger(0, PORTS - 1));
        SegmentBytes segments;
        segments.reserved = random->GetInteger(0, item.bufferBytes);
        segments.shared = random->GetInteger(0, item.bufferBytes - segments.reserved);
        segments.headroom = item.bufferBytes - segments.reserved - segments.shared;
        buffer->Arrive(item, segments);
        buffer->Move(item);
        stored.push_back(item);
    };
    const auto remove = [&] {
        const auto i = random->GetInteger(0, stored.size() - 1);
        buffer->Leave(stored[i]);
        stored.erase(stored.begin() + i);
    };
    constexpr uint32_t STEPS = 4000;
    for (uint32_t step = 0; step < STEPS; ++step)
    {
        // In the first half, more frames arrive than leave; in the second half, more frames leave
        // than arrive.
        const bool grows = random->GetValue() < (step < STEPS / 2 ? 0.7 : 0.3);
        if (grows || stored.empty())
        {
            add();
        }
        else
        {
            remove();
        }
        CheckViews(*buffer, stored);
    }
    while (!stored.empty())
    {
        remove();
    }
    CheckViews(*buffer, stored);
    NS_TEST_ASSERT_MSG_EQ(buffer->GetUsed(), 0, "an empty switch has used bytes");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetSharedUsed(), 0, "an empty switch has shared bytes");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetHeadroomUsed(), 0, "an empty switch has headroom");
}

void
Expect(const SharedBuffer& buffer, QueueId queue, const SegmentBytes& expected)
{
    const auto& counts = buffer.GetIngress(queue);
    NS_TEST_ASSERT_MSG_EQ(counts.reserved, expected.reserved, "private buffer");
    NS_TEST_ASSERT_MSG_EQ(counts.shared, expected.shared, "shared buffer");
    NS_TEST_ASSERT_MSG_EQ(counts.headroom, expected.headroom, "headroom");
}

/// A queue has 1000 B in the private buffer, 2000 B in the shared buffer and 500 B in the headroom.
/// When any frame leaves, headroom is released first, then shared buffer, then private buffer
/// (doc/notebook/dsh.rst, D4). The queue therefore uses the same segments as if it had just grown
/// to its current length.
LOSSLESS_TEST(g_suite, "headroom is released first, then shared, then private buffer")
{
    const QueueId queue{PortId{0}, Priority{3}};
    auto buffer = MakeBuffer(2);
    const SwitchItem large = MakeItem(0, 3, 1500, 1);
    const SwitchItem small = MakeItem(0, 3, 400, 1);
    buffer->Arrive(large, {1000, 500, 0});
    buffer->Move(large);
    buffer->Arrive(large, {0, 1500, 0});
    buffer->Move(large);
    buffer->Arrive(small, {0, 0, 400});
    buffer->Move(small);
    buffer->Arrive(MakeItem(0, 3, 100, 1), {0, 0, 100});
    buffer->Move(MakeItem(0, 3, 100, 1));
    // These bytes are in another queue of the same port and must not be affected.
    buffer->Arrive(MakeItem(0, 4, 700, 1), {100, 200, 400});
    buffer->Move(MakeItem(0, 4, 700, 1));
    Expect(*buffer, queue, {1000, 2000, 500});

    buffer->Leave(small); // 400 of 500 bytes of headroom
    Expect(*buffer, queue, {1000, 2000, 100});
    buffer->Leave(large); // the last 100 bytes of headroom, and 1400 shared bytes
    Expect(*buffer, queue, {1000, 600, 0});
    buffer->Leave(large); // the last 600 shared bytes, and 900 private bytes
    Expect(*buffer, queue, {100, 0, 0});
    buffer->Leave(MakeItem(0, 3, 100, 1));
    Expect(*buffer, queue, {0, 0, 0});

    Expect(*buffer, {PortId{0}, Priority{4}}, {100, 200, 400});
    NS_TEST_ASSERT_MSG_EQ(buffer->GetIngressPort(PortId{0}).shared, 200, "of class 4");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetIngressPort(PortId{0}).headroom, 400, "of class 4");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetUsed(), 700, "of class 4");
}

LOSSLESS_TEST(g_suite, "paused flags belong to one queue or port, and traffic leaves them alone")
{
    auto buffer = MakeBuffer(3);
    const QueueId queue{PortId{1}, Priority{2}};
    buffer->SetPaused(queue, true);
    buffer->SetPortPaused(PortId{2}, true);
    const SwitchItem item = MakeItem(1, 2, 100, 2);
    buffer->Arrive(item, {0, 100, 0});
    buffer->Move(item);
    buffer->Leave(item);
    for (uint16_t port = 0; port < 3; ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId other{PortId{port}, Priority{p}};
            NS_TEST_ASSERT_MSG_EQ(buffer->GetIngress(other).paused,
                                  (other == queue),
                                  "flag of port " << port << " class " << +p);
        }
        NS_TEST_ASSERT_MSG_EQ(buffer->GetIngressPort(PortId{port}).paused,
                              (port == 2),
                              "flag of port " << port);
    }
    buffer->SetPaused(queue, false);
    buffer->SetPortPaused(PortId{2}, false);
    NS_TEST_ASSERT_MSG_EQ(buffer->GetIngress(queue).paused, false, "queue restarted");
    NS_TEST_ASSERT_MSG_EQ(buffer->GetIngressPort(PortId{2}).paused, false, "port restarted");
}

/// A frame occupies whole cells. A cell of Broadcom's chips has 208 bytes.
LOSSLESS_TEST(g_suite, "frames are rounded up to cells")
{
    auto buffer = CreateObject<SharedBuffer>();
    for (const uint32_t bytes : {1, 60, 1514, 9014})
    {
        NS_TEST_ASSERT_MSG_EQ(buffer->RoundToCells(bytes), bytes, "bytes are the default");
    }
    buffer->SetAttribute("CellBytes", UintegerValue(208));
    NS_TEST_ASSERT_MSG_EQ(buffer->RoundToCells(1), 208, "one cell");
    NS_TEST_ASSERT_MSG_EQ(buffer->RoundToCells(208), 208, "one cell, full");
    NS_TEST_ASSERT_MSG_EQ(buffer->RoundToCells(209), 416, "two cells");
    NS_TEST_ASSERT_MSG_EQ(buffer->RoundToCells(1514), 1664, "eight cells");
    buffer->SetAttribute("CellBytes", UintegerValue(256));
    NS_TEST_ASSERT_MSG_EQ(buffer->RoundToCells(512), 512, "two cells, full");
}

LOSSLESS_TEST(g_suite, "attributes of the buffer")
{
    auto buffer = CreateObject<SharedBuffer>();
    buffer->SetAttribute("Size", UintegerValue(6000000000));
    NS_TEST_ASSERT_MSG_EQ(buffer->GetSize(), 6000000000, "more than 32 bits");
    NS_TEST_ASSERT_MSG_EQ(buffer->SetAttributeFailSafe("Size", UintegerValue(0)),
                          false,
                          "a memory of no bytes");
    NS_TEST_ASSERT_MSG_EQ(buffer->SetAttributeFailSafe("CellBytes", UintegerValue(0)),
                          false,
                          "a cell of no bytes");
}

LOSSLESS_TEST(g_suite, "The bytes in use and in headroom follow every change")
{
    auto buffer = MakeBuffer(2);
    const SwitchItem first = MakeItem(0, 0, 1000, 1);
    const SwitchItem second = MakeItem(0, 0, 300, 1);
    const auto expect = [&buffer](uint64_t used, uint64_t headroom) {
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), used, "in use");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetHeadroomUsed(), headroom, "in headroom");
    };
    buffer->Arrive(first, {600, 400, 0});
    buffer->Move(first);
    expect(1000, 0);
    buffer->Arrive(second, {0, 100, 200});
    buffer->Move(second);
    expect(1300, 200);
    buffer->Leave(first); // 200 bytes of headroom, 500 shared bytes and 300 private bytes
    expect(300, 0);
    buffer->Leave(second);
    expect(0, 0);
}

} // namespace ns3::lossless::tests::THIS_FILE
