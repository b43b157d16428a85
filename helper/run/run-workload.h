// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_WORKLOAD_H
#define LOSSLESS_RUN_WORKLOAD_H

#include "lossless-experiment.h"
#include "run-network.h"
#include "run-trace.h"

#include "ns3/hpcc-format.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Options of random flows.
inline const std::vector<std::string> RANDOM_FLOW_OPTIONS{"load",
                                                          "sizes",
                                                          "classes",
                                                          "incast-load",
                                                          "incast-senders",
                                                          "incast-bytes",
                                                          "incast-classes",
                                                          "arrivals"};

/**
 * @ingroup lossless
 * The flows of lossless-run, as its options specify: from a file or random.
 */
class RunWorkload
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if options are inconsistent.
    /// @param experiment has parsed them
    /// @param network its file may have another format
    void Check(const Experiment& experiment, const RunNetwork& network);

    /// @return name of the file; empty: random flows
    const std::string& GetFile() const;
    /// @return name of the file of flow sizes; empty: a table of the module
    std::string GetSizesFile() const;
    /// @return whether there is a file in the format of the HPCC simulator's family
    bool IsOfForks() const;

    /// Reads a file of RunTrace; a malformed one stops the program.
    void ReadTrace(const Experiment& experiment);

    /// @return the file, if it is one of RunTrace
    const RunTrace& GetTrace() const
    {
        return m_trace;
    }

    /// @return class of its flows
    uint8_t GetTraceClass() const
    {
        return m_classes.front();
    }

    /// @return classes of random flows, even if none was drawn
    PrioritySet GetRandomClasses() const;

    /// @return names of all files of flows that are read
    std::vector<std::string> GetFiles() const;

    /// @return whether the flows are in a file of this module's format, and may wait for others
    bool IsCsv() const;

    /// Makes all flows if not IsCsv(). @param network for the load of frames
    HpccFlows MakeFlows(const Experiment& experiment,
                        const RunNetwork& network,
                        const Topology& topology);

    /// Reports loads of random flows that differ widely from those requested.
    void TellLoads() const;

  private:
    /// Records a load that may differ widely from the requested one, with few flows, or most bytes
    /// in few of them.
    /// @param option of the load
    /// @param load requested
    /// @param flows number of flows
    /// @param share of the expected bytes that they have
    void NoteLoad(const std::string& option, double load, std::size_t flows, double share);

    /// Stops the program if an option applies to random flows of which there are none.
    void CheckLoads(const Experiment& experiment) const;

    /// @return sizes of the random flows
    FlowSizeTable GetSizes() const;
    /// Sets the load of arrivals. @param network for the load of frames
    void SetArrivals(ArrivalOptions& options, double load, const RunNetwork& network) const;
    /// @param network for the load of frames
    PoissonOptions GetBackground(const RunNetwork& network) const;
    /// @param network for the load of frames
    FanInOptions GetIncast(const RunNetwork& network) const;

    /// @return format of the file; empty: no file
    std::string GetFormat() const;
    /// @return whether there is a file in which ranks send messages that wait for messages
    bool HasRanks() const;

    std::string m_file;                          ///< empty: random flows
    FileFormat m_format{GetParts<FlowFormat>()}; ///< of that file
    RunTrace m_trace;
    double m_load{0.5};                   ///< of flows between random pairs; 0: none
    std::string m_sizes{"websearch"};     ///< of these flows
    std::string m_classesText{"3"};       ///< of these flows
    double m_incastLoad{0};               ///< of incasts; 0: none
    uint32_t m_incastSenders{8};          ///< per incast
    uint64_t m_incastBytes{65536};        ///< per sender
    std::string m_incastClassesText;      ///< of incasts; empty: those of the other flows
    Time m_arrivals{MilliSeconds(1)};     ///< no flow starts later
    std::vector<uint8_t> m_classes;       ///< see m_classesText
    std::vector<uint8_t> m_incastClasses; ///< see m_incastClassesText
    std::vector<std::string> m_notes;     ///< see TellLoads()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_WORKLOAD_H */
