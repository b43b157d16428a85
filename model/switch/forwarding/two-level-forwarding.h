// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TWO_LEVEL_FORWARDING_H
#define LOSSLESS_TWO_LEVEL_FORWARDING_H

#include "lossless-forwarding.h"

#include <array>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The two-level table of a fat-tree switch (Al-Fares et al., SIGCOMM 2008, Sec. 3.3; PABO, Sec.
 * VI-A). The longest matching prefix of the destination determines the port. If no prefix matches,
 * the suffix (the last byte of the address) determines the port.
 *
 * Each switch has one port for each destination, so all frames of a flow take the same path.
 * TwoLevelRoutes fills the tables of a whole fat-tree.
 */
class TwoLevelForwarding : public Forwarding
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Adds a downward route for traffic to a network. Replaces the network's previous port, if
    /// any.
    /// @param length the number of bits to compare, 1 to 32
    void AddPrefix(Ipv4Address network, uint8_t length, PortId port);

    /// Adds an upward route for traffic to hosts of networks without a prefix. Replaces the
    /// previous port for the host ID, if any.
    /// @param hostId the last byte of the hosts' addresses
    void AddSuffix(uint8_t hostId, PortId port);

    void Configure(uint32_t nodeId, const std::vector<DataRate>& rates) override;

    /// Adds a prefix of 32 bits for each address.
    /// @param ports a list of exactly one port
    void SetRoutes(Ipv4Address first, Ipv4Address last, const std::vector<PortId>& ports) override;

    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;

  private:
    struct Prefix
    {
        uint32_t network; ///< the address, which is zero outside the mask
        uint32_t mask;    ///< the mask of the bits to compare
        PortId port;
    };

    /// Stops the program if the switch has been configured and has no such port.
    void CheckPort(PortId port) const;

    uint32_t m_nodeId{0};                              ///< the ID of the switch
    std::optional<std::size_t> m_numPorts;             ///< the number of ports; set by Configure()
    std::vector<Prefix> m_prefixes;                    ///< the prefixes, longest first
    std::array<std::optional<PortId>, 256> m_suffixes; ///< the port for each value of the last byte
                                                       ///< of an address
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TWO_LEVEL_FORWARDING_H */
