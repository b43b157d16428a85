// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_FORMAT_H
#define LOSSLESS_TOPOLOGY_FORMAT_H

#include "lossless-topology.h"

#include "ns3/file-format.h"

#include <istream>
#include <optional>
#include <string>

namespace ns3::lossless
{

/// A format of files of `--topology`.
struct TopologyFormat : public FileFormatInfo
{
    /**
     * Reads a network.
     * @param fileName used in errors
     * @param [out] topology unchanged after an error
     * @param [out] note a sentence about what was ignored, if anything
     * @return the error with file and line, or nothing
     */
    std::optional<std::string> (*parse)(std::istream& input,
                                        const std::string& fileName,
                                        Topology& topology,
                                        std::optional<std::string>& note){nullptr};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_FORMAT_H */
