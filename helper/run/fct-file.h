// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FCT_FILE_H
#define LOSSLESS_FCT_FILE_H

#include "lossless-experiment.h"

#include "ns3/hpcc-format.h"
#include "ns3/lossless-fabric.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The option `--fct-file` of programs that read flows of the HPCC simulator's family: completion
 * times in its format.
 */
class FctFile
{
  public:
    /// Adds the option. @param experiment must outlive this object
    void AddOption(Experiment& experiment);
    /// @return whether the option was given
    bool IsWanted() const;
    /// @return end of a flow: the file has the times at which senders learn of it
    Fabric::FlowEnd GetFlowEnd() const;

    /// Writes the file, if wanted, after a run that was not interrupted. On failure the file is
    /// unchanged. @param flows as read
    void Write(Experiment& experiment, const HpccFlows& flows, const Fabric& fabric) const;

  private:
    const Experiment* m_experiment{nullptr}; ///< not owned
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FCT_FILE_H */
