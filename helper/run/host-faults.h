// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_FAULTS_H
#define LOSSLESS_HOST_FAULTS_H

#include "run-parts.h"

#include "ns3/data-rate.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The option `--storm`, which makes hosts send PAUSEs from all of their ports, as broken NICs do
 * (PauseStorm). An invalid specification stops the program.
 */
class Storms : public Attachment
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PrioritySet GetClasses(const Topology& topology) const override;
    std::vector<Time> GetStarts(const Topology& topology) const override;
    void Install(Fabric& fabric) override;

  private:
    /// A host that sends PAUSEs for one class.
    struct Storm
    {
        uint32_t host;
        Priority priority;
        Time from;                 ///< start of the PAUSEs
        std::optional<Time> until; ///< end of the PAUSEs; not set if they never end
    };

    /// @param text one entry of the attribute
    static Storm Read(const Topology& topology, const std::string& text);
    /// @return the storms, in the order in which the attribute lists them
    std::vector<Storm> GetStorms(const Topology& topology) const;

    std::string m_hosts; ///< value of the attribute
};

/**
 * @ingroup lossless
 * The option `--slow-receiver`, which makes all ports of certain hosts accept frames at a rate
 * below that of their links (SlowReceiver). An invalid specification stops the program.
 */
class SlowReceivers : public Attachment
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check(const Topology& topology) const override;
    void Install(Fabric& fabric) override;

  private:
    /// @return the rates at which the hosts accept frames, by host index
    std::map<uint32_t, DataRate> GetRates(const Topology& topology) const;

    std::string m_hosts; ///< value of the attribute
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_FAULTS_H */
