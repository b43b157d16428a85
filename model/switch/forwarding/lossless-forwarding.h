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
struct PartOf; // part-registry.h

/**
 * @ingroup lossless
 * Chooses the egress port of a frame.
 */
class Forwarding : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the first frame; routes may be set before and after.
    /// @param nodeId id of the switch
    /// @param ports number of its ports
    virtual void Configure(uint32_t nodeId, std::size_t ports) = 0;

    /// Called once, after Configure(), for implementations that depend on it. @param rates by port
    virtual void SetPortRates(const std::vector<DataRate>& rates);

    /// Sets the ports of the shortest paths to a destination, replacing earlier ones.
    /// @param ports without duplicates
    virtual void SetRoute(Ipv4Address destination, const std::vector<PortId>& ports) = 0;

    /// @param buffer the ledger, for implementations that depend on the load
    /// @return the port by which a frame leaves; nothing if there is none
    virtual std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) = 0;

    /// Finds the path of a flow without drawing random numbers.
    /// @param item a frame of the flow
    /// @return the port by which all its frames leave; nothing if there is none, or if they take
    /// several
    virtual std::optional<PortId> Find(const SwitchItem& item) const = 0;

    /// @return whether all frames of a flow take the path of Find() as long as links do not change;
    /// otherwise they may overtake each other
    virtual bool KeepsPath() const;

    /// The link of a port went down or came up.
    virtual void NotifyLinkChanged(PortId port, bool up);

    /// Fixes the random streams, if there are any, starting at `stream`.
    /// @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);
};

/**
 * @ingroup lossless
 * Equal-cost multi-path: the flow's five-tuple, hashed with a seed and the switch's id, chooses
 * among the ports of the destination. All frames of a flow take one path.
 */
class EcmpForwarding : public Forwarding
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void Configure(uint32_t nodeId, std::size_t ports) override;
    void SetRoute(Ipv4Address destination, const std::vector<PortId>& ports) override;
    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;

  protected:
    /// Contiguous ports.
    struct Ports
    {
        const PortId* first{nullptr}; ///< start of the array
        uint32_t count{0};            ///< length of the array

        /// @return the first port
        const PortId* begin() const
        {
            return first;
        }

        /// @return the end
        const PortId* end() const
        {
            return first + count;
        }
    };

    /// @return the ports of a destination
    Ports GetPorts(uint32_t address) const;

    /// @return 32 well-mixed bits that choose among ports
    uint64_t GetChoice(const SwitchItem& item) const
    {
        return ((item.frame.flowHash ^ m_salt) * GOLDEN_RATIO) >> 32;
    }

  private:
    /// Fibonacci hashing: the high bits of the product are well mixed.
    static constexpr uint64_t GOLDEN_RATIO = 0x9e3779b97f4a7c15ULL;

    /// Position of a set of ports in m_ports.
    struct PortSet
    {
        uint32_t first{0}; ///< index
        uint32_t count{0};

        bool operator==(const PortSet& other) const
        {
            return first == other.first && count == other.count;
        }
    };

    /// Addresses with the same ports, up to the start of the next range. Those behind one switch
    /// are usually contiguous, so a switch of a large network has a few ranges, in one or two cache
    /// lines, where an entry per host would never be cached.
    struct Range
    {
        uint32_t first{0}; ///< first address
        PortSet ports;     ///< empty if there is no route
    };

    void CheckPorts(const std::vector<PortId>& ports) const;
    std::size_t FindRange(uint32_t address) const;
    /// Sets the ports of a single address.
    void Assign(uint32_t address, PortSet ports);
    /// Joins a range with the previous one if their ports are the same. An index beyond the last
    /// range has no effect.
    void JoinWithPrevious(std::size_t index);
    /// @return position of a set of ports, added if it is new
    PortSet GetSet(const std::vector<PortId>& ports);

    std::vector<Range> m_ranges = std::vector<Range>(1); ///< of all addresses, in order
    std::vector<PortId> m_ports;                         ///< of all sets, concatenated
    uint64_t m_salt{0};                                  ///< seed and node id mixed
    std::vector<PortSet> m_sets;                         ///< the distinct sets of ports
    std::size_t m_latestSet{0};                          ///< index of the last result of GetSet()
    uint64_t m_seed{0};                                  ///< of the hash
    uint32_t m_nodeId{0};                                ///< the switch
    /// Any number before Configure().
    std::size_t m_portCount{std::numeric_limits<std::size_t>::max()};
};

/// A forwarding, for `--routing`.
using ForwardingInfo = PartOf<Forwarding>;

} // namespace ns3::lossless

#endif /* LOSSLESS_FORWARDING_H */
