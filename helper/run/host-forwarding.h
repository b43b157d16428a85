// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_FORWARDING_H
#define LOSSLESS_HOST_FORWARDING_H

#include "lossless-experiment.h"

#include "ns3/lossless-topology.h"

namespace ns3::lossless
{

/// The option `--host-forwards`; see LetHostsForward().
class HostForwarding
{
  public:
    /// Adds the option.
    void AddOption(Experiment& experiment);
    /// Lets hosts forward frames if the option is given. Stops the program if the option has no
    /// effect.
    /// @param experiment the experiment, which has parsed the option
    /// @param [in,out] topology the network, which must be valid
    void ApplyTo(const Experiment& experiment, Topology& topology) const;

  private:
    bool m_isOn{false};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_FORWARDING_H */
