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

    /**
     * Called once, before the first frame; routes may be set before and after.
     * @param nodeId id of the switch
     * @param ports number of its ports
     */
    virtual void Configure(uint32_t nodeId, std::size_t ports) = 0;

    /// Called once, after Configure(), for those who look at it. @param rates by port, bit/s
    virtual void SetPortRates(const std::vector<DataRate>& rates);

    /**
     * Sets the ports of the shortest paths to a destination.
     * @param destination an address
     * @param ports the ports, none twice; replaces what was set before
     */
    virtual void SetRoute(Ipv4Address destination, const std::vector<PortId>& ports) = 0;

    /**
     * Routes one frame.
     * @param item a frame
     * @param buffer the ledger, for those who look at the load
     * @return the port by which it leaves; nothing if there is none
     */
    virtual std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) = 0;

    /**
     * The path of a flow, for those who follow it; draws no random number.
     * @param item a frame of the flow
     * @return the port by which all its frames leave; nothing if there is none, or if they take
     * several
     */
    virtual std::optional<PortId> Find(const SwitchItem& item) const = 0;

    /// @return whether all frames of a flow take one path as long as links stay, as Find() says;
    /// otherwise they overtake each other
    virtual bool KeepsPath() const;

    /// The link of a port went down or came up. @param port the port @param up whether it is up
    virtual void NotifyLinkChanged(PortId port, bool up);

    /**
     * Fixes the random numbers, if there are any.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

/**
 * @ingroup lossless
 * Equal-cost multi-path: the five-tuple of the flow, hashed with a seed and the switch's id,
 * chooses among the ports set for the destination. All frames of a flow take one path.
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
    /// Ports in a row.
    struct Ports
    {
        const PortId* first{nullptr}; ///< the first one
        uint32_t count{0};            ///< how many

        /// @return the first one
        const PortId* begin() const
        {
            return first;
        }

        /// @return behind the last one
        const PortId* end() const
        {
            return first + count;
        }
    };

    /// @param address a destination @return the ports set for it
    Ports GetPorts(uint32_t address) const;

    /// @param item a frame @return what chooses among ports, well mixed, 32 bits
    uint64_t GetChoice(const SwitchItem& item) const
    {
        return ((item.frame.flowHash ^ m_salt) * GOLDEN_RATIO) >> 32;
    }

  private:
    /// Fibonacci hashing: the high bits of the product are well mixed.
    static constexpr uint64_t GOLDEN_RATIO = 0x9e3779b97f4a7c15ULL;

    /// Where a set of ports stands in m_ports.
    struct PortSet
    {
        uint32_t first{0}; ///< index of the first one
        uint32_t count{0}; ///< how many

        /// @param other another one @return whether it is the same
        bool operator==(const PortSet& other) const
        {
            return first == other.first && count == other.count;
        }
    };

    /// Addresses with the same ports, up to where the next range begins. Those that hang on one
    /// switch mostly follow each other, so that a switch of a large network has a few of these,
    /// which stand in a cache line or two, where an entry for each host would be memory that is
    /// never near.
    struct Range
    {
        uint32_t first{0}; ///< first address
        PortSet ports;     ///< none: there is no route
    };

    /// Stops the program if a port does not exist. @param ports the ports of routes
    void CheckPorts(const std::vector<PortId>& ports) const;
    /// @param address a destination @return index of its range
    std::size_t FindRange(uint32_t address) const;
    /// @param address a destination @param ports of it from now on
    void Assign(uint32_t address, PortSet ports);
    /// Makes a range one with the range before it if their ports are the same.
    /// @param index of the range; beyond the last one nothing happens
    void JoinWithPrevious(std::size_t index);
    /// @param ports a set of ports @return where it stands, added if it is new
    PortSet GetSet(const std::vector<PortId>& ports);

    std::vector<Range> m_ranges = std::vector<Range>(1); ///< of all addresses, in order
    std::vector<PortId> m_ports;                         ///< of all sets, one behind the other
    uint64_t m_salt{0};                                  ///< seed and node id mixed
    std::vector<PortSet> m_sets;                         ///< the distinct sets of ports
    std::size_t m_latestSet{0};                          ///< index of what GetSet() returned last
    uint64_t m_seed{0};                                  ///< of the hash
    uint32_t m_nodeId{0};                                ///< the switch
    /// Ports of the switch; any number before Configure().
    std::size_t m_portCount{std::numeric_limits<std::size_t>::max()};
};

/// Of a choice among paths, for `--routing`.
using ForwardingInfo = PartOf<Forwarding>;

} // namespace ns3::lossless

#endif /* LOSSLESS_FORWARDING_H */
