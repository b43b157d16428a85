// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TYPES_H
#define LOSSLESS_TYPES_H

/**
 * @file
 * @ingroup lossless
 * Identifiers and protocol numbers shared by all parts of the module.
 */

#include <cstddef>
#include <cstdint>
#include <limits>

namespace ns3::lossless
{

/// The index of a port within a node, which equals the index of the port's NetDevice.
enum class PortId : uint16_t
{
};

/// A traffic class, 0 to 7. As in IEEE 802.1Q, 7 is the most important class.
enum class Priority : uint8_t
{
};

/// The number of traffic classes of a port. IEEE 802.1Qbb pauses each class individually.
inline constexpr std::size_t NUM_PRIORITIES = 8;

/// The class of acknowledgements and congestion notifications.
inline constexpr Priority CONTROL_PRIORITY{7};

/// The size of an Ethernet header in bytes.
inline constexpr uint32_t ETHERNET_BYTES = 14;

/// The minimum size of an Ethernet frame without FCS, in bytes.
inline constexpr uint32_t MIN_ETHERNET_FRAME_BYTES = 60;

/// The overhead of a frame on the wire, in bytes: preamble (8), FCS (4) and gap (12).
inline constexpr uint32_t WIRE_OVERHEAD_BYTES = 24;

/// The EtherType of IPv4.
inline constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;

/// A mask for the IPv4 "more fragments" flag and fragment offset. In every fragment, at least one
/// of these bits is set.
inline constexpr uint16_t IPV4_FRAGMENT_BITS = 0x3fff;

/// The IPv4 protocol number of TCP.
inline constexpr uint8_t PROTOCOL_TCP = 6;

/// The IPv4 protocol number of UDP.
inline constexpr uint8_t PROTOCOL_UDP = 17;

/// @return the port as an index
constexpr std::size_t
Index(PortId port)
{
    return static_cast<std::size_t>(port);
}

/// @return the class as an index
constexpr std::size_t
Index(Priority priority)
{
    return static_cast<std::size_t>(priority);
}

/// A queue of a switch. Whether it is at an ingress or an egress port depends on the context.
struct QueueId
{
    PortId port;       ///< the index of the port within the switch
    Priority priority; ///< the traffic class
};

/// @return the index of a queue in a vector of all queues, sorted by port and then by class
constexpr std::size_t
Index(QueueId queue)
{
    return Index(queue.port) * NUM_PRIORITIES + Index(queue.priority);
}

/// @return whether both the ports and the classes are equal
constexpr bool
operator==(QueueId a, QueueId b)
{
    return a.port == b.port && a.priority == b.priority;
}

/// A time in units of ns-3's resolution (Time::GetTimeStep()). It is used on the per-packet path,
/// where Time is too slow: each copy of a Time object checks whether ns-3 still records such
/// objects in case the resolution changes.
using Ticks = int64_t;

/// A set of traffic classes. Bit p represents class p.
using PrioritySet = uint8_t;

/// All eight traffic classes.
inline constexpr PrioritySet ALL_PRIORITIES = 0xff;

/// @return the set with only this class
constexpr PrioritySet
SetOf(Priority priority)
{
    return static_cast<PrioritySet>(1U << Index(priority));
}

/// @return whether the set contains the class
constexpr bool
Contains(PrioritySet set, Priority priority)
{
    return (set & SetOf(priority)) != 0;
}

/// @param set a non-empty set of classes
/// @return the most important class in the set
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
