// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_LOOKUP_H
#define LOSSLESS_FLOW_LOOKUP_H

#include "ns3/flow-record.h"
#include "ns3/ipv4-address.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/**
 * Looks up the label, host names and ideal completion time of an active flow, which a NIC's record
 * does not contain. The required memory grows with the number of flows only if the flows are stored
 * in a list.
 */
class FlowLookup
{
  public:
    /// Sets the network that carries the flows.
    /// @param fabric the network, which must outlive the run
    void SetFabric(const Fabric& fabric)
    {
        m_fabric = &fabric;
    }

    /// @return the network
    const Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /// @return the label of a flow. Equal labels of generated flows have the same address.
    const std::string& FindLabel(uint64_t id);
    /// @return the completion time of a flow on the idle network, in ticks
    int64_t GetIdeal(const FlowRecord& record);
    /// @param address the address of one of the host's NICs
    /// @return the name of the host
    const std::string& GetHostName(Ipv4Address address);

  private:
    /// The ideal completion time of flows of one size between two hosts.
    struct Ideal
    {
        uint32_t source{0};      ///< address of the sending NIC
        uint32_t destination{0}; ///< address of the receiving NIC
        uint64_t bytes{0};       ///< size of the flows, or 0 for an empty entry
        int64_t ticks{0};        ///< ideal completion time, in ticks
    };

    /// The number of cached ideal times. A cache is useful because many flows have the same size,
    /// source and destination.
    static constexpr std::size_t IDEALS = 4096;

    /// @return the index of a host
    uint32_t FindHost(uint32_t address);

    const Fabric* m_fabric{nullptr};
    std::unordered_map<uint64_t, const std::string*> m_labels; ///< labels by flow ID, used only for
                                                               ///< a list of flows
    std::unordered_map<uint32_t, uint32_t> m_hosts;            ///< host indices by address
    std::vector<Ideal> m_ideals;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_LOOKUP_H */
