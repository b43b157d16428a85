// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULTS_WRITER_H
#define LOSSLESS_RESULTS_WRITER_H

#include "result-folder.h"
#include "topology.h"
#include "workload.h"

#include "ns3/deadlock-detector.h"
#include "ns3/drop-recorder.h"
#include "ns3/flow-recorder.h"
#include "ns3/nstime.h"
#include "ns3/pause-propagation.h"
#include "ns3/pause-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/switch-node.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ns3::lossless
{

class Fabric;
class JsonWriter;

/**
 * @ingroup lossless
 * Measures a run and writes its result folder.
 *
 * The folder holds run.json (how the run was made and its verdict), flows.csv, pauses.csv,
 * pause-depths.csv, victims.csv, queues.csv, drops.csv and deadlocks.csv; doc/outputs.rst defines
 * every column. Runs with the same seed write the same bytes, apart from the members "wall_s" and
 * "cpu_s" of run.json.
 *
 * A result folder is either complete or absent, see ResultFolder. A folder with an earlier result
 * is replaced, and files of others in it are kept; any other folder with content is refused.
 *
 * @code
 * ResultsWriter results("results/my-run");      // stops the program at once if it cannot write
 * results.SetCommandLine(argc, argv);
 * results.AddFabric(fabric);
 * fabric.StartFlows(flows);
 * Simulator::Run();
 * const auto verdict = results.Finish();        // before Simulator::Destroy()
 * Simulator::Destroy();
 * return strict && !verdict.problems.empty() ? 1 : 0;
 * @endcode
 *
 * Of a network without a Fabric, AddSwitch(), AddHost(), AddNic() and SetFlows() name the parts.
 */
class ResultsWriter
{
  public:
    /// What came of a run, the worst that applies first.
    enum class Outcome : uint8_t
    {
        VIOLATED,   ///< a switch lost frames of a class under flow control for want of buffer
        UNFINISHED, ///< flows had not arrived in full at the end
        LOSSY,      ///< other frames were lost
        EMPTY,      ///< there was no flow, and no frame was sent by a switch or a RoCE NIC
        LOSSLESS,   ///< no frame was lost
    };

    /// The result of a run in short.
    struct Verdict
    {
        Outcome outcome{Outcome::LOSSLESS}; ///< what came of it
        uint64_t lostFrames{0};             ///< frames lost anywhere
        uint64_t lostBytes{0};              ///< their bytes
        uint64_t losslessClassFrames{0};    ///< of them violations, see DropRecord::IsViolation()
        uint64_t losslessClassBytes{0};     ///< their bytes
        uint64_t flows{0};                  ///< flows started, or to be started
        uint64_t unfinishedFlows{0};        ///< of them not received in full
        std::optional<Time> deadlock;       ///< onset of the first one; nothing: none was found
        std::vector<std::string> problems;  ///< a sentence for each thing that went wrong
    };

    /// The ideal completion time of a flow, see SetIdealFct().
    using IdealFct = std::function<Time(const FlowSpec&)>;

    /**
     * Starts to measure the time that the run takes. A folder that CheckFolder() refuses stops the
     * program, before it has simulated for hours in vain.
     * @param folder the result folder; empty: measure and judge, but write nothing
     */
    explicit ResultsWriter(const std::string& folder);

    ResultsWriter(const ResultsWriter&) = delete;
    ResultsWriter& operator=(const ResultsWriter&) = delete;

    /// @param folder a result folder, which need not exist @return why nothing can be written there
    static std::optional<std::string> CheckFolder(const std::string& folder);

    // How the run is made

    /// @param argc number of arguments @param argv program and arguments, as main() has them
    void SetCommandLine(int argc, const char* const* argv);
    /// @param scheme label of the flow control scheme, as figures show it
    void SetScheme(const std::string& scheme);
    /// Notes a parameter which is no attribute. @param name its name @param value its value
    void AddParameter(const std::string& name, const std::string& value);
    /// Notes a parameter which is no attribute. @param name its name @param value its value
    void AddParameter(const std::string& name, double value);

    /**
     * Adds a file to the result folder.
     * @param name its name, without ".csv"; a name that is taken stops the program
     * @param write writes it, with a header line
     */
    void AddTable(const std::string& name, std::function<void(std::ostream&)> write);

    // What is measured

    /**
     * Adds all switches, hosts and NICs under the names of the topology, the flows that the fabric
     * has been given when the results are written, and their ideal completion times.
     * @param fabric the network, the only one; it must outlive the last use of this object
     */
    void AddFabric(const Fabric& fabric);
    /// Its pauses, deadlocks, drops and attributes. @param name its name @param node a switch with
    /// all ports
    void AddSwitch(const std::string& name, Ptr<SwitchNode> node);
    /// Its drops and attributes. @param name its name @param node a host with all devices
    void AddHost(const std::string& name, Ptr<Node> node);
    /// Its flows and attributes, and which of the flows are victims if it is installed on its
    /// device.
    /// @param nic a RoceNic
    void AddNic(Ptr<Object> nic);
    /**
     * Names the hosts and the group of each flow. A flow that is in the list and never starts is
     * unfinished. Takes the place of the flows of a fabric.
     * @param flows the flows, with the ids that the NICs are given
     * @param topology names of the hosts
     */
    void SetFlows(const FlowList& flows, const Topology& topology);
    /// @param ideal completion time on the idle network of each flow of the list
    void SetIdealFct(IdealFct ideal);

    /// @return the sampler of queues.csv, which watches the buffers of all switches added; it is
    /// off until its "Period" is set
    Ptr<QueueSampler> GetSampler() const;
    /// @return the detector of deadlocks.csv, which watches all switches added
    Ptr<DeadlockDetector> GetDeadlockDetector() const;
    /// @return pauses so far
    const PauseRecorder& GetPauses() const;
    /// @return how far they have spread
    const PausePropagation& GetPropagation() const;
    /// @return losses so far
    const DropRecorder& GetDrops() const;
    /// @return flows so far
    const FlowRecorder& GetFlows() const;

    // Results

    /// @return what came of the run until now
    Verdict GetVerdict() const;

    /**
     * Writes the result folder, if there is one. Must be called before Simulator::Destroy().
     * @return why it could not be written; nothing if it is there
     */
    std::optional<std::string> Write() const;

    /**
     * Writes the result folder and tells standard error about each problem of the run. Stops the
     * program with exit status 1 if the folder cannot be written.
     * @return what came of the run
     */
    Verdict Finish() const;

    /// @param outcome what came of a run @return its name as run.json prints it
    static const char* ToString(Outcome outcome);

  private:
    /// A flow as results show it.
    struct FlowRow
    {
        uint64_t id{0};            ///< id
        std::string source;        ///< name of the sender, or its address
        std::string destination;   ///< name of the receiver, or its address
        std::size_t priority{0};   ///< class
        uint64_t bytes{0};         ///< payload
        Time start;                ///< start
        std::optional<Time> fct;   ///< completion time; nothing: unfinished
        std::optional<Time> ideal; ///< ideal completion time, if known
        std::string group;         ///< label
    };

    /// Stops the program if the simulation of the nodes is no more, as after Simulator::Destroy().
    void RequireSimulation() const;
    /// @return all files of the result folder
    std::vector<ResultFolder::File> GetFiles() const;
    /// Notes the names of the hosts. @param topology has them
    void NameHosts(const Topology& topology);
    /// @return the flows as planned
    const FlowList& GetPlan() const;
    /// @return all flows, by id
    std::vector<FlowRow> GetFlowRows() const;
    /// Describes the first deadlock. @param verdict where to
    void JudgeDeadlocks(Verdict& verdict) const;
    /// Describes what was lost. @param verdict where to
    void JudgeDrops(Verdict& verdict) const;
    /// Describes what did not arrive. @param verdict where to
    void JudgeFlows(Verdict& verdict) const;
    /// @return why a run without flows and frames has none
    std::string DescribeNothing() const;

    /// @return names of the congestion controls of all NICs, separated by commas
    std::string DescribeCongestionControl() const;

    /// @return transmissions of frames by switches and NICs
    uint64_t CountPacketHops() const;

    /// Writes run.json. @param os where to
    void WriteRun(std::ostream& os) const;
    /// Writes the parameters. @param json where to
    void WriteParameters(JsonWriter& json) const;
    /// Writes what the run cost and how much it did. @param json where to
    void WriteCounts(JsonWriter& json) const;
    /// Writes how far pauses have spread and how many flows they hit. @param json where to
    void WritePropagation(JsonWriter& json) const;
    /// Writes all attributes that differ from their defaults. @param json where to
    void WriteAttributes(JsonWriter& json) const;
    /// Writes flows.csv. @param os where to
    void WriteFlows(std::ostream& os) const;
    /// Writes pauses.csv. @param os where to
    void WritePauses(std::ostream& os) const;
    /// Writes pause-depths.csv. @param os where to
    void WritePauseDepths(std::ostream& os) const;
    /// Writes victims.csv. @param os where to
    void WriteVictims(std::ostream& os) const;
    /// Writes queues.csv. @param os where to
    void WriteQueues(std::ostream& os) const;
    /// Writes drops.csv. @param os where to
    void WriteDrops(std::ostream& os) const;
    /// Writes deadlocks.csv. @param os where to
    void WriteDeadlocks(std::ostream& os) const;

    /// Notes a node and its drops; a name that is taken or that a CSV file cannot hold stops the
    /// program. @param name its name @param node the node
    void AddNode(const std::string& name, Ptr<Node> node);

    std::optional<ResultFolder> m_folder;            ///< nothing: nothing is written
    std::chrono::steady_clock::time_point m_created; ///< start of the wall clock
    std::vector<std::string> m_commandLine;          ///< program and arguments
    std::string m_scheme;                            ///< label
    std::map<std::string, std::variant<std::string, double>> m_parameters; ///< by name

    std::vector<ResultFolder::File> m_tables; ///< see AddTable()
    std::map<std::string, Ptr<Node>> m_nodes; ///< switches and hosts, by name
    std::vector<Ptr<Object>> m_nics;          ///< NICs
    const Fabric* m_fabric{nullptr};          ///< null: none
    FlowList m_plan;                          ///< flows given to SetFlows()
    std::vector<std::string> m_hostNames;     ///< by host index
    IdealFct m_ideal;                         ///< may be empty
    PauseRecorder m_pauses;                   ///< pauses
    PausePropagation m_propagation;           ///< their causes
    DropRecorder m_drops;                     ///< losses
    FlowRecorder m_flows;                     ///< flows
    Ptr<QueueSampler> m_sampler;              ///< never null
    Ptr<DeadlockDetector> m_detector;         ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULTS_WRITER_H */
