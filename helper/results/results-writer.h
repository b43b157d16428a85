// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULTS_WRITER_H
#define LOSSLESS_RESULTS_WRITER_H

#include "result-folder.h"

#include "ns3/recorder-list.h"

#include <functional>
#include <optional>
#include <string>

namespace ns3::lossless
{

class Fabric;

/// @param path as the user wrote it @return the result folder there
ResultFolder MakeResultFolder(const std::string& path);

/**
 * @ingroup lossless
 * Measures a run and writes its result folder: the tables of all recorders (see Recorder), and
 * run.json, which shows how the run was made, and its verdict. scripts/lossless/columns.csv defines
 * every column. Runs with the same seed write the same bytes, apart from the members "wall_s" and
 * "cpu_s" of run.json.
 *
 * With several ranks (see Ranks) the first one writes and prints, after RankedRecord::GatherAll(),
 * called by Experiment::Run(), has collected the records of the others.
 *
 * A result folder is either complete or absent, see ResultFolder. A folder with an earlier result
 * is replaced, and foreign files in it are kept; any other folder with content is refused.
 *
 * @code
 * ResultsWriter results("results/my-run");      // ends the program at once if it cannot write
 * results.Get<RunNotes>()->SetCommandLine(argc, argv);
 * results.AddFabric(fabric);
 * fabric.StartFlows(flows);
 * Simulator::Run();
 * const auto verdict = results.Finish();        // before Simulator::Destroy()
 * Simulator::Destroy();
 * return strict && !verdict.problems.empty() ? 1 : 0;
 * @endcode
 *
 * A network without a Fabric is added by AddNode(), AddNic() and FlowPlan::SetFlows().
 */
class ResultsWriter
{
  public:
    /// Makes all registered recorders. A folder that cannot be written ends the program, before it
    /// has simulated for hours in vain.
    /// @param folder the result folder; empty: measure and judge, but write nothing
    explicit ResultsWriter(const std::string& folder);

    ResultsWriter(const ResultsWriter&) = delete;
    ResultsWriter& operator=(const ResultsWriter&) = delete;

    // Recorders, to be set before the network is added

    /// @return the recorder of a class, as PauseRecorder
    template <typename T>
    Ptr<T> Get() const
    {
        return m_recorders.Get<T>();
    }

    /// Adds a recorder that is not registered. A table whose name is taken ends the program.
    /// @param name its name in run.json
    void AddRecorder(Ptr<Recorder> recorder, const std::string& name);
    /// Adds a table of the program's own.
    /// @param name of the file, without ".csv"
    /// @param make called when the folder is written
    void AddTable(const std::string& name, std::function<ResultTable()> make);

    // The network

    /// Adds all switches, hosts and NICs under the names of the topology, the links as
    /// topology.csv, and the flows that the fabric has when results are written.
    /// @param fabric the only one; it must outlive the last use of this object
    void AddFabric(const Fabric& fabric);
    /// Adds a switch with all its ports, or a host with all its devices.
    void AddNode(const std::string& name, Ptr<Node> node);
    /// Adds a RoceNic, or another object with its traces, after its host.
    void AddNic(Ptr<Object> nic);

    // Results, to be asked for before Simulator::Destroy()

    /// @return the verdict on the run so far
    RunVerdict GetVerdict() const;
    /// Writes the result folder, if there is one and this is the first rank.
    /// @return why it could not be written
    std::optional<std::string> Write() const;
    /// On the first rank, writes the result folder, and prints each problem and a one-line summary
    /// of the run on standard error. Ends the program with exit status 1 if the folder cannot be
    /// written.
    RunVerdict Finish() const;

  private:
    RecorderList m_recorders;             ///< all of the run
    std::optional<ResultFolder> m_folder; ///< nothing: nothing is written
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULTS_WRITER_H */
