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
 * Broken hosts, which send PAUSEs from all their ports (PauseStorm); `--storm`. What is wrong with
 * them stops the program.
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
    /// A host that sends PAUSEs.
    struct Storm
    {
        uint32_t host;
        Priority priority;
        Time from;                 ///< start
        std::optional<Time> until; ///< end; nothing: never
    };

    /// @param text one storm of the attribute
    static Storm Read(const Topology& topology, const std::string& text);
    /// @return the storms, in the order of the attribute
    std::vector<Storm> GetStorms(const Topology& topology) const;

    std::string m_hosts; ///< as text
};

/**
 * @ingroup lossless
 * Hosts that accept frames at a lower rate than that of their links (SlowReceiver), at all their
 * ports; `--slow-receiver`. What is wrong with them stops the program.
 */
class SlowReceivers : public Attachment
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check(const Topology& topology) const override;
    void Install(Fabric& fabric) override;

  private:
    /// @return rate of acceptance, by host
    std::map<uint32_t, DataRate> GetRates(const Topology& topology) const;

    std::string m_hosts; ///< as text
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_FAULTS_H */
