// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_FORMAT_H
#define LOSSLESS_FLOW_FORMAT_H

#include "ns3/file-format.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

class FlowTrace;

/// A file format for `--flows`.
struct FlowFormat : public FileFormatInfo
{
    /**
     * Reads a trace. This pointer is null if the file is a plain list of flows or in the format of
     * this module's flows.csv.
     * @param [out] files the names of all files that were read
     * @param [out] trace the trace, unchanged after an error
     * @return an error message with the file name, or nothing
     */
    std::optional<std::string> (*read)(const std::string& path,
                                       std::vector<std::string>& files,
                                       std::unique_ptr<FlowTrace>& trace){nullptr};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_FORMAT_H */
