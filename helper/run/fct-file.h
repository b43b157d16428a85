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
 * The option `--fct-file` of programs that read flows of the HPCC simulator's family: a file of
 * completion times in the same format.
 */
class FctFile
{
  public:
    /// @param experiment to which the option is added; it must outlive this object
    void AddOption(Experiment& experiment);
    /// @return whether there is such a file
    bool IsWanted() const;
    /// @return when a flow is done: the file has the times at which senders know of it
    Fabric::FlowEnd GetFlowEnd() const;

    /// Writes the file, if it is wanted, after a run that was not interrupted. It is there in full
    /// or as it was. @param experiment that has run @param flows as read @param fabric the network
    void Write(Experiment& experiment, const HpccFlows& flows, const Fabric& fabric) const;

  private:
    const Experiment* m_experiment{nullptr}; ///< has the option; not owned
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FCT_FILE_H */
