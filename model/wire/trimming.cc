// SPDX-License-Identifier: GPL-2.0-only
#include "trimming.h"

#include "unbuilt-packet.h"

#include <optional>

namespace ns3::lossless
{

namespace
{

constexpr uint32_t WORD_BYTES = 4;

/// @return the RoCE header of the frame, if it contains a RoCE packet
std::optional<RoceHeader>
ReadHeader(const Frame& frame)
{
    if (frame.kind != FrameKind::IPV4 || frame.flow.protocol != PROTOCOL_UDP ||
        frame.flow.destinationPort != RoceHeader::UDP_PORT)
    {
        return std::nullopt;
    }
    if (const UnbuiltPacket* packet = frame.packet.GetUnbuilt())
    {
        return packet->GetHeader();
    }
    return RoceHeader::Peek(*frame.packet);
}

RoceOptions
ReadOptions(const Frame& frame, const RoceHeader& header)
{
    RoceOptions options;
    const bool hasTelemetry = header.HasTelemetry();
    const bool hasPlace = header.Has(RoceOption::PLACE);
    if (const UnbuiltPacket* packet = frame.packet.GetUnbuilt())
    {
        options.telemetry = hasTelemetry ? *packet->GetTelemetry() : TelemetryHeader();
        options.place = hasPlace ? *packet->GetPlace() : PlaceHeader();
        return options;
    }
    uint32_t at = header.GetSerializedSize();
    if (hasTelemetry)
    {
        options.telemetry = TelemetryHeader::Peek(*frame.packet, at);
        at += TelemetryHeader::BYTES;
    }
    options.place = hasPlace ? PlaceHeader::Peek(*frame.packet, at) : PlaceHeader();
    return options;
}

} // namespace

uint32_t
TrimFrame(Frame& frame, uint32_t bytes, uint8_t tos)
{
    std::optional<RoceHeader> header = ReadHeader(frame);
    if (!header || !IsData(header->GetOpcode()) || GetTrimmedAt(frame.tos) != TrimmedAt::NOWHERE)
    {
        return 0;
    }
    const uint32_t least = header->GetFrameSizeWith(0);
    const uint32_t payload = bytes > least ? (bytes - least) / WORD_BYTES * WORD_BYTES : 0;
    if (payload >= header->GetPayloadSize())
    {
        return 0;
    }
    const uint32_t before = frame.size;
    header->SetPayloadSize(payload);
    header->SetTos(tos);
    const RoceOptions options = ReadOptions(frame, *header);
    frame.packet = PacketRef(UnbuiltPacket::Make(*header, &options));
    frame.tos = tos;
    frame.size = header->GetFrameSize();
    return before - frame.size;
}

} // namespace ns3::lossless
