// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_FORMAT_H
#define LOSSLESS_FLOW_FORMAT_H

#include "ns3/file-format.h"

#include <memory>
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
     * @return the trace
     * @throws FileComplaint with the file name
     */
    std::unique_ptr<FlowTrace> (*read)(const std::string& path,
                                       std::vector<std::string>& files){nullptr};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_FORMAT_H */
