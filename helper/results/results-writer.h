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

/// @param path the path as given by the user
/// @return the result folder at this path
ResultFolder MakeResultFolder(const std::string& path);

/**
 * @ingroup lossless
 * Measures a run and writes its results folder. The folder contains the tables of all recorders
 * (see Recorder) and run.json, which contains the configuration and the verdict.
 * scripts/lossless/columns.csv defines every column. Repetitions of a run with the same seed write
 * identical files, except for the members "wall_s" and "cpu_s" of run.json.
 *
 * If there are several ranks (see Ranks), only the first rank writes and prints. Before that,
 * Experiment::Run() calls RankedRecord::GatherAll(), which collects the records of all ranks.
 *
 * A results folder is either complete or absent; see ResultFolder. An earlier result in the folder
 * is replaced, and other files in it are kept. A nonempty folder without an earlier result is
 * rejected.
 *
 * @code
 * ResultsWriter results("results/my-run");      // ends the program if it cannot write there
 * results.Get<RunNotes>()->SetCommandLine(argc, argv);
 * results.AddFabric(fabric);
 * fabric.StartFlows(flows);
 * Simulator::Run();
 * const auto verdict = results.Finish();        // before Simulator::Destroy()
 * Simulator::Destroy();
 * return strict && !verdict.problems.empty() ? 1 : 0;
 * @endcode
 *
 * Use AddNode(), AddNic() and FlowPlan::SetFlows() to add a network without a Fabric.
 */
class ResultsWriter
{
  public:
    /// Stops the program with an error message.
    /// @param sentence the reason, without a period
    using Refusal = std::function<void(const std::string& sentence)>;

    /// Prints the sentence to standard error and ends the program with exit status 1.
    static void Refuse(const std::string& sentence);

    /// Creates all registered recorders. Stops the program if the folder cannot be written, because
    /// a long simulation would otherwise be wasted.
    /// @param folder the results folder; if empty, the run is measured and judged, but nothing is
    /// written
    /// @param refuse the function that stops the program here and in Finish()
    explicit ResultsWriter(const std::string& folder, const Refusal& refuse = &Refuse);

    ResultsWriter(const ResultsWriter&) = delete;
    ResultsWriter& operator=(const ResultsWriter&) = delete;

    // Recorders. They must be configured before the network is added.

    /// @return the recorder of a class, such as PauseRecorder
    template <typename T>
    Ptr<T> Get() const
    {
        return m_recorders.Get<T>();
    }

    /// Adds a recorder that is not registered. Aborts if the name of one of its tables is already
    /// in use.
    /// @param name the name of the recorder in run.json
    void AddRecorder(Ptr<Recorder> recorder, const std::string& name);
    /// Adds a table that the program provides.
    /// @param name the file name without ".csv"
    /// @param make the function that creates the table when the folder is written
    void AddTable(const std::string& name, std::function<ResultTable()> make);

    // Network.

    /// Adds all switches, hosts and NICs, with their names in the topology, and the links for
    /// topology.csv. The flows of the fabric are read when the results are written.
    /// @param fabric the only fabric, which must outlive the last use of this object
    void AddFabric(const Fabric& fabric);
    /// Adds a switch with all its ports or a host with all its devices.
    void AddNode(const std::string& name, Ptr<Node> node);
    /// Adds a RoceNic, or another object with the same trace sources. The host of the NIC must have
    /// been added before.
    void AddNic(Ptr<Object> nic);

    // Results. They must be requested before Simulator::Destroy().

    /// @return the verdict on the run so far
    RunVerdict GetVerdict() const;
    /// Writes the results folder if one was specified and this is the first rank.
    /// @return the reason why the folder could not be written, if any
    std::optional<std::string> Write() const;
    /// On the first rank, writes the results folder and prints the problems, hints, remarks and a
    /// one-line summary of the run to standard error. Stops the program if the folder cannot be
    /// written.
    /// @return the verdict on the run
    RunVerdict Finish() const;

  private:
    Refusal m_refuse;                     ///< stops the program
    RecorderList m_recorders;             ///< all recorders of the run
    std::optional<ResultFolder> m_folder; ///< not set if no results are written
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULTS_WRITER_H */
