// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FORWARDING_H
#define LOSSLESS_FORWARDING_H

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-item.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ns3::lossless
{

template <typename BASE>
struct PartOf; // declared in part-registry.h

/**
 * @ingroup lossless
 * Selects the egress port of a frame.
 */
class Forwarding : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Called once, before the first frame. Routes can be set before and after this call.
    /// @param nodeId the ID of the switch
    /// @param rates the rate of each port of the switch
    virtual void Configure(uint32_t nodeId, const std::vector<DataRate>& rates) = 0;

    /// Sets the ports of the shortest paths to a destination. Replaces any ports already set for
    /// the destination.
    /// @param ports the ports, without duplicates
    void SetRoute(Ipv4Address destination, const std::vector<PortId>& ports);

    /// Sets the ports of the shortest paths to consecutive destinations.
    /// @param first the first destination
    /// @param last the last destination, which must not be below `first`
    /// @param ports the ports, without duplicates
    virtual void SetRoutes(Ipv4Address first,
                           Ipv4Address last,
                           const std::vector<PortId>& ports) = 0;

    /// @param buffer the buffer accounting, for subclasses whose decisions depend on the load
    /// @return the egress port of a frame; unset if there is no such port
    virtual std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) = 0;

    /// Finds the path of a flow without drawing random numbers.
    /// @param item a frame of the flow
    /// @return the egress port of all frames of the flow; unset if there is no such port or if the
    /// frames take several ports
    virtual std::optional<PortId> Find(const SwitchItem& item) const = 0;

    /// @return whether all frames of a flow take the path of Find() as long as no link changes.
    /// Otherwise, they can overtake each other.
    virtual bool KeepsPath() const
    {
        return true;
    }

    /// Called when the link of a port has gone down or come up.
    virtual void NotifyLinkChanged(PortId /* port */, bool /* up */)
    {
    }

    /// Assigns fixed random streams, if any are used, starting at `stream`.
    /// @return the number of streams used
    virtual int64_t AssignStreams(int64_t /* stream */)
    {
        return 0;
    }
};

/**
 * @ingroup lossless
 * Equal-cost multi-path forwarding. The flow's five-tuple, hashed with a seed and the switch's ID,
 * selects one of the destination's ports. All frames of a flow take the same path.
 */
class EcmpForwarding : public Forwarding
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void Configure(uint32_t nodeId, const std::vector<DataRate>& rates) override;
    void SetRoutes(Ipv4Address first, Ipv4Address last, const std::vector<PortId>& ports) override;
    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;

  protected:
    /// A range of elements of m_ports.
    struct Ports
    {
        const PortId* first{nullptr}; ///< the first element of the range
        uint32_t count{0};            ///< the number of elements

        /// @return the start of the range
        const PortId* begin() const
        {
            return first;
        }

        /// @return the end of the range
        const PortId* end() const
        {
            return first + count;
        }
    };

    /// @return the ports of a destination
    Ports GetPorts(uint32_t address) const;

    /// @return 32 well-mixed bits that select a port
    uint64_t GetChoice(const SwitchItem& item) const
    {
        return ((item.frame.flowHash ^ m_salt) * GOLDEN_RATIO) >> 32;
    }

  private:
    /// The position of a set of ports in m_ports.
    struct PortSet
    {
        uint32_t first{0}; ///< the index of the first port
        uint32_t count{0};

        bool operator==(const PortSet& other) const
        {
            return first == other.first && count == other.count;
        }
    };

    /// A range of addresses with the same ports. It extends to the start of the next range. Because
    /// the addresses of the hosts at one switch are usually contiguous, a switch has only a few
    /// ranges even in a large network. These fit in one or two cache lines, whereas a table with an
    /// entry for each host would rarely be cached.
    struct Range
    {
        uint32_t first{0}; ///< the first address
        PortSet ports;     ///< the ports; empty if there is no route
    };

    void CheckPorts(const std::vector<PortId>& ports) const;
    std::size_t FindRange(uint32_t address) const;
    /// Sets the ports of the addresses from `first` to `last`.
    void Assign(uint32_t first, uint32_t last, PortSet ports);
    /// @return the index of the range that begins at an address; the range is split off if
    /// necessary
    std::size_t BeginAt(uint32_t address);
    /// Joins a range with the previous range if both have the same ports. An index of 0 or beyond
    /// the last range has no effect.
    void JoinWithPrevious(std::size_t index);
    /// @return the position of a set of ports; the set is added if it is new
    PortSet GetSet(const std::vector<PortId>& ports);

    std::vector<Range> m_ranges = std::vector<Range>(1); ///< the ranges of all addresses, in order
    std::vector<PortId> m_ports;                         ///< the ports of all sets, concatenated
    uint64_t m_salt{0};                                  ///< the seed mixed with the node ID
    std::vector<PortSet> m_sets;                         ///< the distinct sets of ports
    std::size_t m_latestSet{0};                          ///< the index of the set that GetSet()
                                                         ///< last returned
    uint64_t m_seed{0};                                  ///< the seed of the hash
    uint32_t m_nodeId{0};                                ///< the ID of the switch
    /// The number of ports, which is unlimited before Configure().
    std::size_t m_portCount{std::numeric_limits<std::size_t>::max()};
};

/// Describes a subclass of Forwarding that `--routing` can select.
using ForwardingInfo = PartOf<Forwarding>;

} // namespace ns3::lossless

#endif /* LOSSLESS_FORWARDING_H */
