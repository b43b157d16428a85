// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPTURES_H
#define LOSSLESS_CAPTURES_H

#include "lossless-experiment.h"

#include "ns3/lossless-fabric.h"

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The options `--pcap` and `--pcap-prefix`, which capture frames at selected ports for Wireshark.
 */
class Captures
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Schedules the captures to start with the run. Stops the program if an option is invalid.
    /// @param experiment the experiment, which has parsed the options
    void Install(const Experiment& experiment, const Fabric& fabric) const;

  private:
    std::string m_ports;
    std::string m_prefix{"run"};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPTURES_H */
