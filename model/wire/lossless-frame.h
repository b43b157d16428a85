// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_H
#define LOSSLESS_FRAME_H

#include "lossless-types.h"
#include "packet-ref.h"
#include "scheme-data.h"

#include <cstdint>

namespace ns3::lossless
{

/// The content of a frame, according to its EtherType.
enum class FrameKind : uint8_t
{
    OTHER,       ///< content not listed below; switches drop the frame as unroutable
    IPV4,        ///< an IPv4 packet
    ARP,         ///< an ARP packet, which is routed by its target address
    MAC_CONTROL, ///< a PAUSE or similar frame, which is never forwarded
};

/// The addresses and ports of a frame, in host byte order; zero if absent from the frame. In
/// fragments of IPv4 packets, the ports are always zero.
struct FlowKey
{
    uint32_t source{0};          ///< the IPv4 source address
    uint32_t destination{0};     ///< the IPv4 destination address (ARP: the target address)
    uint16_t sourcePort{0};      ///< the TCP or UDP source port
    uint16_t destinationPort{0}; ///< the TCP or UDP destination port
    uint8_t protocol{0};         ///< the IPv4 protocol number
};

/// 2^64 divided by the golden ratio: the multiplier of Fibonacci hashing (Knuth) and the increment
/// of SplitMix64.
inline constexpr uint64_t GOLDEN_RATIO = 0x9e3779b97f4a7c15ULL;

/// Applies the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
/// @return 64 bits, each of which depends on all bits of x
constexpr uint64_t
MixBits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// @return a hash of a five-tuple with 64 well-mixed bits
uint64_t HashOf(const FlowKey& key);

/// All members of a Frame except its bytes. They form one block that is copied in whole registers,
/// so that the processor can reload it without a stall.
struct FrameFields
{
    uint64_t flowHash{0};             ///< the result of HashOf(flow)
    FlowKey flow;                     ///< the five-tuple
    uint8_t tos{0};                   ///< the IPv4 type of service, DSCP << 2 | ECN
    FrameKind kind{FrameKind::OTHER}; ///< the content of the frame
    Priority priority{0};   ///< the class at this node; DSCP / 8 unless the node uses another
                            ///< mapping
    uint8_t telemetryAt{0}; ///< the offset of the TelemetryHeader that switches fill in, or 0 if
                            ///< the frame has no such header; set only by the creator of the frame
    uint32_t size{0};       ///< the size of the packet in bytes
    Ticks arrival{0};       ///< the time at which the last bit arrived at this node
    SchemeData schemeData;  ///< the data of the flow control scheme
};

/**
 * @ingroup lossless
 * An Ethernet frame in the network, with the values of its header fields.
 *
 * The bytes in `packet` start with the Ethernet header and include neither the preamble nor the
 * FCS. Several other members contain the values of header fields. The headers are read only once,
 * where the frame enters the network, so switches need not read them. Code that changes such a
 * header field must change both the bytes and the member of Frame.
 */
struct Frame : FrameFields
{
    PacketRef packet; ///< the frame's bytes; null in an empty Frame

    /// @return a Frame with the same fields but without the bytes
    Frame WithoutPacket() const
    {
        return {static_cast<const FrameFields&>(*this), PacketRef()};
    }

    /// @return the DSCP, 0 to 63
    uint8_t GetDscp() const
    {
        return tos >> 2;
    }

    /// @return whether the sender supports ECN and no hop has marked the frame
    bool IsMarkable() const
    {
        return (tos & 3) == 1 || (tos & 3) == 2;
    }

    /// @return whether a hop has marked the frame as "congestion experienced"
    bool IsMarked() const
    {
        return (tos & 3) == 3;
    }
};

/// Reads the headers of a frame.
/// @param packet the frame with its Ethernet header; fields of a truncated header remain zero
Frame ParseFrame(Ptr<Packet> packet);

/// Sets the ECN bits of an IPv4 frame to "congestion experienced", in both its bytes and its
/// fields, and updates the header checksum. Other copies of the packet are not affected.
void MarkCongestionExperienced(Frame& frame);

} // namespace ns3::lossless

#endif /* LOSSLESS_FRAME_H */
