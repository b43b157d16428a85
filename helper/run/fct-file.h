// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FCT_FILE_H
#define LOSSLESS_FCT_FILE_H

#include "lossless-experiment.h"

#include "ns3/hpcc-format.h"
#include "ns3/lossless-fabric.h"

namespace ns3::lossless
{

/**
 * The option `--fct-file`, which writes completion times in the format of the HPCC simulator and
 * its forks. It is intended for programs that read flows in the format of these simulators.
 */
class FctFile
{
  public:
    /// Adds the option.
    /// @param experiment the experiment, which must outlive this object
    void AddOption(Experiment& experiment);
    /// @return true if the option was given
    bool IsWanted() const;
    /// @return the event that ends a flow. If the file was requested, this is the arrival of the
    /// last acknowledgement at the sender.
    Fabric::FlowEnd GetFlowEnd() const;

    /// Writes the file if it was requested and the run was not interrupted. On failure, stops the
    /// program and leaves an existing file unchanged.
    /// @param flows the flows as they were read
    void Write(Experiment& experiment, const HpccFlows& flows, const Fabric& fabric) const;

  private:
    const Experiment* m_experiment{nullptr}; ///< experiment that has the option, not owned
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FCT_FILE_H */
