// SPDX-License-Identifier: GPL-2.0-only
//
// Checks that the metadata of packets (Packet::EnablePrinting, ASCII traces) remains correct when
// the module rewrites bytes. This is a separate suite because metadata is enabled for the entire
// process.

#include "lossless-test.h"

#include "ns3/ecn-rewrite.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/roce-header.h"
#include "ns3/telemetry-header.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-packet-metadata", UNIT);

std::string
Describe(Ptr<const Packet> packet)
{
    std::ostringstream text;
    packet->Print(text);
    return text.str();
}

LOSSLESS_TEST(g_suite, "RewriteTos leaves the packet's record of its headers as it is")
{
    // With EnableChecking(), removing a header that is not in the metadata aborts the program.
    Packet::EnablePrinting();
    Packet::EnableChecking();

    RoceHeader roce;
    roce.SetPayloadSize(1000);
    auto packet = Create<Packet>(RoceHeader::BodyBytes(1000));
    packet->AddHeader(roce);
    RewriteTos(packet, 3);
    roce.SetTos(3);
    auto expected = Create<Packet>(RoceHeader::BodyBytes(1000));
    expected->AddHeader(roce);
    NS_TEST_EXPECT_MSG_EQ(Describe(packet), Describe(expected), "RoCE packet");
    packet->RemoveHeader(roce);

    Ipv4Header ipv4;
    ipv4.EnableChecksum();
    EthernetHeader ethernet(false);
    ethernet.SetLengthType(0x0800);
    auto stock = Create<Packet>(100);
    stock->AddHeader(ipv4);
    stock->AddHeader(ethernet);
    RewriteTos(stock, 3);
    ipv4.SetTos(3);
    auto stockExpected = Create<Packet>(100);
    stockExpected->AddHeader(ipv4);
    stockExpected->AddHeader(ethernet);
    NS_TEST_EXPECT_MSG_EQ(Describe(stock), Describe(stockExpected), "stock headers");
    stock->RemoveHeader(ethernet);
    stock->RemoveHeader(ipv4);
    NS_TEST_EXPECT_MSG_EQ(+ipv4.GetTos(), 3, "tos");
    NS_TEST_EXPECT_MSG_EQ(ipv4.IsChecksumOk(), true, "checksum");

    Ipv4Header unsummed;
    auto without = Create<Packet>(100);
    without->AddHeader(unsummed);
    without->AddHeader(ethernet);
    RewriteTos(without, 3);
    std::array<uint8_t, 26> start{};
    without->CopyData(start.data(), start.size());
    NS_TEST_EXPECT_MSG_EQ(+start[15], 3, "tos");
    NS_TEST_EXPECT_MSG_EQ((start[24] << 8 | start[25]), 0, "no checksum, as before");
}

Ptr<Packet>
MakePacket(const RoceHeader& roce, const TelemetryHeader& telemetry)
{
    auto packet = Create<Packet>(RoceHeader::BodyBytes(1000));
    packet->AddHeader(telemetry);
    packet->AddHeader(roce);
    return packet;
}

LOSSLESS_TEST(g_suite, "A switch that writes telemetry leaves the packet's record as it is")
{
    RoceHeader roce;
    roce.SetTelemetry(true);
    roce.SetPayloadSize(1000);
    TelemetryHeader telemetry;
    Frame frame;
    frame.packet = MakePacket(roce, telemetry);
    frame.size = frame.packet->GetSize();
    frame.telemetryAt = 54;
    const TelemetryHop hop{11, 1000, 2, 3};
    StampTelemetry(frame, 5, hop);
    StampTelemetry(frame, 6, hop);
    telemetry.Push(5, hop);
    telemetry.Push(6, hop);
    NS_TEST_EXPECT_MSG_EQ(Describe(frame.packet), Describe(MakePacket(roce, telemetry)), "headers");
    frame.packet->RemoveHeader(roce);
    frame.packet->RemoveHeader(telemetry);
    NS_TEST_EXPECT_MSG_EQ(telemetry.GetHops(), 2, "as ns-3 reads it");
}

} // namespace ns3::lossless::tests::THIS_FILE
