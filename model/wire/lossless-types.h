// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TYPES_H
#define LOSSLESS_TYPES_H

/**
 * @file
 * @ingroup lossless
 * The identifiers and the numbers of protocols that every part of the module shares.
 */

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ns3::lossless
{

/// Index of a port within its node, equal to the index of its NetDevice.
enum class PortId : uint16_t
{
};

/// Traffic class, 0 to 7, as IEEE 802.1Q numbers them: 7 is the most important.
enum class Priority : uint8_t
{
};

/// Traffic classes of a port (IEEE 802.1Qbb pauses each of them on its own).
inline constexpr std::size_t NUM_PRIORITIES = 8;

/// Class of acknowledgements and congestion notifications.
inline constexpr Priority CONTROL_PRIORITY{7};

/// Bytes of an Ethernet header.
inline constexpr uint32_t ETHERNET_BYTES = 14;

/// Bytes of the shortest Ethernet frame, without its FCS.
inline constexpr uint32_t MIN_ETHERNET_FRAME_BYTES = 60;

/// Bytes that a frame costs on the wire beyond its own: preamble (8), FCS (4) and gap (12).
inline constexpr uint32_t WIRE_OVERHEAD_BYTES = 24;

/// EtherType of IPv4.
inline constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;

/// Of IPv4's flags and fragment offset: more fragments follow, or the offset is not zero.
inline constexpr uint16_t IPV4_FRAGMENT_BITS = 0x3fff;

/// IPv4 protocol number of TCP.
inline constexpr uint8_t PROTOCOL_TCP = 6;

/// IPv4 protocol number of UDP.
inline constexpr uint8_t PROTOCOL_UDP = 17;

/// @param port a port @return the same as a vector index
constexpr std::size_t
Index(PortId port)
{
    return static_cast<std::size_t>(port);
}

/// @param priority a traffic class @return the same as a vector index
constexpr std::size_t
Index(Priority priority)
{
    return static_cast<std::size_t>(priority);
}

/// One queue of a switch: of an ingress port or of an egress port, by the context.
struct QueueId
{
    PortId port;       ///< port of the switch
    Priority priority; ///< traffic class
};

/// @param queue a queue @return its place in a vector that holds all queues port by port
constexpr std::size_t
Index(QueueId queue)
{
    return Index(queue.port) * NUM_PRIORITIES + Index(queue.priority);
}

/// @param a a queue @param b a queue @return whether they are the same queue
constexpr bool
operator==(QueueId a, QueueId b)
{
    return a.port == b.port && a.priority == b.priority;
}

/**
 * A time in units of ns-3's resolution (Time::GetTimeStep()), where the per-packet path keeps
 * times: copying a Time costs a look at whether ns-3 is still collecting Times for a change of
 * resolution.
 */
using Ticks = int64_t;

/// A set of traffic classes, bit p for class p.
using PrioritySet = uint8_t;

/// All eight traffic classes.
inline constexpr PrioritySet ALL_PRIORITIES = 0xff;

/// @param priority a traffic class @return the set that holds only this class
constexpr PrioritySet
SetOf(Priority priority)
{
    return static_cast<PrioritySet>(1U << Index(priority));
}

/// @param set a set of classes @param priority a class @return whether the class is in the set
constexpr bool
Contains(PrioritySet set, Priority priority)
{
    return (set & SetOf(priority)) != 0;
}

/// @param set a non-empty set of classes @return the most important of them
constexpr Priority
MostImportant(PrioritySet set)
{
    uint8_t p = NUM_PRIORITIES - 1;
    while (!Contains(set, Priority{p}))
    {
        --p;
    }
    return Priority{p};
}

} // namespace ns3::lossless

#endif /* LOSSLESS_TYPES_H */
