// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_OPTIONS_H
#define LOSSLESS_HPCC_OPTIONS_H

#include "lossless-experiment.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::lossless
{

/**
 * The options that stand for settings of the HPCC simulator and its forks: `--topology`, `--flows`
 * and `--config`, which name input files in their formats (by default, those of a small example),
 * and marking between two queue lengths, as KMIN_MAP, KMAX_MAP and PMAX_MAP set it. Errors stop the
 * program.
 */
struct HpccOptions
{
    /// @param program the `__FILE__` of the program. The files of the example, hpcc-topology.txt
    /// and hpcc-flows.txt, are in the same folder or in the installation.
    explicit HpccOptions(const std::string& program);

    /// Adds the options `--topology` and `--flows`.
    void AddFiles(Experiment& experiment);
    /// Adds the option `--config`, whose settings become options.
    /// @param experiment the experiment, which must outlive this object
    void AddSettings(Experiment& experiment);
    /// Adds the options `--ecn-min`, `--ecn-max` and `--ecn-probability`.
    void AddMarking(Experiment& experiment);
    /// Checks that files were found, belong together and are not written, and the marking.
    void Check(const Experiment& experiment) const;

    /// Makes the switches mark frames as the options specify it. Without `--ecn-max`, marking stays
    /// as the congestion control needs it.
    void SetMarking(SwitchHelper& switches) const;

    std::string topologyFile; ///< path of the network
    std::string flowFile;     ///< path of the flows
    std::string settingsFile; ///< path of the settings; empty if there are none
    /// Error messages about files that the settings name but that were not found, by file.
    std::map<std::string, std::string> missing;
    uint64_t ecnMin{0}; ///< Kmin, in bytes
    uint64_t ecnMax{0}; ///< Kmax, in bytes; 0 for no marking by these options
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HPCC_OPTIONS_H */
