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

/// A network read from a file.
struct FileTopology
{
    Topology topology;                 ///< nodes and links
    std::optional<std::string> note{}; ///< message about ignored lines, if any

    /// Aborts if Validate() finds an error, or if lines were ignored and a host has no link.
    /// @param origin the start of the message, which also contains the note
    void AbortIfInvalid(const std::string& origin) const;
};

/// A file format for `--topology`.
struct TopologyFormat : public FileFormatInfo
{
    /**
     * Reads a network.
     * @param input the input stream
     * @param fileName the name of the file, for error messages
     * @return the network
     * @throws FileComplaint with the file name and line number
     */
    FileTopology (*parse)(std::istream& input, const std::string& fileName){nullptr};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_FORMAT_H */
