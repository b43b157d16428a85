// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXPERIMENT_H
#define LOSSLESS_EXPERIMENT_H

#include "ns3/congestion-control-info.h"
#include "ns3/flow-groups.h"
#include "ns3/lossless-workload.h"
#include "ns3/measure-window.h"
#include "ns3/object-factory.h"
#include "ns3/output-options.h"
#include "ns3/path-options.h"
#include "ns3/reliability.h"
#include "ns3/results-writer.h"
#include "ns3/run-notes.h"
#include "ns3/strict-command-line.h"
#include "ns3/switch-helper.h"
#include "ns3/switch-options.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// @return whether the command line names a simulator by `--SimulatorImplementationType` or an
/// event list by `--SchedulerType`
bool IsSimulatorChosen(int argc, const char* const* argv);

/// Chooses the simulator that suits this module's traffic (WheelSimulatorImpl), unless the command
/// line names another one or an event list; and huge pages, see UseHugePages().
void UseFastSimulator(int argc, const char* const* argv);

/**
 * @ingroup lossless
 * The common part of this module's programs: the options `--scheme`, `--buffer-policy`,
 * `--egress-queue`, `--output`, `--json`, `--strict`, `--stop-on-deadlock`, `--progress`, those of
 * series over time (`--sample`, `--pause-events`, ...) and statistics (`--measure-from`,
 * `--measure-until`), `--dry-run` and `--settings`, a fast simulator, results, and an exit status.
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
 * OfferForeignSettings(), Require() and IsGiven() are those of StrictCommandLine; run.json shows
 * the command line.
 *
 * A program with RoCE flows may offer a choice of their congestion control: it calls
 * OfferCongestionControl() before Parse(), and passes MakeNicFactory() to the Fabric.
 */
class Experiment : private StrictCommandLine
{
  public:
    /// @param file the program's __FILE__
    /// @param usage a sentence for `--help`
    /// @param scheme default of `--scheme`
    /// @param routing default of `--routing`; empty: what the program gives its switches
    Experiment(const std::string& file,
               const std::string& usage,
               const std::string& scheme = "SIH",
               const std::string& routing = "");
    /// Stops the program if results were requested but neither Finish() nor FinishUnjudged() was
    /// called.
    ~Experiment();
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;

    /// @cond OF_THE_BASE see above; Doxygen takes these for functions without comments
    using StrictCommandLine::AddAttribute;
    using StrictCommandLine::AddValue;
    using StrictCommandLine::AddValues;
    using StrictCommandLine::BeginGroup;
    using StrictCommandLine::EndGroup;
    using StrictCommandLine::IsGiven;
    using StrictCommandLine::OfferForeignSettings;
    using StrictCommandLine::OfferShortHelp;
    using StrictCommandLine::Require;
    using StrictCommandLine::RequireChoice;
    using StrictCommandLine::RequireChosen;
    using StrictCommandLine::RequireFit;
    using StrictCommandLine::RequireUse;
    using StrictCommandLine::SetsAttribute;
    using StrictCommandLine::SetsOnlyAttribute;
    /// @endcond

    /// Adds an option that names a file for other programs. If that is standard output, all other
    /// output of the program from Parse() on goes to standard error instead.
    /// @param content for `--help`: what is written to the file
    void AddOutput(const std::string& name, const std::string& content);
    /// Stops the program if such a file is also an input. Parse() does so for files of settings.
    /// @param inputs names of files; empty ones are ignored
    void RequireUnread(const std::vector<std::string>& inputs) const;
    /// @return file of an option of AddOutput(); empty: not given; valid after Parse()
    const std::string& GetOutput(const std::string& name) const;
    /// Writes that file, if it was given and this is the first rank; stops the program on failure.
    void WriteOutput(const std::string& name,
                     const std::function<void(std::ostream&)>& write) const;

    /// Adds the options `--congestion-control` and `--congestion-control-constants`, and those of
    /// PathOptions. @param name default of the first
    void OfferCongestionControl(const std::string& name = "None");

    /// Adds the options `--reliability` and `--bdp-cap`; such programs call SetBdpCap() if
    /// HasAutomaticBdpCap().
    void OfferReliability();
    /// @return whether `--bdp-cap` is derived from the network; valid after Parse()
    bool HasAutomaticBdpCap() const;

    /// Adds the option `--flows-csv`; such programs call ChooseFlowDetail().
    void OfferFlowsCsv();
    /// @return whether single flows may be left out of results
    bool MayGroupFlows() const;
    /// Decides which details of single flows the results contain, as `--flows-csv` specifies; valid
    /// after Parse(). Call this before the network is added to the results.
    /// @param flows the number of flows
    /// @param reader the program's option that reads single flows; empty if there is none
    /// @return the decision
    FlowDetail ChooseFlowDetail(uint64_t flows, const std::string& reader);

    /// Adds the options `--payload`, of full packets of the NICs of MakeNicFactory(), and `--mtu`,
    /// of all devices, which must be large enough for them.
    /// @param payload default of the first, set by Parse(), bytes
    /// @param least minimum of the first
    void OfferPayload(uint32_t& payload, uint32_t least = 1);

    /**
     * Lets `mpirun` start the program on several ranks; otherwise Parse() stops it. To be called
     * before Parse() by programs that follow these rules:
     *
     * - There is one Fabric and one Run().
     * - Records made during the run are RankedRecords, as in all recorders of the module except
     *   SegmentRecorder. Nodes are not queried after the run.
     * - Calls during the run affect only nodes of this rank (Ranks::IsOwn()), or are made in an
     *   event of the node (Simulator::ScheduleWithContext()).
     * - Apart from results, only the first rank (Ranks::IsFirst()) writes and prints.
     */
    void OfferRanks();

    /// Parses the command line, after the file of `--settings`; a bad option stops the program with
    /// exit status 1.
    void Parse(int argc, char* argv[]);

    /// @return the chosen scheme, whose name programs show; its switches and hosts describe
    /// themselves; valid after Parse()
    const SchemeInfo& GetScheme() const
    {
        return m_switchOptions.GetScheme();
    }

    /// @return a helper for switches of the scheme with the chosen parts, with marking if the
    /// congestion control needs ECN marks; valid after Parse()
    SwitchHelper MakeSwitchHelper() const;
    /// As above, for programs with runs of several congestion controls.
    SwitchHelper MakeSwitchHelper(const CongestionControlInfo& control) const;
    /// @return whether the congestion control needs ECN marks; valid after Parse()
    bool NeedsMarker() const;
    /// @return factory of RoceNics with the congestion control, the reliability and, if offered,
    /// the payload; "None" and the default keep RoceNic's own attributes; valid after Parse()
    ObjectFactory MakeNicFactory() const;
    /// As above, for programs with runs of several congestion controls.
    static ObjectFactory MakeNicFactory(const CongestionControlInfo& control);

    /// @return whether to write nothing, and to run only what is needed to estimate the cost; valid
    /// after Parse()
    bool IsDryRun() const;

    /// Makes a part of the run and registers it for the survey of attributes. Valid after Parse().
    /// @tparam BASE class of its kind
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

    /// Starts samples with the first flow, unless the user has set their start, and stops the
    /// program if no flow starts in the time of the statistics. To be called after Parse().
    /// @param flows all flows, sorted by start
    void NoteFlows(const FlowList& flows);

    /// Keeps a warning until Run() has checked all options, so that a rejected run prints only its
    /// error. @param sentence printed on standard error by the first rank
    void Warn(const std::string& sentence);
    /// As Warn(); nothing: no warning.
    void WarnOf(const std::optional<std::string>& sentence);

    /**
     * Runs the simulation as Simulator::Run() does, with what RunControl adds: progress, and an end
     * at a signal, after which further runs of the program do nothing. Attributes of the command
     * line that the program has overridden stop it before. On several ranks, each has the records
     * of all afterwards.
     * @param end latest end of the simulation; 0: none
     * @param whenAccepted called when all options have been checked and all nodes are initialised,
     * also with `--dry-run`; may be null
     */
    void Run(Time end = Time(0), const std::function<void()>& whenAccepted = nullptr);
    /// @return whether a signal has ended Run()
    bool IsInterrupted() const;

    /// Writes the results, prints the verdict and destroys the simulation.
    /// @return exit status: 128 plus the signal's number after an interruption; otherwise 1 with
    /// `--strict` if there was a deadlock, frames were lost, flows are unfinished or nothing was
    /// measured; otherwise 0; always 0 on ranks other than the first
    int Finish();
    /// Writes the results of a program without a run to be judged, or with many of them.
    /// @return exit status: 128 plus the signal's number after an interruption, 1 if the results
    /// could not be written, otherwise 0
    int FinishUnjudged();

  private:
    /// @return exit status of a program that has failed or not
    int GetStatus(bool hasFailed) const;

    /// Joins the ranks started by mpirun, which must have the same options.
    void JoinRanks(int argc, char* argv[]);
    /// Shows how ranks would share the network, and ends the program.
    void ShowRanksPlan() const;
    /// Reads the options of OfferCongestionControl().
    void ReadCongestionControl();
    /// Reads the options of OfferReliability().
    void ReadReliability();
    /// Warns if an option lets packets of a flow take several paths.
    /// @param consequence its effect and meaning
    void WarnOfPaths(const std::string& consequence);
    /// Prints the warnings of Warn().
    void TellWarnings();
    /// Sets a set of constants, except for attributes on the command line.
    void ApplyConstants(const std::vector<CongestionConstants::Value>& values) const;
    /// Sets the MTU of all devices, and stops the program if a full packet, with the telemetry of
    /// the congestion control, does not fit.
    void ApplyPayload() const;
    void AddSeriesOptions();
    /// Requests the series over time from the results.
    void RequestSeries();
    /// Initialises everything that a run initialises at time zero, with the same checks, prints the
    /// estimated cost of the run, and ends the program.
    /// @param accept called after the checks
    /// @param end of the run; 0: none
    [[noreturn]] void EndDryRun(const std::function<void()>& accept, Time end) const;
    /// Writes the file of `--json`.
    void WriteJson() const;
    /// Sets the time of the statistics in the results.
    void RequestWindow();
    /// @return whether an option needs a single run: for a verdict, its end, a series or statistics
    /// of a time
    bool NeedsOneRun() const;
    /// Stops the program if NeedsOneRun() but the results are not those of a single run, or if the
    /// run does not include the requested times. @param end of the run; 0: unknown
    void RequireOneRun(Time end) const;
    /// @return the time of the statistics
    MeasureWindow GetWindow() const;
    /// @return whether that is only a part of the run
    bool HasWindow() const;
    /// Stops the program if an option needs Run(), which was not called.
    void RequireRun() const;

    SwitchOptions m_switchOptions;
    PathOptions m_pathOptions; ///< if offered
    OutputOptions m_outputs;
    std::string m_controlName{"None"};
    std::string m_constantsName{"default"};
    std::string m_reliabilityName{"GoBackN"};
    std::string m_bdpCap{"0"};
    uint32_t m_mtu{0};
    const uint32_t* m_payload{nullptr}; ///< null: not offered
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
    Time m_measureUntil; ///< 0: end of the run
    uint32_t m_ranksPlan{0};
    std::string m_dryRun{"off"};
    bool m_hasRun{false};     ///< Run() was called
    bool m_isFinished{false}; ///< Finish() or FinishUnjudged() was called
    bool m_offersRanks{false};
    bool m_offersReliability{false};
    std::vector<std::string> m_warnings;
    int m_endedBy{0};                ///< signal that has ended Run(); 0: none
    CongestionControlInfo m_control; ///< may be None
    ReliabilityInfo m_reliability;
    std::unique_ptr<ResultsWriter> m_results;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_EXPERIMENT_H */
