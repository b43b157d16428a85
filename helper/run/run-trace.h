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

/// A file of --flows in a format of another program, in which messages wait for messages.
class RunTrace
{
  public:
    /// Reads the file; a malformed one stops the program. @param experiment which stops it
    /// @param format which has a reader @param path of the file
    void Read(const Experiment& experiment, const FlowFormat& format, const std::string& path);

    /// @return whether there is one
    bool IsWanted() const
    {
        return m_trace != nullptr;
    }

    /// @return names of all files that are read
    const std::vector<std::string>& GetFiles() const
    {
        return m_files;
    }

    /// Fails the links that the file names. @param experiment which stops the program
    /// @param [in,out] topology the network
    void FailLinks(const Experiment& experiment, Topology& topology) const;

    /// @param experiment which stops the program @param topology the network
    /// @param hosts in the order in which ranks take them @param priority class of all flows
    /// @param [out] runs where to add the collectives of it @return the graph, complete
    FlowGraph MakeGraph(const Experiment& experiment,
                        const Topology& topology,
                        const std::vector<uint32_t>& hosts,
                        uint8_t priority,
                        std::vector<CollectiveRun>& runs) const;

  private:
    std::string m_format;               ///< its name
    std::vector<std::string> m_files;   ///< see GetFiles()
    std::unique_ptr<FlowTrace> m_trace; ///< null: there is no file
};

/// The option `--write-cm`: the flows as a connection matrix, so that htsim can run them.
class MatrixFile
{
  public:
    /// @param experiment to which the option is added
    void AddOption(Experiment& experiment) const;
    /// @param experiment which has read it @return whether there is such a file
    bool IsWanted(const Experiment& experiment) const;
    /// Prepares the content of the file; flows that it cannot hold stop the program.
    /// @param experiment which has read the option @param graph the flows @param topology the
    /// network
    void Prepare(const Experiment& experiment, FlowGraph graph, const Topology& topology);
    /// Writes the file, if it was prepared. @param experiment which has read the option
    void Write(const Experiment& experiment) const;

  private:
    std::optional<ConnectionMatrix> m_matrix; ///< the content; nothing: no file is wanted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_TRACE_H */
