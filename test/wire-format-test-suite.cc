// SPDX-License-Identifier: GPL-2.0-only
//
// Checks the bytes of the module's frames: PFC frames, RoCEv2 packets, and rewritten ECN bits.
//
// The expected bytes are derived by hand from IEEE 802.1Qbb, RFC 791, RFC 768 and the InfiniBand
// specification (chapter 9, annex A17), and never taken from the code under test.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bfc-header.h"
#include "ns3/cbfc-messages.h"
#include "ns3/ecn-rewrite.h"
#include "ns3/ethernet-header.h"
#include "ns3/fafc-header.h"
#include "ns3/flow-id-tag.h"
#include "ns3/gfc-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/lossless-frame.h"
#include "ns3/ofc-header.h"
#include "ns3/packet.h"
#include "ns3/place-header.h"
#include "ns3/udp-header.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-wire-format", UNIT);

struct Note
{
    uint32_t count{0};  ///< first value
    uint16_t place{0};  ///< second value
    bool isSeen{false}; ///< arbitrary flag
};

// ns-3 prints the type name in ASCII traces and in Packet::Print().
LOSSLESS_TEST(g_suite, "every header, trailer and tag names its own type")
{
    uint32_t named = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Lossless" && type.HasConstructor() &&
            (type.IsChildOf(Chunk::GetTypeId()) || type.IsChildOf(Tag::GetTypeId())))
        {
            const std::unique_ptr<ObjectBase> made(type.GetConstructor()());
            NS_TEST_EXPECT_MSG_EQ(made->GetInstanceTypeId(), type, type.GetName());
            ++named;
        }
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(named, 10, "types of what packets carry");
}

LOSSLESS_TEST(g_suite, "a place in memory is read back, and takes the 16 bytes of a RETH")
{
    PlaceHeader sent;
    sent.address = 0x0123456789abcdef;
    sent.length = 4096;
    Packet packet;
    packet.AddHeader(sent);
    NS_TEST_EXPECT_MSG_EQ(packet.GetSize(), 16, "written");
    PlaceHeader received;
    NS_TEST_EXPECT_MSG_EQ(packet.RemoveHeader(received), 16, "read");
    NS_TEST_EXPECT_MSG_EQ(received.address, sent.address, "address");
    NS_TEST_EXPECT_MSG_EQ(received.length, sent.length, "length");
}

LOSSLESS_TEST(g_suite, "a frame carries a value of the scheme's type, zero at first")
{
    Frame frame;
    NS_TEST_EXPECT_MSG_EQ(frame.schemeData.Get<Note>().count, 0, "zero");
    NS_TEST_EXPECT_MSG_EQ(frame.schemeData.Get<Note>().isSeen, false, "zero");
    frame.schemeData.Set(Note{UINT32_MAX, 513, true});
    const Frame hop = frame.WithoutPacket();
    NS_TEST_EXPECT_MSG_EQ(hop.schemeData.Get<Note>().count, UINT32_MAX, "goes with the frame");
    NS_TEST_EXPECT_MSG_EQ(hop.schemeData.Get<Note>().place, 513, "all of it");
    NS_TEST_EXPECT_MSG_EQ(hop.schemeData.Get<Note>().isSeen, true, "all of it");
    frame.schemeData.Set<uint8_t>(7);
    NS_TEST_EXPECT_MSG_EQ((frame.schemeData.Get<uint64_t>() >> 8), 0, "nothing older is left");
    NS_TEST_EXPECT_MSG_EQ(hop.schemeData.Get<Note>().count, UINT32_MAX, "a copy is its own");
}

using Bytes = std::vector<uint8_t>;

/// The total size of the Ethernet, IPv4, UDP and BTH headers, in bytes.
constexpr uint32_t ROCE_BYTES = 54;

Bytes
FirstBytesOf(const Packet& packet, uint32_t size)
{
    Bytes bytes = BytesOf(packet);
    bytes.resize(std::min<std::size_t>(size, bytes.size()));
    return bytes;
}

Ptr<Packet>
PacketOf(const Bytes& bytes)
{
    return Create<Packet>(bytes.data(), bytes.size());
}

/// @param frame the bytes from the Ethernet header on
/// @return true if ns-3's own IPv4 header accepts the checksum
bool
IsChecksumOk(const Packet& frame)
{
    Ptr<Packet> copy = frame.Copy();
    EthernetHeader ethernet(false);
    copy->RemoveHeader(ethernet);
    Ipv4Header ipv4;
    ipv4.EnableChecksum();
    copy->RemoveHeader(ipv4);
    return ipv4.IsChecksumOk();
}

/// @return the header of a data packet of queue pair 18 from 10.0.0.1 to 10.0.0.2
RoceHeader
MakeDataHeader()
{
    RoceHeader header;
    header.SetMacs("00:00:00:00:00:01", "00:00:00:00:00:02");
    header.SetAddresses("10.0.0.1", "10.0.0.2");
    header.SetTos(24 << 2 | 2); // DSCP 24, which is class 3, and ECT(0)
    header.SetSourcePort(49152);
    header.SetOpcode(RoceOpcode::SEND_ONLY);
    header.SetPayloadSize(1000);
    header.SetAckRequest(true);
    header.SetDestinationQp(0x123456);
    header.SetPsn(0xfffffe);
    return header;
}

/// @return the header of a response from 10.0.0.2 to 10.0.0.1 in class 7
RoceHeader
MakeReplyHeader()
{
    RoceHeader header;
    header.SetMacs("00:00:00:00:00:02", "00:00:00:00:00:01");
    header.SetAddresses("10.0.0.2", "10.0.0.1");
    header.SetTos(56 << 2);
    header.SetSourcePort(49153);
    header.SetDestinationQp(0x11);
    return header;
}

Ptr<Packet>
MakePacket(const RoceHeader& header)
{
    auto packet = Create<Packet>(RoceHeader::BodyBytes(header.GetPayloadSize()));
    packet->AddHeader(header);
    return packet;
}

void
ExpectBytes(const Bytes& actual, const Bytes& expected, const std::string& what)
{
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(actual, expected), "", what);
}

LOSSLESS_TEST(g_suite, "A PFC frame is a MAC control frame of 60 bytes with opcode 0x0101")
{
    PfcHeader pfc;
    pfc.SetQuanta(Priority{0}, 0); // resume: enabled, with time zero
    pfc.SetQuanta(Priority{3}, 0xffff);
    pfc.SetQuanta(Priority{7}, 0x1234);
    Ptr<Packet> frame = MakePfcFrame("02:00:00:00:00:0a", pfc);

    // The enable vector is 1000 1001, for classes 7, 3 and 0.
    Bytes expected = {
        0x01, 0x80, 0xc2, 0x00, 0x00, 0x01,             // destination
        0x02, 0x00, 0x00, 0x00, 0x00, 0x0a,             // source
        0x88, 0x08, 0x01, 0x01, 0x00, 0x89,             // MAC control, opcode, enable vector
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, // times of classes 0 to 3
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x12, 0x34, // times of classes 4 to 7
    };
    expected.resize(60, 0); // 26 bytes of padding
    ExpectBytes(BytesOf(*frame), expected, "PFC frame");
    NS_TEST_EXPECT_MSG_EQ(frame->GetSize(), PFC_FRAME_BYTES, "64 bytes with FCS");

    // The longest pause has 65 535 quanta of 512 bit times, or 335.5 us at 100 Gb/s.
    NS_TEST_EXPECT_MSG_EQ(0xffff * PAUSE_QUANTUM_BITS / 100, 335539, "nanoseconds");
}

std::string
ToLine(const Header& header)
{
    std::ostringstream text;
    header.Print(text);
    return text.str();
}

/// Expects a header to remove exactly the bytes that it added, and nothing if fields are missing.
/// @param padding the number of bytes at the end of the header that may be missing
template <typename H>
void
ExpectWhole(const H& header, const std::string& what, uint32_t padding = 0)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    const uint32_t fields = packet->GetSize() - padding;
    for (uint32_t size = 0; size <= packet->GetSize(); ++size)
    {
        H part;
        NS_TEST_EXPECT_MSG_EQ(packet->CreateFragment(0, size)->PeekHeader(part),
                              (size < fields ? 0 : size),
                              what << " of " << size << " B");
    }
    H copy;
    packet->RemoveHeader(copy);
    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 0, what);
}

LOSSLESS_TEST(g_suite, "Control frames of schemes are read back to their ends, or not at all")
{
    OfcHeader ofc;
    ofc.classes = SetOf(Priority{3});
    ofc.flows = {7, 9};
    ExpectWhole(ofc, "OFC");
    ExpectWhole(GfcHeader(), "GFC");
    ExpectWhole(FafcHeader(), "FAFC");
    CcUpdateHeader cbfc;
    cbfc.counts = {{1, 70}, {2, 80}};
    ExpectWhole(cbfc, "CBFC");
    BfcHeader bfc;
    bfc.filter.bytes.assign(bfc.filter.hashing.filterBytes, 0xff);
    ExpectWhole(bfc, "BFC");
    ExpectWhole(PfcHeader(), "PFC", 26); // a PFC frame of 60 B has 34 B of fields
}

LOSSLESS_TEST(g_suite, "Control frames of schemes are printed with what they ask for")
{
    OfcHeader ofc;
    ofc.classes = SetOf(Priority{3}) | SetOf(Priority{5});
    ofc.stop = true;
    ofc.flows = {7, 9};
    NS_TEST_EXPECT_MSG_EQ(ToLine(ofc), "OFC: stop 2 flows of classes 3 5", "OFC");
    GfcHeader gfc;
    gfc.priority = Priority{2};
    gfc.stage = 3;
    NS_TEST_EXPECT_MSG_EQ(ToLine(gfc), "GFC: class 2 at rate / 2^3", "GFC");
    FafcHeader fafc;
    fafc.classes = SetOf(Priority{6});
    fafc.times[6] = 1500;
    NS_TEST_EXPECT_MSG_EQ(ToLine(fafc), "FAFC: class 6 pauses for 1500 ns", "FAFC");
    CcUpdateHeader cbfc;
    cbfc.counts = {{1, 70}, {2, 80}};
    NS_TEST_EXPECT_MSG_EQ(ToLine(cbfc), "CC_Update: channel 1 70 channel 2 80", "CBFC");
    BfcHeader bfc;
    bfc.filter.bytes = {0x81, 0x10};
    NS_TEST_EXPECT_MSG_EQ(ToLine(bfc), "BFC: 3 of 16 bits", "BFC");
}

LOSSLESS_TEST(g_suite, "A PFC frame is printed with its classes and times")
{
    PfcHeader header;
    header.SetQuanta(Priority{0}, 0);
    header.SetQuanta(Priority{3}, 0xffff);
    NS_TEST_EXPECT_MSG_EQ(ToLine(header), "PFC class 0: 0 quanta class 3: 65535 quanta", "PFC");
}

LOSSLESS_TEST(g_suite, "a PFC frame has eight classes and no ninth")
{
    for (const auto& call : std::vector<std::function<void()>>{
             [] { PfcHeader().SetQuanta(Priority{8}, 1); },
             [] { PfcHeader().IsEnabled(Priority{8}); },
             [] { PfcHeader().GetQuanta(Priority{8}); },
         })
    {
        ExpectStop("priority 8 does not exist", call);
    }
}

LOSSLESS_TEST(g_suite, "A PFC frame is read back with the classes and times it was made of")
{
    const PfcHeader empty;
    NS_TEST_EXPECT_MSG_EQ(empty.GetEnableVector(), 0, "a new header says nothing");
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        PfcHeader sent;
        sent.SetQuanta(Priority{p}, 100 + p);
        Ptr<Packet> frame = MakePfcFrame("00:00:00:00:00:01", sent);
        const Bytes before = BytesOf(*frame);
        const auto received = ParsePfcFrame(frame);
        ExpectBytes(BytesOf(*frame), before, "reading leaves the frame as it is");
        NS_TEST_ASSERT_MSG_EQ(received.has_value(), true, "PFC frame");
        NS_TEST_EXPECT_MSG_EQ(received->GetEnableVector(), (1 << p), "one class");
        for (uint8_t q = 0; q < NUM_PRIORITIES; ++q)
        {
            NS_TEST_EXPECT_MSG_EQ(received->IsEnabled(Priority{q}), (p == q), "class " << +q);
            NS_TEST_EXPECT_MSG_EQ(received->GetQuanta(Priority{q}),
                                  (p == q ? 100 + p : 0),
                                  "class " << +q);
        }
    }
}

void
CheckOtherFrames(Bytes bytes)
{
    bytes[15] = 0x02; // opcode 0x0102
    NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), false, "opcode");
    NS_TEST_EXPECT_MSG_EQ(PeekMacControlOpcode(*PacketOf(bytes)).value_or(0), 0x0102, "is told");
    PfcHeader header;
    NS_TEST_EXPECT_MSG_EQ(PacketOf(bytes)->CreateFragment(14, 46)->PeekHeader(header),
                          0,
                          "another opcode");

    bytes[15] = 0x01;
    bytes[12] = 0x08; // EtherType 0x0808
    NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), false, "EtherType");
    NS_TEST_EXPECT_MSG_EQ(PeekMacControlOpcode(*PacketOf(bytes)).has_value(), false, "EtherType");
    bytes[12] = 0x88;
    NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), true, "as it was");
}

/// @param bytes a PFC frame for class 7
void
CheckUselessFrames(Bytes bytes)
{
    for (const uint8_t last : {0x00, 0x02}) // addresses adjacent to the MAC control address
    {
        bytes[5] = last;
        NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), false, "destination");
        NS_TEST_EXPECT_MSG_EQ(PeekMacControlOpcode(*PacketOf(bytes)).value_or(0),
                              OPCODE_PFC,
                              "is reported");
    }
    bytes[5] = 0x01;
    bytes[17] = 0x00;
    NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), false, "no class");
    bytes[16] = 0x80; // a reserved bit that is not a class
    NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), false, "no class either");
    bytes[17] = 0x80;
    NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(PacketOf(bytes)).has_value(), true, "class 7");
}

LOSSLESS_TEST(g_suite, "Frames with another length, opcode, EtherType or address are no PFC")
{
    PfcHeader pfc;
    pfc.SetQuanta(Priority{7}, 0xffff);
    Ptr<Packet> frame = MakePfcFrame("00:00:00:00:00:01", pfc);
    for (uint32_t size = 0; size <= frame->GetSize(); ++size)
    {
        // A fragment keeps the removed bytes in its buffer, so an invalid read would succeed.
        Ptr<Packet> part = frame->CreateFragment(0, size);
        // The frame consists of 14 bytes of Ethernet header, 2 of opcode, 2 of vector and 16 of
        // times. The padding is ignored.
        NS_TEST_EXPECT_MSG_EQ(ParsePfcFrame(part).has_value(), (size >= 34), size << " bytes");
        NS_TEST_EXPECT_MSG_EQ(PeekMacControlOpcode(*part).has_value(),
                              (size >= 16),
                              size << " bytes");
    }
    CheckOtherFrames(BytesOf(*frame));
    CheckUselessFrames(BytesOf(*frame));
}

LOSSLESS_TEST(g_suite, "A RoCEv2 data packet has the bytes of Ethernet, IPv4, UDP and BTH")
{
    Ptr<Packet> packet = MakePacket(MakeDataHeader());
    // A payload of 1000 B requires no padding; the ICRC takes 4 bytes and the headers take 54.
    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1058, "size");
    // The IPv4 packet is 1058 - 14 = 1044 = 0x0414 bytes long, and the UDP datagram is 1044 - 20 =
    // 1024 = 0x0400 bytes long. The sum of the words 4562 0414 0000 4000 4011 0a00 0001 0a00 0002
    // is dd8a, and ~dd8a = 2275.
    const Bytes expected = {
        0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, //
        0x45, 0x62, 0x04, 0x14, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x22, 0x75,             //
        0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02,                                     //
        0xc0, 0x00, 0x12, 0xb7, 0x04, 0x00, 0x00, 0x00, // UDP: ports, length, no checksum
        0x04, 0x00, 0xff, 0xff, 0x00, 0x12, 0x34, 0x56, // BTH: opcode, partition, queue pair
        0x80, 0xff, 0xff, 0xfe};                        // acknowledge request, PSN
    ExpectBytes(FirstBytesOf(*packet, ROCE_BYTES), expected, "headers");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*packet), true, "IPv4 checksum");
}

LOSSLESS_TEST(g_suite, "ACK, NAK and CNP have the bytes of their extension headers")
{
    // The IPv4 packet is IPv4 20 + UDP 8 + BTH 12 + AETH 4 + ICRC 4 = 48 = 0x30 bytes long, and the
    // UDP datagram is 28 = 0x1c bytes long. The sum of the words 45e0 0030 0000 4000 4011 0a00 0002
    // 0a00 0001 is da24, and ~da24 = 25db.
    Bytes expected = {
        0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x08, 0x00, //
        0x45, 0xe0, 0x00, 0x30, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x25, 0xdb,             //
        0x0a, 0x00, 0x00, 0x02, 0x0a, 0x00, 0x00, 0x01,                                     //
        0xc0, 0x01, 0x12, 0xb7, 0x00, 0x1c, 0x00, 0x00,                                     //
        0x11, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x01, 0x02,             //
        0x1f, 0xab, 0xcd, 0xef, // AETH: syndrome, MSN
        0x00, 0x00, 0x00, 0x00  // ICRC, which this module leaves at zero
    };
    RoceHeader reply = MakeReplyHeader();
    reply.SetPsn(0x102);
    reply.SetAcknowledge(AethSyndrome::ACK, 0xabcdef);
    ExpectBytes(BytesOf(*MakePacket(reply)), expected, "ACK");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*MakePacket(reply)), true, "IPv4 checksum");

    reply.SetAcknowledge(AethSyndrome::NAK_SEQUENCE_ERROR, 0xabcdef);
    expected[54] = 0x60;
    ExpectBytes(BytesOf(*MakePacket(reply)), expected, "NAK");

    // A CNP has 16 reserved bytes of zero instead of the AETH, so it is 12 B longer, and its
    // lengths are 0x3c and 0x28.
    reply.SetPsn(0);
    reply.SetOpcode(RoceOpcode::CNP);
    expected[17] = 0x3c;
    expected[25] = 0xcf; // 0x25db - 12
    expected[39] = 0x28;
    expected[42] = 0x81;
    std::fill(expected.begin() + 51, expected.end(), 0);
    expected.resize(54 + 16 + 4, 0);
    ExpectBytes(BytesOf(*MakePacket(reply)), expected, "CNP");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*MakePacket(reply)), true, "IPv4 checksum");
}

/// @param header the header of MakeDataHeader(), parsed from a packet
void
CheckDataFields(const RoceHeader& header)
{
    NS_TEST_EXPECT_MSG_EQ(header.GetSourceMac(), Mac48Address("00:00:00:00:00:01"), "source");
    NS_TEST_EXPECT_MSG_EQ(header.GetDestinationMac(), Mac48Address("00:00:00:00:00:02"), "target");
    NS_TEST_EXPECT_MSG_EQ(header.GetSource(), Ipv4Address("10.0.0.1"), "source");
    NS_TEST_EXPECT_MSG_EQ(header.GetDestination(), Ipv4Address("10.0.0.2"), "destination");
    NS_TEST_EXPECT_MSG_EQ(+header.GetTos(), 0x62, "tos");
    NS_TEST_EXPECT_MSG_EQ(header.GetSourcePort(), 49152, "port");
    NS_TEST_EXPECT_MSG_EQ(header.GetOpcode(), RoceOpcode::SEND_ONLY, "opcode");
    NS_TEST_EXPECT_MSG_EQ(header.GetPayloadSize(), 1000, "payload");
    NS_TEST_EXPECT_MSG_EQ(header.GetAckRequest(), true, "ack request");
    NS_TEST_EXPECT_MSG_EQ(header.GetDestinationQp(), 0x123456, "queue pair");
    NS_TEST_EXPECT_MSG_EQ(header.GetPsn(), 0xfffffe, "PSN");
    std::ostringstream text;
    header.Print(text);
    NS_TEST_EXPECT_MSG_EQ(text.str(),
                          "SEND_ONLY 10.0.0.1:49152 > 10.0.0.2 tos 98 qp 1193046 "
                          "psn 16777214 payload 1000 ack-request",
                          "Print");
    NS_TEST_EXPECT_MSG_EQ(ToString(RoceOpcode::CNP), std::string("CNP"), "of another one");
}

LOSSLESS_TEST(g_suite, "A RoCEv2 packet is read back field by field")
{
    Ptr<Packet> packet = MakePacket(MakeDataHeader());
    const Bytes before = BytesOf(*packet);
    const auto peeked = RoceHeader::Peek(*packet);
    NS_TEST_ASSERT_MSG_EQ(peeked.has_value(), true, "RoCEv2");
    CheckDataFields(*peeked);
    ExpectBytes(BytesOf(*packet), before, "Peek leaves the packet as it is");

    RoceHeader removed;
    NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(removed), ROCE_BYTES, "bytes removed");
    CheckDataFields(removed);
    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1004, "payload and ICRC stay");

    RoceHeader reply = MakeReplyHeader();
    reply.SetAcknowledge(AethSyndrome::NAK_SEQUENCE_ERROR, 77);
    const auto nak = RoceHeader::Peek(*MakePacket(reply));
    NS_TEST_ASSERT_MSG_EQ(nak.has_value(), true, "RoCEv2");
    NS_TEST_EXPECT_MSG_EQ(nak->GetSyndrome(), AethSyndrome::NAK_SEQUENCE_ERROR, "");
    NS_TEST_EXPECT_MSG_EQ(nak->GetMsn(), 77, "MSN");
    NS_TEST_EXPECT_MSG_EQ(nak->GetPayloadSize(), 0, "payload");
    NS_TEST_EXPECT_MSG_EQ(nak->GetAckRequest(), false, "ack request");
}

void
CheckLengths(const Packet& packet, uint8_t opcode, uint32_t payload)
{
    const Bytes bytes = BytesOf(packet);
    const uint32_t pad = (4 - payload % 4) % 4;
    NS_TEST_EXPECT_MSG_EQ(+bytes[42], +opcode, "opcode");
    NS_TEST_EXPECT_MSG_EQ(+bytes[43], (pad << 4), "pad count of " << payload);
    const auto ipLength = static_cast<uint32_t>(bytes[16] << 8 | bytes[17]);
    const auto udpLength = static_cast<uint32_t>(bytes[38] << 8 | bytes[39]);
    NS_TEST_EXPECT_MSG_EQ(ipLength, packet.GetSize() - 14, "IPv4 length");
    NS_TEST_EXPECT_MSG_EQ(udpLength, packet.GetSize() - 34, "UDP length");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(packet), true, "checksum, payload " << payload);
    const auto header = RoceHeader::Peek(packet);
    NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, "RoCEv2");
    NS_TEST_EXPECT_MSG_EQ(header->GetPayloadSize(), payload, "payload");
}

LOSSLESS_TEST(g_suite, "Lengths, pad and checksum are right for every opcode, payload and tos")
{
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::GetSize(RoceOpcode::SEND_FIRST), 54, "14+20+8+12");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::GetSize(RoceOpcode::SEND_MIDDLE), 54, "14+20+8+12");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::GetSize(RoceOpcode::SEND_LAST), 54, "14+20+8+12");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::GetSize(RoceOpcode::SEND_ONLY), 54, "14+20+8+12");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::GetSize(RoceOpcode::ACKNOWLEDGE), 58, "and AETH 4");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::GetSize(RoceOpcode::CNP), 70, "and 16 reserved");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::BodyBytes(0), 4, "ICRC");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::BodyBytes(1), 8, "1 + 3 of pad + ICRC");
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::BodyBytes(4), 8, "4 + ICRC");

    RoceHeader header = MakeDataHeader(); // reused, as in a queue pair
    const std::array<uint8_t, 6> opcodes = {0x00, 0x01, 0x02, 0x04, 0x11, 0x81};
    for (uint32_t payload = 0; payload < 1030; ++payload)
    {
        const uint8_t opcode = opcodes[payload % opcodes.size()];
        header.SetTos(static_cast<uint8_t>(payload));
        header.SetPayloadSize(payload);
        header.SetOpcode(RoceOpcode{opcode});
        CheckLengths(*MakePacket(header), opcode, payload);
    }
    // In the largest IPv4 packet, the payload is 65 535 - 20 - 8 - 12 - 4 = 65 491 B long, rounded
    // down to whole words.
    header.SetOpcode(RoceOpcode::SEND_ONLY);
    header.SetPayloadSize(65488);
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::Peek(*MakePacket(header))->GetPayloadSize(),
                          65488,
                          "largest payload");
}

LOSSLESS_TEST(g_suite, "PSN and MSN wrap at 24 bits without touching the fields beside them")
{
    RoceHeader header = MakeReplyHeader();
    header.SetAcknowledge(AethSyndrome::ACK, 0xffffff + 1);
    header.SetPsn(0xffffff + 1);
    NS_TEST_EXPECT_MSG_EQ(header.GetPsn(), 0, "PSN wraps");
    NS_TEST_EXPECT_MSG_EQ(header.GetMsn(), 0, "MSN wraps");
    NS_TEST_EXPECT_MSG_EQ(header.GetAckRequest(), false, "the byte before the PSN");
    NS_TEST_EXPECT_MSG_EQ(header.GetSyndrome(), AethSyndrome::ACK, "before the MSN");

    header.SetAckRequest(true);
    header.SetPsn(0xffffffff);
    header.SetDestinationQp(0xffffff);
    NS_TEST_EXPECT_MSG_EQ(header.GetPsn(), 0xffffff, "largest PSN");
    NS_TEST_EXPECT_MSG_EQ(header.GetDestinationQp(), 0xffffff, "largest queue pair");
    NS_TEST_EXPECT_MSG_EQ(header.GetAckRequest(), true, "the byte before the PSN");
    header.SetAckRequest(false);
    NS_TEST_EXPECT_MSG_EQ(header.GetAckRequest(), false, "can be taken back");
    NS_TEST_EXPECT_MSG_EQ(header.GetPsn(), 0xffffff, "stays");
}

void
ExpectRefused(Ptr<const Packet> packet, const std::string& what)
{
    NS_TEST_EXPECT_MSG_EQ(RoceHeader::Peek(*packet).has_value(), false, what);
    RoceHeader header;
    NS_TEST_EXPECT_MSG_EQ(packet->PeekHeader(header), 0, what << ": nothing consumed");
    NS_TEST_EXPECT_MSG_EQ(header.GetPayloadSize(), 0, what << ": as if new");
}

void
ExpectChangeRefused(Bytes good, uint32_t at, uint8_t value, const std::string& what)
{
    good[at] = value;
    ExpectRefused(PacketOf(good), what);
}

LOSSLESS_TEST(g_suite, "Short and foreign frames are not taken for RoCEv2")
{
    RoceHeader ack = MakeReplyHeader();
    ack.SetAcknowledge(AethSyndrome::ACK, 1);
    Ptr<Packet> whole = MakePacket(ack);
    for (uint32_t size = 0; size < whole->GetSize(); ++size)
    {
        ExpectRefused(whole->CreateFragment(0, size), std::to_string(size) + " bytes");
    }
    const Bytes good = BytesOf(*whole);
    ExpectChangeRefused(good, 12, 0x86, "EtherType");
    ExpectChangeRefused(good, 14, 0x65, "IP version");
    ExpectChangeRefused(good, 14, 0x46, "IP options");
    ExpectChangeRefused(good, 20, 0x20, "more fragments");
    ExpectChangeRefused(good, 21, 0x01, "fragment offset");
    ExpectChangeRefused(good, 23, 0x06, "TCP");
    ExpectChangeRefused(good, 37, 0xb8, "UDP port 4792");
    ExpectChangeRefused(good, 42, 0x06, "an opcode of RDMA WRITE");
    ExpectChangeRefused(good, 17, 0x2f, "IPv4 too short for AETH and ICRC");
    ExpectChangeRefused(good, 43, 0x30, "pad without payload");
    ExpectRefused(MakePfcFrame("00:00:00:00:00:01", PfcHeader()), "PFC");

    // Ethernet padding is allowed, so a frame that is longer than its IPv4 packet is not an error.
    Bytes padded = good;
    padded.resize(good.size() + 10, 0);
    const auto header = RoceHeader::Peek(*PacketOf(padded));
    NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, "padded frame");
    NS_TEST_EXPECT_MSG_EQ(header->GetPayloadSize(), 0, "the pad is no payload");
}

/// @return the Internet checksum of the words (RFC 1071)
uint16_t
SumOf(uint32_t a, uint32_t b)
{
    const uint32_t sum = (a + b) % 0xffff;
    return static_cast<uint16_t>(~(sum == 0 ? 0xffff : sum));
}

LOSSLESS_TEST(g_suite, "Updating a checksum gives what summing up anew gives")
{
    // This is the example of RFC 1624, section 4. The checksum is 0xdd2f, and the word 0x5555
    // becomes 0x3285.
    NS_TEST_EXPECT_MSG_EQ(UpdateChecksum(0xdd2f, 0x5555, 0x3285), 0x0000, "RFC 1624");
    // The checksum of a header with two words a and b is ~(a + b) with end-around carry.
    for (uint32_t a = 0x4500; a <= 0x45ff; ++a)
    {
        for (uint32_t b = 0; b <= 0xffff; b += 0xff)
        {
            const uint16_t updated = UpdateChecksum(SumOf(0x4500, b), 0x4500, a);
            NS_TEST_ASSERT_MSG_EQ(updated, SumOf(a, b), "words " << a << " and " << b);
        }
    }
}

void
CheckRewrite(uint8_t tos, const Bytes& expected)
{
    Ptr<Packet> packet = Create<Packet>(Bytes(1004, 0xa5).data(), 1004);
    packet->AddHeader(MakeDataHeader());
    packet->AddPacketTag(FlowIdTag(42));
    const Bytes before = BytesOf(*packet);
    const uint64_t uid = packet->GetUid();
    Ptr<Packet> earlier = packet->Copy();

    RewriteTos(packet, tos);
    Ptr<Packet> later = packet->Copy();
    const Bytes after = BytesOf(*packet);
    RewriteTos(later, static_cast<uint8_t>(~tos));

    Bytes wanted = before;
    std::copy(expected.begin(), expected.end(), wanted.begin());
    ExpectBytes(after, wanted, "rewritten packet with payload");
    ExpectBytes(BytesOf(*packet), after, "not disturbed by a copy made afterwards");
    ExpectBytes(BytesOf(*earlier), before, "a copy made before keeps its bytes");
    NS_TEST_EXPECT_MSG_EQ(packet->GetUid(), uid, "uid");
    FlowIdTag tag;
    NS_TEST_EXPECT_MSG_EQ(packet->PeekPacketTag(tag), true, "packet tag");
    NS_TEST_EXPECT_MSG_EQ(tag.GetFlowId(), 42, "packet tag");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*packet), true, "checksum");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*later), true, "checksum");
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*earlier), true, "checksum");
}

LOSSLESS_TEST(g_suite, "RewriteTos changes tos and checksum of this packet and nothing else")
{
    RoceHeader header = MakeDataHeader();
    for (uint32_t tos = 0; tos <= 0xff; ++tos)
    {
        // The expected bytes are from a packet sent with this ToS.
        header.SetTos(static_cast<uint8_t>(tos));
        const Bytes expected = FirstBytesOf(*MakePacket(header), ROCE_BYTES);
        CheckRewrite(static_cast<uint8_t>(tos), expected);
    }
}

LOSSLESS_TEST(g_suite, "RewriteTos marks frames with ns-3's own headers, byte tags stay findable")
{
    auto packet = Create<Packet>(100);
    packet->AddHeader(UdpHeader());
    packet->AddByteTag(FlowIdTag(7)); // like FlowMonitor's tag, starts at the transport header
    Ipv4Header ipv4;
    ipv4.SetSource("10.0.0.1");
    ipv4.SetDestination("10.0.0.2");
    ipv4.SetProtocol(17);
    ipv4.SetPayloadSize(108);
    ipv4.SetTtl(64);
    ipv4.SetEcn(Ipv4Header::ECN_ECT0);
    ipv4.EnableChecksum();
    packet->AddHeader(ipv4);
    EthernetHeader ethernet(false);
    ethernet.SetLengthType(0x0800);
    packet->AddHeader(ethernet);

    RewriteTos(packet, ipv4.GetTos() | 3);
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*packet), true, "checksum");
    EthernetHeader ethernetAfter(false);
    Ipv4Header ipv4After;
    packet->RemoveHeader(ethernetAfter);
    packet->RemoveHeader(ipv4After);
    NS_TEST_EXPECT_MSG_EQ(ethernetAfter.GetLengthType(), 0x0800, "EtherType");
    NS_TEST_EXPECT_MSG_EQ((ipv4After.GetEcn() == Ipv4Header::ECN_CE), true, "marked");
    NS_TEST_EXPECT_MSG_EQ(ipv4After.GetDestination(), Ipv4Address("10.0.0.2"), "the rest");
    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 108, "the rest");
    FlowIdTag tag;
    NS_TEST_EXPECT_MSG_EQ(packet->FindFirstMatchingByteTag(tag), true, "byte tag");
    NS_TEST_EXPECT_MSG_EQ(tag.GetFlowId(), 7, "byte tag");
}

/// With checksums disabled, as by default, ns-3 writes 0, which can also be a valid checksum by
/// chance.
LOSSLESS_TEST(g_suite, "RewriteTos makes no checksum of none, and one of a sum that is 0")
{
    Ipv4Header ipv4;
    EthernetHeader ethernet(false);
    ethernet.SetLengthType(0x0800);
    auto packet = Create<Packet>(100);
    packet->AddHeader(ipv4);
    packet->AddHeader(ethernet);
    RewriteTos(packet, 3);
    const Bytes without = BytesOf(*packet);
    NS_TEST_EXPECT_MSG_EQ(+without[15], 3, "tos");
    NS_TEST_EXPECT_MSG_EQ((without[24] << 8 | without[25]), 0, "no checksum");

    ipv4.EnableChecksum();
    auto summed = Create<Packet>(100);
    summed->AddHeader(ipv4);
    summed->AddHeader(ethernet);
    Bytes bytes = BytesOf(*summed);
    std::swap(bytes[18], bytes[24]); // the identification field, which is 0
    std::swap(bytes[19], bytes[25]);
    auto zero = PacketOf(bytes);
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*zero), true, "a sum of 0");
    RewriteTos(zero, 3);
    NS_TEST_EXPECT_MSG_EQ(IsChecksumOk(*zero), true, "another");
}

/// @return a UDP packet from 10.0.0.1:258 to 10.0.0.2:772
Frame
Read(uint8_t flags, uint8_t offset)
{
    const Bytes bytes = {0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee,  0xee,
                         0xee, 0x08, 0x00, 0x45, 0x00, 0x00, 0x1c, 0x00, 0x01, flags, offset,
                         0x40, 17,   0x00, 0x00, 10,   0,    0,    1,    10,   0,     0,
                         2,    0x01, 0x02, 0x03, 0x04, 0x00, 0x08, 0x00, 0x00};
    return ParseFrame(PacketOf(bytes));
}

/// Only the first fragment of a datagram contains its ports, and all fragments must take the same
/// path.
LOSSLESS_TEST(g_suite, "All fragments of a datagram are read alike, the first without its ports")
{
    const Frame whole = Read(0, 0);
    NS_TEST_EXPECT_MSG_EQ(whole.flow.sourcePort, 258, "a whole datagram has its ports");
    const Frame unfragmented = Read(0x40, 0);
    NS_TEST_EXPECT_MSG_EQ(unfragmented.flowHash, whole.flowHash, "do not fragment: whole, too");
    const Frame last = Read(0, 8);
    NS_TEST_EXPECT_MSG_NE(last.flowHash, whole.flowHash, "the ports are hashed");
    const std::vector<Frame> fragments = {Read(0x20, 0), Read(0x20, 8), Read(0x01, 0), last};
    for (const Frame& fragment : fragments)
    {
        NS_TEST_EXPECT_MSG_EQ(fragment.flow.sourcePort, 0, "source port");
        NS_TEST_EXPECT_MSG_EQ(fragment.flow.destinationPort, 0, "destination port");
        NS_TEST_EXPECT_MSG_EQ(fragment.flow.source, 0x0a000001, "source");
        NS_TEST_EXPECT_MSG_EQ(fragment.flow.destination, 0x0a000002, "destination");
        NS_TEST_EXPECT_MSG_EQ(+fragment.flow.protocol, 17, "protocol");
        NS_TEST_EXPECT_MSG_EQ(fragment.flowHash, last.flowHash, "one path");
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
