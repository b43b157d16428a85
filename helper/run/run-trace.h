// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_TRACE_H
#define LOSSLESS_RUN_TRACE_H

#include "lossless-experiment.h"

#include "ns3/connection-matrix.h"
#include "ns3/flow-graph.h"
#include "ns3/lossless-topology.h"
#include "ns3/rank-placement.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A file of --flows in a format of another program, in which messages wait for messages: htsim's
/// connection matrix, GOAL or Chakra's traces.
class RunTrace
{
  public:
    /// @param format name of a format @return whether it is one of these
    static bool IsFormat(const std::string& format);

    /// Reads the file; a malformed one stops the program. @param experiment which stops it
    /// @param format one of these @param path of the file, of Chakra that of rank 0
    void Read(const Experiment& experiment, const std::string& format, const std::string& path);

    /// @return whether there is one
    bool IsWanted() const
    {
        return !m_format.empty();
    }

    /// @return names of all files that are read
    const std::vector<std::string>& GetFiles() const
    {
        return m_files;
    }

    /// @return number of ranks
    uint32_t GetNRanks() const;

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
    /// Reads the traces of all ranks. @param path of that of rank 0 @return what is wrong
    std::optional<std::string> ReadChakra(const std::string& path);

    std::string m_format;                 ///< one of these; empty: there is no file
    std::vector<std::string> m_files;     ///< see GetFiles()
    ConnectionMatrix m_matrix;            ///< of that format
    std::optional<RankProgram> m_program; ///< of the others
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
