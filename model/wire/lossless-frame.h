// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_H
#define LOSSLESS_FRAME_H

#include "lossless-types.h"
#include "packet-ref.h"
#include "scheme-data.h"

#include <cstdint>

namespace ns3::lossless
{

/// Contents of a frame, by EtherType.
enum class FrameKind : uint8_t
{
    OTHER,       ///< anything else; switches drop it as unroutable
    IPV4,        ///< an IPv4 packet
    ARP,         ///< an address resolution packet, routed by its target address
    MAC_CONTROL, ///< PAUSE and similar frames; never forwarded
};

/// Addresses and ports of a frame, in host byte order; zero if the frame has none. Fragments of
/// IPv4 packets count as without ports.
struct FlowKey
{
    uint32_t source{0};          ///< IPv4 source address
    uint32_t destination{0};     ///< IPv4 destination address (ARP: target address)
    uint16_t sourcePort{0};      ///< TCP or UDP source port
    uint16_t destinationPort{0}; ///< TCP or UDP destination port
    uint8_t protocol{0};         ///< IPv4 protocol number
};

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
/// @return 64 bits, each of which depends on all bits of x
constexpr uint64_t
MixBits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// @return a hash of a five-tuple, 64 well-mixed bits
uint64_t HashOf(const FlowKey& key);

/// All fields of a frame without its bytes. Being one block, they are moved by whole registers,
/// which the processor can read back without a stall.
struct FrameFields
{
    uint64_t flowHash{0};             ///< HashOf(flow)
    FlowKey flow;                     ///< five-tuple
    uint8_t tos{0};                   ///< IPv4 type of service: DSCP << 2 | ECN
    FrameKind kind{FrameKind::OTHER}; ///< by EtherType
    Priority priority{0};   ///< class at this node: DSCP / 8 unless the node maps it otherwise
    uint8_t telemetryAt{0}; ///< offset of its TelemetryHeader for switches to write to; 0: none.
                            ///< Known only to the frame's creator
    uint32_t size{0};       ///< bytes of the packet
    Ticks arrival{0};       ///< when its last bit arrived at this node
    SchemeData schemeData;  ///< of the flow control scheme
};

/**
 * @ingroup lossless
 * An Ethernet frame under way, with the contents of its headers.
 *
 * The bytes are those of `packet`: from the Ethernet header on, without preamble and FCS. The
 * fields repeat header fields, read once where the frame enters the network, so a hop through a
 * switch reads no header. Code that rewrites such a byte must change both.
 */
struct Frame : FrameFields
{
    PacketRef packet; ///< the frame's bytes; null in an empty Frame

    /// @return the fields without the bytes
    Frame WithoutPacket() const
    {
        return {static_cast<const FrameFields&>(*this), PacketRef()};
    }

    /// @return DSCP, 0 to 63
    uint8_t GetDscp() const
    {
        return tos >> 2;
    }

    /// @return whether the sender supports ECN and no hop has marked the frame yet
    bool IsMarkable() const
    {
        return (tos & 3) == 1 || (tos & 3) == 2;
    }

    /// @return whether a hop has marked "congestion experienced"
    bool IsMarked() const
    {
        return (tos & 3) == 3;
    }
};

/// Reads the headers of a frame.
/// @param packet from the Ethernet header on; a truncated header leaves the fields zero
Frame ParseFrame(Ptr<Packet> packet);

/// Sets the ECN bits of an IPv4 frame to "congestion experienced", in its bytes (with the header
/// checksum) and its fields. Other copies of the packet stay.
void MarkCongestionExperienced(Frame& frame);

} // namespace ns3::lossless

#endif /* LOSSLESS_FRAME_H */
