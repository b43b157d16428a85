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
 * The two-level table of a fat-tree switch (Al-Fares et al., SIGCOMM 2008, Sec. 3.3; PABO,
 * Sec. VI-A): the longest prefix that matches the destination decides, and where none does, the
 * suffix, which is the last byte of the address.
 *
 * One path per destination and switch, so all frames of a flow take one path. TwoLevelRoutes fills
 * the tables of a whole fat-tree.
 */
class TwoLevelForwarding : public Forwarding
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    TwoLevelForwarding();

    /**
     * Sends a network down.
     * @param network address of the network
     * @param length number of bits that are compared, 1 to 32
     * @param port the port; replaces what was set before
     */
    void AddPrefix(Ipv4Address network, uint8_t length, PortId port);

    /**
     * Sends hosts of other networks up.
     * @param hostId last byte of their addresses
     * @param port the port; replaces what was set before
     */
    void AddSuffix(uint8_t hostId, PortId port);

    void Configure(uint32_t nodeId, std::size_t ports) override;

    /// A prefix of 32 bits. @param destination an address @param ports one port
    void SetRoute(Ipv4Address destination, const std::vector<PortId>& ports) override;

    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;

  private:
    /// Where a network is.
    struct Prefix
    {
        uint32_t network; ///< address, zero behind the mask
        uint32_t mask;    ///< bits that are compared
        PortId port;      ///< the port
    };

    /// Stops the program if the switch is known and has no such port. @param port of a route
    void CheckPort(PortId port) const;

    uint32_t m_nodeId{0};                  ///< id of the switch
    std::optional<std::size_t> m_numPorts; ///< of the switch; nothing before Configure()
    std::vector<Prefix> m_prefixes;        ///< the longest first
    std::array<std::optional<PortId>, 256> m_suffixes; ///< by last byte of the address
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TWO_LEVEL_FORWARDING_H */
