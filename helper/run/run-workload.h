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

/// Options of flows that are drawn at random.
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
 * The flows of lossless-run, as its options tell them: from a file or drawn at random.
 */
class RunWorkload
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Stops the program if options make no sense together.
    /// @param experiment which has read them @param network whose file may be in a format of its
    /// own
    void Check(const Experiment& experiment, const RunNetwork& network);

    /// @return name of the file; empty: flows are drawn at random
    const std::string& GetFile() const;
    /// @return name of the file of flow sizes; empty: they are of a table that the module has
    std::string GetSizesFile() const;
    /// @return whether there is a file, in the format of the HPCC simulator's family
    bool IsOfForks() const;

    /// Reads the file if it is of another program's flows that wait for flows; a malformed one
    /// stops the program. @param experiment which stops it
    void ReadTrace(const Experiment& experiment);

    /// @return such a file, if there is one
    const RunTrace& GetTrace() const
    {
        return m_trace;
    }

    /// @return class of its flows
    uint8_t GetTraceClass() const
    {
        return m_classes.front();
    }

    /// @return classes of flows that are drawn at random, also if none of them was drawn
    PrioritySet GetRandomClasses() const;

    /// @return names of all files of flows that are read
    std::vector<std::string> GetFiles() const;

    /// @return whether the flows are in a file of this module's format, and may wait for others
    bool IsCsv() const;

    /// Of flows that are not IsCsv().
    /// @param experiment which stops the program @param network for the load of frames
    /// @param topology the network @return all flows
    HpccFlows MakeFlows(const Experiment& experiment,
                        const RunNetwork& network,
                        const Topology& topology);

    /// Prints on standard error which loads of random flows are far from what was asked for.
    void TellLoads() const;

  private:
    /// What was drawn may be far from the load that was asked for: few flows, or most bytes in few
    /// of them. @param option that asked @param load asked for @param flows number of flows
    /// @param share of the bytes expected that they have
    void NoteLoad(const std::string& option, double load, std::size_t flows, double share);

    /// Stops the program if an option is of random flows that there are none of.
    /// @param experiment which stops it
    void CheckLoads(const Experiment& experiment) const;

    /// @return sizes of the random flows
    FlowSizeTable GetSizes() const;
    /// @param options of arrivals, which get the load @param load of them
    /// @param network for the load of frames
    void SetArrivals(ArrivalOptions& options, double load, const RunNetwork& network) const;
    /// @param network for the load of frames @return the background
    PoissonOptions GetBackground(const RunNetwork& network) const;
    /// @param network for the load of frames @return the incasts
    FanInOptions GetIncast(const RunNetwork& network) const;

    /// @return format of the file; empty: there is none
    std::string GetFormat() const;
    /// @return whether there is a file in which ranks send messages that wait for messages
    bool HasRanks() const;

    std::string m_file;                          ///< flows; empty: at random
    FileFormat m_format{GetParts<FlowFormat>()}; ///< of that file
    RunTrace m_trace;                            ///< see GetTrace()
    double m_load{0.5};                          ///< of flows between random pairs; 0: none
    std::string m_sizes{"websearch"};            ///< theirs
    std::string m_classesText{"3"};              ///< theirs
    double m_incastLoad{0};                      ///< of incasts; 0: none
    uint32_t m_incastSenders{8};                 ///< of each
    uint64_t m_incastBytes{65536};               ///< of each sender
    std::string m_incastClassesText;             ///< theirs; empty: the others'
    Time m_arrivals{MilliSeconds(1)};            ///< no flow starts later
    std::vector<uint8_t> m_classes;              ///< see m_classesText
    std::vector<uint8_t> m_incastClasses;        ///< see m_incastClassesText
    std::vector<std::string> m_notes;            ///< see TellLoads()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_WORKLOAD_H */
