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
 * VI-A): the longest matching prefix of the destination decides, or else the suffix, which is the
 * last byte of the address.
 *
 * There is one path per destination and switch, so all frames of a flow take one path.
 * TwoLevelRoutes fills the tables of a whole fat-tree.
 */
class TwoLevelForwarding : public Forwarding
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    TwoLevelForwarding();

    /// Sends a network down; replaces an earlier port.
    /// @param length number of bits compared, 1 to 32
    void AddPrefix(Ipv4Address network, uint8_t length, PortId port);

    /// Sends hosts of other networks up; replaces an earlier port.
    /// @param hostId last byte of their addresses
    void AddSuffix(uint8_t hostId, PortId port);

    void Configure(uint32_t nodeId, std::size_t ports) override;

    /// Sets a prefix of 32 bits. @param ports one port
    void SetRoute(Ipv4Address destination, const std::vector<PortId>& ports) override;

    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;

  private:
    struct Prefix
    {
        uint32_t network; ///< zero behind the mask
        uint32_t mask;    ///< bits compared
        PortId port;
    };

    /// Stops the program if the switch is configured and has no such port.
    void CheckPort(PortId port) const;

    uint32_t m_nodeId{0};                              ///< id of the switch
    std::optional<std::size_t> m_numPorts;             ///< of the switch; empty before Configure()
    std::vector<Prefix> m_prefixes;                    ///< longest first
    std::array<std::optional<PortId>, 256> m_suffixes; ///< by last byte of the address
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TWO_LEVEL_FORWARDING_H */
