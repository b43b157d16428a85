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
 * The options `--pcap` and `--pcap-prefix`: ports whose frames are captured, for Wireshark.
 */
class Captures
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Has captures begin with the run, which writes their files; stops the program if a port is
    /// not there. @param experiment which has read the options @param fabric the network
    void Install(const Experiment& experiment, const Fabric& fabric) const;

  private:
    std::string m_ports;         ///< option
    std::string m_prefix{"run"}; ///< option
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPTURES_H */
