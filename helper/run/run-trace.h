// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_TRACE_H
#define LOSSLESS_RUN_TRACE_H

#include "lossless-experiment.h"

#include "ns3/connection-matrix.h"
#include "ns3/flow-graph.h"
#include "ns3/flow-trace.h"
#include "ns3/lossless-topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A file given by `--flows` in the format of another program. Its messages can wait for each
/// other.
class RunTrace
{
  public:
    /// Reads the file. A malformed file stops the program.
    /// @param format the format, which must have a reader
    void Read(const Experiment& experiment, const FlowFormat& format, const std::string& path);

    /// @return true if a file has been read
    bool IsWanted() const
    {
        return m_trace != nullptr;
    }

    /// @return the names of all files that were read
    const std::vector<std::string>& GetFiles() const
    {
        return m_files;
    }

    /// Marks the links named in the file as failed.
    void FailLinks(const Experiment& experiment, Topology& topology) const;

    /// @param hosts the indices of hosts, in the order of the ranks placed on them
    /// @param priority the class of all flows
    /// @param [out] runs the collectives in the graph
    /// @return the graph, which FlowGraph::Check() has accepted
    FlowGraph MakeGraph(const Experiment& experiment,
                        const Topology& topology,
                        const std::vector<uint32_t>& hosts,
                        uint8_t priority,
                        std::vector<CollectiveRun>& runs) const;

  private:
    std::string m_format; ///< name of the format
    std::vector<std::string> m_files;
    std::unique_ptr<FlowTrace> m_trace; ///< contents of the file, or null if there is none
};

/// The option `--write-cm`, which writes the flows as a connection matrix for htsim.
class MatrixFile
{
  public:
    /// Adds the option.
    void AddOption(Experiment& experiment) const;
    /// @return true if the option was given
    bool IsWanted(const Experiment& experiment) const;
    /// Prepares the content of the file. Stops the program if the file format cannot express a
    /// flow.
    void Prepare(const Experiment& experiment, FlowGraph graph, const Topology& topology);
    /// Writes the file if it was prepared.
    void Write(const Experiment& experiment) const;

  private:
    /// The content of the file; unset if no file was requested.
    std::optional<ConnectionMatrix> m_matrix;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_TRACE_H */
