// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULTS_WRITER_H
#define LOSSLESS_RESULTS_WRITER_H

#include "result-folder.h"
#include "run-summary.h"
#include "series-plan.h"

#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;
class GraphRunner;
struct RunProgress;

/**
 * @ingroup lossless
 * Measures a run and writes its result folder.
 *
 * The folder holds run.json (how the run was made and its verdict), flows.csv, victims.csv, the
 * tables of all recorders (see Recorder), and topology.csv of a run with a Fabric. The table
 * scripts/lossless/columns.csv defines every column. Runs with the same seed write the same bytes,
 * apart from the members "wall_s" and "cpu_s" of run.json.
 *
 * Of several ranks (see Ranks) the first one writes and speaks, once RankedRecord::GatherAll() has
 * told it what the others know, as Experiment::Run() does.
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
    /// @param spec the same as FormatRunSpec() has it; empty: the run cannot be repeated by one
    void SetCommandLine(int argc, const char* const* argv, const std::string& spec = "");
    /// @param scheme label of the flow control scheme, as figures show it; where it is the name of
    /// a scheme, and without one, run.json has what the switches are, see
    /// MeasuredNetwork::DescribeSchemes()
    void SetScheme(const std::string& scheme);
    /// Notes a parameter which is no attribute. @param name its name @param value its value
    void AddParameter(const std::string& name, const std::string& value);
    /// Notes a parameter which is no attribute. @param name its name @param value its value
    void AddParameter(const std::string& name, double value);

    /// @param part of the run, whose attributes count: run.json has those that differ from their
    /// defaults
    void AddPart(Ptr<Object> part);

    /**
     * Adds a table to the result folder.
     * @param name that of its file, without ".csv"; a name that is taken stops the program
     * @param make gives the table when the folder is written
     */
    void AddTable(const std::string& name, std::function<ResultTable()> make);

    // Recorders, asked for before the network is added

    /// Makes a registered recorder that is on request, as "pause-events". @param name its name
    void AddRecorder(const std::string& name);

    /// @tparam T the class of a recorder, as PauseRecorder @return it
    template <typename T>
    Ptr<T> Get() const
    {
        return m_run.recorders.Get<T>();
    }

    /// @return which queues, ports and flows are followed over time
    SeriesPlan& GetSeries();
    /// @return a sentence about a pattern of them that names nothing of what was added, or no flow;
    /// nothing if there is no such pattern
    std::optional<std::string> CheckSeries() const;

    // What is measured

    /**
     * Statistics are those of a window of time: what run.json has as "measured", and pauses.csv. To
     * be called before any switch is added. All else is of the whole run.
     * @param window the window
     */
    void SetWindow(const MeasureWindow& window);
    /// @return whether a switch, host or NIC has been added
    bool HasNetwork() const;

    /**
     * Adds all switches, hosts and NICs under the names of the topology, the flows that the fabric
     * has been given when the results are written, their ideal completion times, and the links as
     * topology.csv.
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
    /// @return the network of AddFabric(); null: there is none
    const Topology* GetTopology() const;
    /// @param ideal completion time on the idle network of each flow of the list
    void SetIdealFct(FlowPlan::IdealFct ideal);

    /// Runs the beginning of the simulation, in place of the run. @param end of the run; 0: none
    /// @return what the run would cost, see RunForecast
    std::string Forecast(Time end) const;

    /// @param [out] progress gets the flows, of which those of the plan may not have started; takes
    /// no memory
    void CountFlows(RunProgress& progress) const;

    /**
     * Adds what came of a flow graph: steps.csv, "graph" of run.json, a problem of the verdict if
     * it has not come to its end, and steps in place of flows in the progress; with collectives
     * collectives.csv and collective-steps.csv, too.
     * @param runner of Fabric::GetGraphRunner(), the only one; it must outlive the last use of this
     * object @param collectives that the graph is made of
     */
    void AddGraph(const GraphRunner& runner, std::vector<CollectiveRun> collectives = {});

    // Results

    /// The run was ended before its time. @param signal name of the signal that did it
    void SetInterruption(const std::string& signal);

    /// @return what came of the run until now
    RunVerdict GetVerdict() const;

    /// @param survey takes up the network that is measured, and what measures it
    void AddTo(AttributeSurvey& survey) const;

    /// Writes what run.json has, before Simulator::Destroy(). @param os where to
    void WriteDescription(std::ostream& os) const;

    /**
     * Writes the result folder, if there is one and this is the first rank. Must be called before
     * Simulator::Destroy().
     * @return why it could not be written; nothing if it is there
     */
    std::optional<std::string> Write() const;

    /**
     * Writes the result folder, and tells standard error about each problem of the run and, in one
     * line, what came of it (SummarizeRun()). Stops the program with exit status 1 if the folder
     * cannot be written. All of that on the first rank.
     * @return what came of the run
     */
    RunVerdict Finish() const;

  private:
    /// Writes the content of a file.
    using WriteFile = std::function<void(std::ostream&, const RunSummary&)>;

    /// Adds a file of comma-separated values. @param name that of the file, without ".csv"; one
    /// that is taken stops the program @param write writes it at the end
    void AddFile(const std::string& name, WriteFile write);
    /// @return all files besides run.json, by name and in their order
    std::vector<std::pair<std::string, WriteFile>> GetTables() const;
    /// @param summary of the run @return why the result folder could not be written
    std::optional<std::string> Write(const RunSummary& summary) const;
    /// Writes run.json. @param os where to @param summary of the run
    void WriteDescription(std::ostream& os, const RunSummary& summary) const;
    /// Tells standard error. @param verdict what came of the run @param summary of it
    void Tell(const RunVerdict& verdict, const RunSummary& summary) const;

    std::string m_folderName;               ///< as the user has it
    std::optional<ResultFolder> m_folder{}; ///< nothing: nothing is written
    MeasuredRun m_run{};                    ///< what is written about
    Ptr<SeriesPlan> m_series;               ///< see GetSeries(), one of the recorders
    const Topology* m_topology{nullptr};    ///< see GetTopology(); not owned

    /// Tables that were added, by name, in the order of AddTable().
    std::vector<std::pair<std::string, WriteFile>> m_files{};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULTS_WRITER_H */
