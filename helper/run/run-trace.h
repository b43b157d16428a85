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

/// A file of --flows in a foreign format whose messages wait for messages.
class RunTrace
{
  public:
    /// Reads the file; a malformed one stops the program.
    /// @param format one with a reader
    void Read(const Experiment& experiment, const FlowFormat& format, const std::string& path);

    /// @return whether there is such a file
    bool IsWanted() const
    {
        return m_trace != nullptr;
    }

    /// @return names of all files that are read
    const std::vector<std::string>& GetFiles() const
    {
        return m_files;
    }

    /// Fails the links that the file names.
    void FailLinks(const Experiment& experiment, Topology& topology) const;

    /// @param hosts in the order of the ranks placed on them
    /// @param priority class of all flows
    /// @param [out] runs gets the collectives
    /// @return the graph, complete
    FlowGraph MakeGraph(const Experiment& experiment,
                        const Topology& topology,
                        const std::vector<uint32_t>& hosts,
                        uint8_t priority,
                        std::vector<CollectiveRun>& runs) const;

  private:
    std::string m_format; ///< its name
    std::vector<std::string> m_files;
    std::unique_ptr<FlowTrace> m_trace; ///< null: no file
};

/// The option `--write-cm`: the flows as a connection matrix for htsim.
class MatrixFile
{
  public:
    /// Adds the option.
    void AddOption(Experiment& experiment) const;
    /// @return whether the option was given
    bool IsWanted(const Experiment& experiment) const;
    /// Prepares the content of the file; flows that it cannot express stop the program.
    void Prepare(const Experiment& experiment, FlowGraph graph, const Topology& topology);
    /// Writes the file, if prepared.
    void Write(const Experiment& experiment) const;

  private:
    std::optional<ConnectionMatrix> m_matrix; ///< content; nothing: no file is wanted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_TRACE_H */
