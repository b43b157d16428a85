// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FRAME_H
#define LOSSLESS_FRAME_H

#include "lossless-types.h"
#include "packet-ref.h"
#include "scheme-data.h"

#include <cstdint>

namespace ns3::lossless
{

/// What a frame carries, by its EtherType.
enum class FrameKind : uint8_t
{
    OTHER,       ///< neither of the others; switches drop it as unroutable
    IPV4,        ///< an IPv4 packet
    ARP,         ///< an address resolution packet, routed by its target address
    MAC_CONTROL, ///< PAUSE and its relatives; never forwarded
};

/// Addresses and ports of a frame, in host byte order; zero where the frame has none. A fragment
/// of an IPv4 packet counts as without ports.
struct FlowKey
{
    uint32_t source{0};          ///< IPv4 source address
    uint32_t destination{0};     ///< IPv4 destination address (ARP: target address)
    uint16_t sourcePort{0};      ///< TCP or UDP source port
    uint16_t destinationPort{0}; ///< TCP or UDP destination port
    uint8_t protocol{0};         ///< IPv4 protocol number
};

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). @param x 64 bits
/// @return the same, each bit of which depends on all of x
constexpr uint64_t
MixBits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// @param key the five-tuple of a flow @return 64 well mixed bits of it
uint64_t HashOf(const FlowKey& key);

/// What is known of a frame without its bytes. One block, so that to hand a frame on is a move of
/// whole registers, which the processor can read again at once.
struct FrameFields
{
    uint64_t flowHash{0};             ///< HashOf(flow)
    FlowKey flow;                     ///< five-tuple
    uint8_t tos{0};                   ///< IPv4 type of service: DSCP << 2 | ECN
    FrameKind kind{FrameKind::OTHER}; ///< what it carries
    Priority priority{0};             ///< class at this node: DSCP / 8 unless it maps otherwise
    uint8_t telemetryAt{0};           ///< where its TelemetryHeader begins, for switches to write
                                      ///< to; 0: nowhere. Known to who makes the frame only
    uint32_t size{0};                 ///< bytes of the packet
    Ticks arrival{0};                 ///< when its last bit arrived at this node
    SchemeData schemeData;            ///< of the flow control scheme, which alone knows its type
};

/**
 * @ingroup lossless
 * An Ethernet frame under way, with what its header bytes say.
 *
 * The bytes are those of `packet`: from the Ethernet header on, without preamble and FCS. The
 * fields repeat header fields, read once where the frame enters the network: a hop of a switch then
 * reads no header at all. Whoever rewrites a byte which they repeat changes both.
 */
struct Frame : FrameFields
{
    PacketRef packet; ///< the frame's bytes; null in an empty Frame

    /// @return the same fields without the bytes
    Frame WithoutPacket() const
    {
        return {static_cast<const FrameFields&>(*this), PacketRef()};
    }

    /// @return differentiated services code point, 0 to 63
    uint8_t GetDscp() const
    {
        return tos >> 2;
    }

    /// @return whether the sender understands ECN and no hop has marked the frame yet
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

/**
 * Reads the headers of a frame.
 * @param packet bytes from the Ethernet header on; a header cut short leaves the fields zero
 * @return the frame
 */
Frame ParseFrame(Ptr<Packet> packet);

/**
 * Sets the two ECN bits of an IPv4 frame to "congestion experienced", in its bytes (with the
 * header checksum) and in the member which repeats them. Other copies of the packet keep theirs.
 * @param frame an IPv4 frame
 */
void MarkCongestionExperienced(Frame& frame);

} // namespace ns3::lossless

#endif /* LOSSLESS_FRAME_H */
