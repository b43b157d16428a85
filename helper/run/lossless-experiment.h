// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXPERIMENT_H
#define LOSSLESS_EXPERIMENT_H

#include "ns3/congestion-control-info.h"
#include "ns3/flow-groups.h"
#include "ns3/lossless-workload.h"
#include "ns3/measure-window.h"
#include "ns3/object-factory.h"
#include "ns3/output-command-line.h"
#include "ns3/path-options.h"
#include "ns3/reliability.h"
#include "ns3/results-writer.h"
#include "ns3/run-notes.h"
#include "ns3/switch-helper.h"
#include "ns3/switch-options.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// @return true if the command line names a simulator with `--SimulatorImplementationType` or an
/// event list with `--SchedulerType`
bool IsSimulatorChosen(int argc, const char* const* argv);

/// Chooses the simulator that suits this module's traffic (WheelSimulatorImpl), unless the command
/// line names another simulator or an event list. Also requests huge pages; see UseHugePages().
void UseFastSimulator(int argc, const char* const* argv);

/**
 * @ingroup lossless
 * The common part of this module's programs. It provides a fast simulator, results, an exit status,
 * and options. These are the options of SwitchOptions, `--output`, `--json`, `--strict`,
 * `--stop-on-deadlock`, `--progress`, `--dry-run`, `--ranks-plan`, `--settings`, `--spec`, the
 * options for time series (`--sample`, `--pause-events`, ...) and the options for statistics
 * (`--measure-from`, `--measure-until`).
 *
 * @code
 * Experiment experiment(__FILE__, "What happens when ...?");
 * uint32_t hosts = 4;
 * experiment.AddValue("hosts", "Number of hosts.", hosts);
 * experiment.Parse(argc, argv);
 * SwitchHelper switches = experiment.MakeSwitchHelper();
 * ...
 * experiment.GetResults().AddFabric(fabric);
 * experiment.Run();
 * return experiment.Finish();
 * @endcode
 *
 * AddValue(), AddValues(), BeginGroup(), EndGroup(), SetsAttribute(), SetsOnlyAttribute(),
 * OfferForeignSettings(), Require() and IsGiven() are inherited from StrictCommandLine, and
 * RequireUnread(), GetOutput() and WriteOutput() from OutputCommandLine. The command line is
 * recorded in run.json.
 *
 * To let the user choose the congestion control of RoCE flows, a program calls
 * OfferCongestionControl() before Parse() and passes MakeNicFactory() to the Fabric.
 */
class Experiment : private OutputCommandLine
{
  public:
    /// @param file the __FILE__ of the program
    /// @param usage a sentence for `--help`
    /// @param scheme the default of `--scheme`
    /// @param routing the default of `--routing`; if empty, the program sets the routing of its
    /// switches
    Experiment(const std::string& file,
               const std::string& usage,
               const std::string& scheme = "SIH",
               const std::string& routing = "");
    /// Stops the program if results were requested but neither Finish() nor FinishUnjudged() was
    /// called.
    ~Experiment();
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;

    /// @cond OF_THE_BASE see above; Doxygen would report these as undocumented functions
    using OutputCommandLine::GetOutput;
    using OutputCommandLine::RequireUnread;
    using OutputCommandLine::WriteOutput;
    using StrictCommandLine::AddAttribute;
    using StrictCommandLine::AddValue;
    using StrictCommandLine::AddValues;
    using StrictCommandLine::BeginGroup;
    using StrictCommandLine::EndGroup;
    using StrictCommandLine::FindTyped;
    using StrictCommandLine::IsGiven;
    using StrictCommandLine::JudgesEffect;
    using StrictCommandLine::OfferForeignSettings;
    using StrictCommandLine::OfferShortHelp;
    using StrictCommandLine::Require;
    using StrictCommandLine::RequireChoice;
    using StrictCommandLine::RequireChosen;
    using StrictCommandLine::RequireFit;
    using StrictCommandLine::RequireUse;
    using StrictCommandLine::SetsAttribute;
    using StrictCommandLine::SetsOnlyAttribute;
    using StrictCommandLine::Withdraw;
    /// @endcond

    /// Adds an option that names an output file. Parse() checks and opens the file.
    /// @param content a description of the file content for `--help`
    /// @param dependents the options that need this one and, like it, are left out of the spec
    void AddOutput(const std::string& name,
                   const std::string& content,
                   const std::vector<std::string>& dependents = {});

    /// Adds the options `--congestion-control` and `--congestion-control-constants`, and those of
    /// PathOptions.
    /// @param name the default of `--congestion-control`
    void OfferCongestionControl(const std::string& name = "None");

    /// Adds the options `--reliability` and `--bdp-cap`. Programs that offer them must call
    /// SetBdpCap() if HasAutomaticBdpCap() returns true.
    void OfferReliability();
    /// @return true if the BDP cap is derived from the network; valid after Parse()
    bool HasAutomaticBdpCap() const;

    /// Adds the option `--flows-csv`. Programs that offer it must call ChooseFlowDetail().
    void OfferFlowsCsv();
    /// @return true if results may omit individual flows
    bool MayGroupFlows() const;
    /// Decides which details of individual flows the results contain, as `--flows-csv` specifies.
    /// Call this after Parse() and before the network is added to the results.
    /// @param flows the number of flows
    /// @param reader the option that was given and needs individual flows; empty if there is none
    /// @return the decision
    FlowDetail ChooseFlowDetail(uint64_t flows, const std::string& reader);

    /// Adds the options `--payload` and `--mtu`. These options set the payload of full packets sent
    /// by the NICs of MakeNicFactory() and the MTU of all devices, which must be large enough for
    /// these packets.
    /// @param payload the default of `--payload`, in bytes, which Parse() replaces with the chosen
    /// value
    /// @param least the minimum of `--payload`
    void OfferPayload(uint32_t& payload, uint32_t least = 1);

    /**
     * Allows `mpirun` to start the program on several ranks. Without this call, Parse() stops such
     * a run. Call this before Parse() in programs that follow these rules:
     *
     * - There is one Fabric and one Run().
     * - Records made during the run are RankedRecords. All recorders of the module comply, except
     *   SegmentRecorder. Nodes are not queried after the run.
     * - Calls during the run affect only nodes of this rank (Ranks::IsOwn()), or are made in an
     *   event of the affected node (Simulator::ScheduleWithContext()).
     * - Except for results, only the first rank (Ranks::IsFirst()) writes and prints.
     */
    void OfferRanks();

    /// Withdraws the options that need a single run, such as those of the verdict, of ranks and of
    /// time series. Call this before Parse() in programs that end with FinishUnjudged().
    /// @param areSeveral true if the program has several runs; if it has none, the options of
    /// switches and runs are withdrawn as well
    void WithdrawRunOptions(bool areSeveral);

    /// Parses the file given by `--settings` and then the command line. An invalid option stops the
    /// program with exit status 1.
    void Parse(int argc, char* argv[]);

    /// @return the chosen scheme; valid after Parse(). Programs may print its name, but should
    /// obtain all other properties from the switches and hosts.
    const SchemeInfo& GetScheme() const
    {
        return m_switchOptions.GetScheme();
    }

    /// @return a helper for switches of the scheme with the chosen parts, and with marking if the
    /// congestion control needs ECN marks; valid after Parse()
    SwitchHelper MakeSwitchHelper() const;
    /// Overload of MakeSwitchHelper() for programs whose runs use several congestion control
    /// algorithms.
    SwitchHelper MakeSwitchHelper(const CongestionControlInfo& control) const;
    /// @return true if the congestion control needs ECN marks; valid after Parse()
    bool NeedsMarker() const;
    /// @return a factory for RoceNics with the congestion control, the reliability and, if offered,
    /// the payload; valid after Parse(). "None" and the default reliability leave the attributes of
    /// RoceNic unchanged.
    ObjectFactory MakeNicFactory() const;
    /// Overload of MakeNicFactory() for programs whose runs use several congestion control
    /// algorithms.
    static ObjectFactory MakeNicFactory(const CongestionControlInfo& control);

    /// @return true if the program must not write anything and must execute only the part of the
    /// run that is needed to estimate the cost; valid after Parse()
    bool IsDryRun() const;

    /// Creates a part of the run and registers it for the survey of attributes. Call this after
    /// Parse().
    /// @tparam BASE the class of this kind of part
    template <typename BASE>
    Ptr<BASE> MakePart(const PartInfo& part)
    {
        const auto made = ObjectFactory(part.type).Create<BASE>();
        RequireOwnClass(*made);
        m_results->Get<RunNotes>()->AddPart(made);
        return made;
    }

    /// @return the results of this run; valid after Parse()
    ResultsWriter& GetResults();

    /// Makes the statistics start with the first flow, and the samples as well unless
    /// `--sample-from` is given. Stops the program if no flow starts in the time window of the
    /// statistics. Call this after Parse().
    /// @param flows all flows, sorted by start
    void NoteFlows(const FlowList& flows);
    /// Overload of NoteFlows() for the flows of a source.
    void NoteFlows(const FlowSource& source);

    /// Stores a warning until Run() has checked all options, so that a rejected run prints only its
    /// error.
    /// @param sentence the warning, which the first rank prints on standard error; none if not set
    void Warn(const std::optional<std::string>& sentence);
    /// Prints the warnings that are stored. Run() does so; call this before a step of the set-up
    /// that takes long because of what a warning is about.
    void TellWarnings();

    /**
     * Runs the simulation like Simulator::Run(). In addition, RunControl shows the progress and
     * ends the run if a signal arrives. After a signal, further runs of the program do nothing. The
     * program stops before the run if it has overridden attributes that were set on the command
     * line. After the run, each rank stores the records of all ranks.
     * @param end the latest end of the simulation, or 0 for no limit
     * @param whenAccepted a function that is called when all options have been checked and all
     * nodes have been initialized, even with `--dry-run`; may be null
     */
    void Run(Time end = Time(0), const std::function<void()>& whenAccepted = nullptr);
    /// @return true if a signal has ended Run()
    bool IsInterrupted() const;

    /// Writes the results, prints the verdict and destroys the simulation.
    /// @return the exit status: 128 plus the signal's number after an interruption; otherwise 1
    /// with `--strict` if there was a deadlock, frames were lost, flows are unfinished or nothing
    /// was measured; otherwise 0; always 0 on ranks other than the first
    int Finish();
    /// Writes the results of a program that has several runs or no run that can be judged.
    /// @return the exit status: 128 plus the signal's number after an interruption, 1 if the
    /// results could not be written, otherwise 0
    int FinishUnjudged();

  private:
    /// @return the exit status of the program, depending on whether it has failed
    int GetStatus(bool hasFailed) const;

    /// Joins the ranks started by mpirun, all of which must have the same options.
    void JoinRanks(int argc, char* argv[]);
    /// Prints how the network would be divided among ranks, and ends the program.
    void ShowRanksPlan() const;
    /// Stops the program if an option for an output file lacks that file.
    void CheckDependents() const;
    /// Creates the results.
    void PrepareResults();
    /// Reads the options of OfferCongestionControl().
    void ReadCongestionControl();
    /// Reads the options of OfferReliability().
    void ReadReliability();
    /// Tells an option that chooses among paths if no pair of hosts has several, and otherwise the
    /// warnings of WarnOfPaths().
    void CheckPaths();
    /// Warns if an option lets the packets of a flow take different paths.
    /// @param consequence the rest of the warning, which describes the effect on the packets and
    /// its consequences
    void WarnOfPaths(const std::string& consequence);
    /// Sets congestion control constants, except for attributes that the command line sets.
    void ApplyConstants(const std::vector<CongestionConstants::Value>& values) const;
    /// Sets the MTU of all devices. Stops the program if a full packet with the telemetry of the
    /// congestion control does not fit.
    void ApplyPayload();
    void AddSeriesOptions();
    /// Requests the time series from the results.
    void RequestSeries();
    /// Initializes everything that a run initializes at time zero, with the same checks. Then
    /// reports that all options are valid, prints the estimated cost of the run unless
    /// `--dry-run=options` was given or there are several ranks, and ends the program.
    /// @param accept a function that is called after the checks
    /// @param end the end of the run, or 0 if it is not fixed
    [[noreturn]] void EndDryRun(const std::function<void()>& accept, Time end) const;
    /// Writes the file of `--json`.
    void WriteJson() const;
    /// @return true if an option was given that needs a single run, such as an option for the
    /// verdict, the end of the run, a time series or the statistics of a time window
    bool NeedsOneRun() const;
    /// Stops the program if the run does not fit the options: if the results are not those of the
    /// one run that some options need, if the run does not include the requested times, or if a
    /// setting has no effect.
    /// @param end the end of the run, or 0 if it is not known
    void CheckRun(Time end);
    /// @return the time window of the statistics
    MeasureWindow GetWindow() const;
    /// Implements NoteFlows().
    /// @param first the start of the first flow
    /// @param last the start of the last flow
    /// @param isAny true if a flow starts in the time window of the statistics
    void NoteStarts(Time first, Time last, bool isAny);
    /// Stops the program if an option needs Run() but Run() was not called.
    void RequireRun() const;

    SwitchOptions m_switchOptions;
    PathOptions m_pathOptions; ///< path options, if the program offers them
    /// For each output option, the options that affect only its files.
    std::map<std::string, std::vector<std::string>> m_dependents{
        {"output", {"pause-events", "sample-queues", "sample-throughput", "sample-flows"}}};
    std::string m_controlName{"None"};
    std::string m_constantsName{"default"};
    std::string m_reliabilityName{"GoBackN"};
    std::string m_bdpCap{"0"};
    uint32_t m_mtu{0};
    /// Payload of full packets, in bytes; null if the option is not offered.
    const uint32_t* m_payload{nullptr};
    std::string m_output;
    std::string m_flowsCsv{"auto"};
    bool m_strict{false};
    bool m_stopOnDeadlock{false};
    std::string m_progress{"auto"};
    Time m_sample;
    Time m_sampleFrom;
    std::string m_sampleQueues;
    std::string m_sampleThroughput;
    std::string m_sampleFlows;
    bool m_pauseEvents{false};
    Time m_measureFrom;
    Time m_measureUntil; ///< end of the window of the statistics, or 0 for the end of the run
    uint32_t m_ranksPlan{0};
    std::string m_dryRun{"off"};
    bool m_hasRun{false};     ///< true if Run() has been called
    bool m_isFinished{false}; ///< true if Finish() or FinishUnjudged() has been called
    bool m_offersRanks{false};
    bool m_offersReliability{false};
    std::vector<std::string> m_warnings;
    std::vector<std::string> m_pathWarnings; ///< warnings for networks with several paths
    int m_endedBy{0}; ///< number of the signal that has ended Run(), or 0 if there is none
    CongestionControlInfo m_control; ///< chosen congestion control; may be "None"
    ReliabilityInfo m_reliability;
    std::unique_ptr<ResultsWriter> m_results;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_EXPERIMENT_H */
