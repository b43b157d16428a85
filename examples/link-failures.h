// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_FAILURES_H
#define LINK_FAILURES_H

#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The option `--fail-link`: links that fail from the start, which routes avoid, or in a time, in
/// which they lose what is sent.
class LinkFailures
{
  public:
    /// @param experiment to which the option is added
    void AddOption(Experiment& experiment);
    /// Finds the links, and fails those that do from the start. Stops the program if there is no
    /// such link. @param experiment which has read the option @param topology the network
    void ApplyTo(const Experiment& experiment, Topology& topology);
    /// Cuts and mends the others. @param fabric built from that network, before it runs
    void Schedule(const Fabric& fabric) const;

  private:
    /// A link that is cut in the run.
    struct Cut
    {
        uint32_t link;             ///< link index
        Time from;                 ///< when it is cut
        std::optional<Time> until; ///< when it is mended; nothing: never
    };

    /// Reads one failure. @param experiment which stops the program @param text as the option has
    /// it @param topology the network
    void Read(const Experiment& experiment, const std::string& text, Topology& topology);

    std::string m_text;         ///< option
    std::vector<Cut> m_cuts;    ///< in the order of the option
    std::set<uint32_t> m_links; ///< link indices, of all that fail
};

} // namespace ns3::lossless

#endif /* LINK_FAILURES_H */
