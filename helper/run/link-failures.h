// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_FAILURES_H
#define LOSSLESS_LINK_FAILURES_H

#include "lossless-experiment.h"

#include "ns3/failure-plan.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"

#include <set>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The options of links that fail or err: `--fail-link`, of links that fail from the start, which
 * routes avoid, or in a time, in which they lose what is sent; `--slow-link`, of links at a lower
 * rate; `--failures`, a file of all that a FailurePlan knows; `--reroute-after`,
 * `--bit-error-rate` and `--llr`.
 */
class LinkFailures
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Reads the options, and fails the links that do from the start. Stops the program if there is
    /// no such link. @param experiment which has read them @param topology the network
    void ApplyTo(const Experiment& experiment, Topology& topology);
    /// Stops the program if something would happen only after the run.
    /// @param experiment which does it @param end of the run; 0: not known
    void RequireBefore(const Experiment& experiment, Time end) const;
    /// Says on standard error, after the run, if it ended before something could happen.
    void TellMissed() const;
    /// Has the rest happen. @param fabric built from that network, before it runs
    void Install(const Fabric& fabric);

    /// Fixes the random numbers of bit errors, after Install(). @param stream first stream to use
    void AssignStreams(int64_t stream)
    {
        m_plan.AssignStreams(stream);
    }

    /// @return whether something happens to links or switches in the run
    bool HasEvents() const
    {
        return !m_plan.GetEvents().empty();
    }

    /// @return the file of `--failures`; empty: none
    const std::string& GetFile() const
    {
        return m_file;
    }

  private:
    /// Reads one failure. @param experiment which stops the program @param text as the option has
    /// it @param topology the network
    void Read(const Experiment& experiment, const std::string& text, Topology& topology);
    /// Reads one slow link. @param experiment which stops the program @param text as the option has
    /// it @param topology the network
    void ReadSlow(const Experiment& experiment, const std::string& text, const Topology& topology);

    std::string m_text;         ///< option
    std::string m_slowText;     ///< option
    std::string m_file;         ///< option
    Time m_rerouteAfter;        ///< option
    double m_bitErrorRate{0};   ///< option
    bool m_hasRetry{false};     ///< option
    FailurePlan m_plan;         ///< what happens in the run
    std::set<uint32_t> m_links; ///< link indices, of all that `--fail-link` names
    std::set<uint32_t> m_slow;  ///< link indices, of all that `--slow-link` names
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_FAILURES_H */
