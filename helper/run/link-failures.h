// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_FAILURES_H
#define LOSSLESS_LINK_FAILURES_H

#include "lossless-experiment.h"

#include "ns3/failure-plan.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <optional>
#include <set>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The options for links that fail, slow down or corrupt frames. `--fail-link` specifies links that
 * are down from the start and avoided by routes, or links that fail during the run and lose all
 * frames while they are down. `--slow-link` specifies links with a lower rate. `--failures` names a
 * file that may contain any event of a FailurePlan. The other options are `--reroute-after`,
 * `--bit-error-rate` and `--llr`.
 */
class LinkFailures
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Reads the options and marks the links that are down from the start as failed. An invalid
    /// option stops the program.
    /// @param experiment the experiment, which has parsed the options
    void ApplyTo(const Experiment& experiment, Topology& topology);
    /// Stops the program if an event would occur at the end of the run or later.
    /// @param end the end of the run, or 0 if it is not known
    void RequireBefore(const Experiment& experiment, Time end) const;
    /// Reports the first failure in the plan that did not occur because the run ended too early, if
    /// any, and why flows over a link that was cut may be unfinished. Call this after the run.
    void TellEffect(Experiment& experiment, const Fabric& fabric) const;
    /// Installs link-layer retry if `--llr` is given. Call this before Fabric::AssignStreams().
    void ProtectLinks(const Fabric& fabric) const;
    /// Schedules the events that occur during the run.
    /// @param fabric the fabric, which was built from the same topology and must not have run yet
    void Install(const Fabric& fabric);

    /// Assigns fixed random streams to the bit errors, starting at `stream`. Call this after
    /// Install().
    void AssignStreams(int64_t stream)
    {
        m_plan.AssignStreams(stream);
    }

    /// @return true if links or switches change during the run
    bool HasEvents() const
    {
        return !m_plan.GetEvents().empty();
    }

  private:
    /// @return a sentence about a link that is down, which flows still take, or an empty string
    std::string Explain(uint32_t link, const Topology& topology) const;
    /// @param text one entry of `--fail-link`
    void Read(const Experiment& experiment, const std::string& text, Topology& topology);
    /// @param text one entry of `--slow-link`
    void ReadSlow(const Experiment& experiment, const std::string& text, const Topology& topology);

    std::string m_text;
    std::string m_slowText;
    std::string m_file;
    std::optional<Time> m_rerouteAfter; ///< time after which routes adapt, if they do
    double m_bitErrorRate{0};
    bool m_hasRetry{false};
    FailurePlan m_plan;         ///< events during the run
    std::set<uint32_t> m_links; ///< indices of the links in `--fail-link`
    std::set<uint32_t> m_slow;  ///< indices of the links in `--slow-link`
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_FAILURES_H */
