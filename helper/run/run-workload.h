// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_WORKLOAD_H
#define LOSSLESS_RUN_WORKLOAD_H

#include "lossless-experiment.h"
#include "run-network.h"

#include "ns3/flow-graph.h"
#include "ns3/flow-trace.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"
#include "ns3/option-text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The options for random flows.
inline const std::vector<std::string> RANDOM_FLOW_OPTIONS =
    SplitList("load,sizes,classes,incast-load,incast-senders,incast-bytes,incast-classes,arrivals");

/**
 * @ingroup lossless
 * The flows of lossless-run. The options select random flows or a file.
 */
class RunWorkload
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if options are inconsistent.
    /// @param experiment the experiment, which has parsed the options
    /// @param network the network; if the flows are in the format of the HPCC simulator, the
    /// network must be from a file in this format, too
    void Check(const Experiment& experiment, const RunNetwork& network);

    /// @return the name of the file; empty for random flows
    const std::string& GetFile() const;
    /// @return the name of the file of flow sizes; empty for a compiled-in table
    std::string GetSizesFile() const;
    /// @return true if the flows are from a file in the format of the HPCC simulator or its forks
    bool IsOfForks() const;

    /// @return true if the flows are from a file in which ranks send messages that may wait for
    /// each other
    bool HasRanks() const;

    /// Reads the file if HasRanks(). A malformed file stops the program.
    void ReadTrace(const Experiment& experiment);
    /// Marks the links that ReadTrace() found in the file as failed.
    void FailLinks(const Experiment& experiment, Topology& topology) const;
    /// Creates the flows that ReadTrace() read.
    /// @param hosts the indices of hosts, in the order of the ranks placed on them
    /// @param [out] runs the collectives in the graph
    /// @return the graph, which FlowGraph::Check() has accepted
    FlowGraph MakeTraceGraph(const Experiment& experiment,
                             const Topology& topology,
                             const std::vector<uint32_t>& hosts,
                             std::vector<CollectiveRun>& runs) const;

    /// @return the classes of random flows, even if no flow was drawn
    PrioritySet GetRandomClasses() const;

    /// @return the names of all files of flows and flow sizes that are read
    std::vector<std::string> GetFiles() const;

    /// @return true if the flows are from a file in this module's format and may wait for each
    /// other
    bool IsCsv() const;

    /// Creates random flows. Call this only if there is no file. Inconsistent options stop the
    /// program.
    /// @param network the network options, whose payload determines the packet overhead
    /// @param topology the network, which must outlive the flows
    std::shared_ptr<const FlowSource> MakeRandomFlows(Experiment& experiment,
                                                      const RunNetwork& network,
                                                      const Topology& topology);

  private:
    /// Warns if a load differs widely from the requested one, which happens if there are only a few
    /// flows or if a few of them carry most of the bytes.
    /// @param option the option that sets the load
    /// @param wanted the options with the requested load
    /// @param group the label of the flows of this load
    /// @param totals sums over all flows
    void NoteLoad(Experiment& experiment,
                  const std::string& option,
                  const ArrivalOptions& wanted,
                  const std::string& group,
                  const FlowTotals& totals,
                  const Topology& topology) const;

    /// Stops the program if an option applies to a kind of random flows that the run does not have.
    void CheckLoads(const Experiment& experiment) const;

    /// @return the sizes of random flows
    FlowSizeTable GetSizes() const;
    /// Sets the offered load, the packet overhead and the duration of the arrivals.
    /// @param network the network options, whose payload determines the packet overhead
    void SetArrivals(ArrivalOptions& options, double load, const RunNetwork& network) const;
    /// @param network the network options, whose payload determines the packet overhead
    PoissonOptions GetBackground(const RunNetwork& network) const;
    /// @param network the network options, whose payload determines the packet overhead
    FanInOptions GetIncast(const RunNetwork& network) const;

    /// @return the name of the file's format; empty if there is no file
    std::string GetFormat() const;
    std::string m_file;                          ///< file of flows; empty for random flows
    FileFormat m_format{GetParts<FlowFormat>()}; ///< format of that file
    std::unique_ptr<FlowTrace> m_trace;          ///< content of the file if HasRanks()
    std::vector<std::string> m_traceFiles;       ///< all files that ReadTrace() read
    double m_load{0.5};               ///< load of flows between random pairs; 0 for no such flows
    std::string m_sizes{"websearch"}; ///< sizes of flows between random pairs: a table or a file
    std::string m_classesText{"3"};   ///< classes of flows between random pairs
    double m_incastLoad{0};           ///< load of incasts; 0 for no incasts
    uint32_t m_incastSenders{8};      ///< number of senders per incast
    uint64_t m_incastBytes{65536};    ///< number of bytes per sender
    std::string m_incastClassesText;  ///< classes of incasts; empty for m_classesText
    Time m_arrivals{MilliSeconds(1)}; ///< duration of the arrivals
    std::vector<uint8_t> m_classes;   ///< parsed from m_classesText
    std::vector<uint8_t> m_incastClasses; ///< parsed from m_incastClassesText
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_WORKLOAD_H */
