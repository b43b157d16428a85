// SPDX-License-Identifier: GPL-2.0-only
#ifndef CABLE_LENGTHS_H
#define CABLE_LENGTHS_H

#include "ns3/lossless-experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Reads the option --metres; stops the program if it is invalid.
/// @param experiment the experiment that reports an invalid option
/// @param text the lengths in metres, separated by commas
/// @param most the maximum length in metres
std::vector<double> ReadMetres(const Experiment& experiment,
                               const std::string& text,
                               uint32_t most);

} // namespace ns3::lossless

#endif /* CABLE_LENGTHS_H */
