// SPDX-License-Identifier: GPL-2.0-only
#include "mac-control-header.h"

#include "network-order.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/make-type-id.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(PfcHeader, Header);

namespace
{

constexpr uint32_t OPCODE_BYTES = 2;
constexpr uint32_t BODY_BYTES = PFC_FRAME_BYTES - ETHERNET_BYTES;
constexpr uint32_t FIELD_BYTES = OPCODE_BYTES + 2 + 2 * NUM_PRIORITIES;
constexpr std::array<uint8_t, 6> CONTROL_ADDRESS = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};

void
CheckPriority(Priority priority)
{
    NS_ABORT_MSG_IF(Index(priority) >= NUM_PRIORITIES,
                    "priority " << Index(priority) << " does not exist: a PFC frame has classes "
                                << "0 to " << NUM_PRIORITIES - 1);
}

} // namespace

void
PfcHeader::SetQuanta(Priority priority, uint16_t quanta)
{
    CheckPriority(priority);
    SetQuanta(SetOf(priority), quanta);
}

void
PfcHeader::SetQuanta(PrioritySet classes, uint16_t quanta)
{
    m_enableVector |= classes;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_quanta[p] = Contains(classes, Priority{p}) ? quanta : m_quanta[p];
    }
}

bool
PfcHeader::IsEnabled(Priority priority) const
{
    CheckPriority(priority);
    return (m_enableVector & SetOf(priority)) != 0;
}

uint16_t
PfcHeader::GetQuanta(Priority priority) const
{
    CheckPriority(priority);
    return m_quanta[Index(priority)];
}

uint32_t
PfcHeader::GetSerializedSize() const
{
    return BODY_BYTES;
}

void
PfcHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE_PFC);
    start.WriteHtonU16(m_enableVector);
    for (const uint16_t quanta : m_quanta)
    {
        start.WriteHtonU16(quanta);
    }
    start.WriteU8(0, BODY_BYTES - FIELD_BYTES);
}

uint32_t
PfcHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t available = std::min(start.GetRemainingSize(), BODY_BYTES);
    if (available < FIELD_BYTES || start.ReadNtohU16() != OPCODE_PFC)
    {
        return 0;
    }
    m_enableVector = start.ReadNtohU16();
    for (uint16_t& quanta : m_quanta)
    {
        quanta = start.ReadNtohU16();
    }
    return available; // the padding may be truncated
}

void
PfcHeader::Print(std::ostream& os) const
{
    os << "PFC";
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (IsEnabled(Priority{p}))
        {
            os << " class " << +p << ": " << m_quanta[p] << " quanta";
        }
    }
}

Mac48Address
GetMacControlAddress()
{
    Mac48Address address;
    address.CopyFrom(CONTROL_ADDRESS.data());
    return address;
}

std::optional<uint16_t>
PeekMacControlOpcode(const Packet& frame)
{
    std::array<uint8_t, ETHERNET_BYTES + OPCODE_BYTES> bytes;
    if (frame.CopyData(bytes.data(), bytes.size()) < bytes.size() ||
        ReadNumber<2>(&bytes[ETHERNET_BYTES - 2]) != ETHERTYPE_MAC_CONTROL)
    {
        return std::nullopt;
    }
    return static_cast<uint16_t>(ReadNumber<2>(&bytes[ETHERNET_BYTES]));
}

bool
IsForMacControl(const Packet& frame)
{
    std::array<uint8_t, CONTROL_ADDRESS.size()> destination;
    return frame.CopyData(destination.data(), destination.size()) == destination.size() &&
           destination == CONTROL_ADDRESS;
}

Ptr<Packet>
MakeMacControlFrame(Mac48Address source, const Header& body)
{
    EthernetHeader ethernet(false);
    ethernet.SetDestination(GetMacControlAddress());
    ethernet.SetSource(source);
    ethernet.SetLengthType(ETHERTYPE_MAC_CONTROL);
    // Packet::AddPaddingAtEnd() would leave memory uninitialized.
    const uint32_t bytes = ethernet.GetSerializedSize() + body.GetSerializedSize();
    auto frame = Create<Packet>(std::max(bytes, MIN_ETHERNET_FRAME_BYTES) - bytes);
    frame->AddHeader(body);
    frame->AddHeader(ethernet);
    return frame;
}

Ptr<Packet>
MakePfcFrame(Mac48Address source, const PfcHeader& body)
{
    return MakeMacControlFrame(source, body);
}

std::optional<PfcHeader>
ParsePfcFrame(Ptr<const Packet> frame)
{
    const auto body = ParseMacControlFrame<PfcHeader>(*frame, OPCODE_PFC);
    return body && (body->GetEnableVector() & ALL_PRIORITIES) != 0 ? body : std::nullopt;
}

} // namespace ns3::lossless
