// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_EXPERIMENT_H
#define LOSSLESS_EXPERIMENT_H

#include "ns3/congestion-control-info.h"
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

/**
 * @param argc number of arguments
 * @param argv program and arguments
 * @return whether the command line names a simulator by `--SimulatorImplementationType` or an event
 * list by `--SchedulerType`
 */
bool IsSimulatorChosen(int argc, const char* const* argv);

/**
 * Chooses the simulator that suits this module's traffic (WheelSimulatorImpl), unless the command
 * line names another one, or an event list; and huge pages, see UseHugePages().
 * @param argc number of arguments
 * @param argv program and arguments
 */
void UseFastSimulator(int argc, const char* const* argv);

/**
 * @ingroup lossless
 * What the programs of this module have in common: the options `--scheme`, `--buffer-policy`,
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
 * AddValue(), BeginGroup(), EndGroup(), SetsAttribute(), SetsOnlyAttribute(),
 * OfferForeignSettings(), Require() and IsGiven() are those of StrictCommandLine; run.json shows
 * the command line.
 *
 * A program with RoCE flows may let its user choose their congestion control: it calls
 * OfferCongestionControl() before Parse(), and hands the Fabric a MakeNicFactory().
 */
class Experiment : private StrictCommandLine
{
  public:
    /**
     * @param file the program's __FILE__
     * @param usage a sentence for `--help`
     * @param scheme default of `--scheme`
     * @param routing default of `--routing`; empty: what the program gives its switches
     */
    Experiment(const std::string& file,
               const std::string& usage,
               const std::string& scheme = "SIH",
               const std::string& routing = "");
    /// Stops the program if results are asked for, and neither Finish() nor FinishUnjudged() was
    /// called.
    ~Experiment();
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;

    /// @cond OF_THE_BASE see above; Doxygen takes these for functions without comments
    using StrictCommandLine::AddAttribute;
    using StrictCommandLine::AddValue;
    using StrictCommandLine::BeginGroup;
    using StrictCommandLine::EndGroup;
    using StrictCommandLine::IsGiven;
    using StrictCommandLine::OfferForeignSettings;
    using StrictCommandLine::OfferShortHelp;
    using StrictCommandLine::Require;
    using StrictCommandLine::RequireChoice;
    using StrictCommandLine::RequireChosen;
    using StrictCommandLine::RequireUse;
    using StrictCommandLine::SetsAttribute;
    using StrictCommandLine::SetsOnlyAttribute;
    /// @endcond

    /**
     * Adds an option that names a file which other programs read. If that is standard output, all
     * that the program prints from Parse() on goes to standard error instead.
     * @param name name of the option
     * @param content for `--help`: what is written to the file
     */
    void AddOutput(const std::string& name, const std::string& content);
    /// Stops the program if such a file is one that is read. Parse() does so for files of settings.
    /// @param inputs names of files that are read; an empty one is none
    void RequireUnread(const std::vector<std::string>& inputs) const;
    /// @param name of such an option @return its file; empty: none; valid after Parse()
    const std::string& GetOutput(const std::string& name) const;
    /// Writes that file, if it is wanted and this is the first rank; stops the program if that
    /// fails. @param name of the option @param write writes the content
    void WriteOutput(const std::string& name,
                     const std::function<void(std::ostream&)>& write) const;

    /// Adds the options `--congestion-control` and `--congestion-control-constants`, and those of
    /// PathOptions.
    /// @param name default of the first
    void OfferCongestionControl(const std::string& name = "None");

    /// Adds the options `--reliability` and `--bdp-cap`; programs that do so call SetBdpCap()
    /// if HasAutomaticBdpCap().
    void OfferReliability();
    /// @return whether `--bdp-cap` shall follow from the network; valid after Parse()
    bool HasAutomaticBdpCap() const;

    /// Adds the options `--payload`, of full packets, and `--mtu`, of all devices, which must hold
    /// them. @param payload default of the first, set by Parse(), bytes @param least that it may be
    void OfferPayload(uint32_t& payload, uint32_t least = 1);

    /**
     * Lets `mpirun` start the program on several ranks, where Parse() stops it otherwise. Called
     * before Parse() by programs that keep to this:
     *
     * - There is one Fabric and one Run().
     * - What the program notes during the run it notes in a RankedRecord, as all recorders of the
     *   module are but SegmentRecorder. It asks no node after the run.
     * - What it calls during the run concerns the nodes of this rank (Ranks::IsOwn()), or comes in
     *   an event of its node (Simulator::ScheduleWithContext()).
     * - Besides results, it writes and prints on the first rank (Ranks::IsFirst()).
     */
    void OfferRanks();

    /// Reads the command line, and the file of `--settings` before it; a bad option stops the
    /// program with exit status 1.
    /// @param argc number of arguments @param argv program and arguments
    void Parse(int argc, char* argv[]);

    /// @return the scheme chosen, of which programs show the name; what its switches and hosts are
    /// and have they tell themselves; valid after Parse()
    const SchemeInfo& GetScheme() const
    {
        return m_switchOptions.GetScheme();
    }

    /// @return a helper for switches of the scheme with the parts chosen, which mark if the
    /// congestion control needs ECN marks; valid after Parse()
    SwitchHelper MakeSwitchHelper() const;
    /// For programs with runs of several congestion controls. @param control one of them
    /// @return the same for that one
    SwitchHelper MakeSwitchHelper(const CongestionControlInfo& control) const;
    /// @return whether the congestion control needs ECN marks; valid after Parse()
    bool NeedsMarker() const;
    /// @return makes RoceNics with the congestion control and the reliability; "None" and the
    /// default leave RoceNic's own attributes in force; valid after Parse()
    ObjectFactory MakeNicFactory() const;
    /// For programs with runs of several congestion controls. @param control one of them
    /// @return the same for that one
    static ObjectFactory MakeNicFactory(const CongestionControlInfo& control);

    /// @return whether nothing is to be written, and no more run than what tells of the cost; valid
    /// after Parse()
    bool IsDryRun() const;

    /// Makes a part of the run, which it is noted with. @tparam BASE class of its kind
    /// @param part that is registered @return it; valid after Parse()
    template <typename BASE>
    Ptr<BASE> MakePart(const PartInfo& part)
    {
        const auto made = ObjectFactory(part.type).Create<BASE>();
        RequireOwnClass(*made);
        m_results->Get<RunNotes>()->AddPart(made);
        return made;
    }

    /// @return where the run is measured and written; valid after Parse()
    ResultsWriter& GetResults();

    /// Lets samples begin with the first flow, unless the user has said when, and stops the program
    /// if none starts in the time that statistics are to be made of. @param flows all that there is
    /// to send, sorted by start; called after Parse()
    void NoteFlows(const FlowList& flows);

    /// Keeps a warning until the run is accepted: who is refused reads one sentence.
    /// @param sentence said on standard error by the first rank, when Run() has judged all options
    void Warn(const std::string& sentence);
    /// @param sentence likewise; nothing: there is nothing to tell
    void WarnOf(const std::optional<std::string>& sentence);

    /**
     * Runs the simulation as Simulator::Run() does, with what RunControl adds: progress, and an end
     * at a signal, after which further runs of the program do nothing. Attributes of the command
     * line that the program has overridden stop it before. On several ranks, each knows afterwards
     * what all have recorded.
     * @param end ends it after this time, if nothing else does before; 0: only something else does
     * @param whenAccepted is called when all options have been judged and all nodes are
     * initialised, with `--dry-run` as well; may be null
     */
    void Run(Time end = Time(0), const std::function<void()>& whenAccepted = nullptr);
    /// @return whether a signal has ended Run()
    bool IsInterrupted() const;

    /**
     * Writes the results, says what came of the run and destroys the simulation.
     * @return exit status: 128 and the signal's number after an interruption, else 1 with
     * `--strict` if there was a deadlock, frames were lost, flows are unfinished or nothing was
     * measured, else 0; 0 on all ranks but the first
     */
    int Finish();
    /// Writes the results of a program that has no run to be judged, or many of them.
    /// @return exit status: 128 and the signal's number after an interruption, 1 if the results
    /// could not be written, else 0
    int FinishUnjudged();

  private:
    /// @param hasFailed whether the program has @return its exit status
    int GetStatus(bool hasFailed) const;

    /// Joins the ranks that mpirun has started, and requires that they have the same options.
    /// @param argc number of arguments @param argv program and arguments
    void JoinRanks(int argc, char* argv[]);
    /// Shows how the network would be shared out to ranks, and ends the program.
    void ShowRanksPlan() const;
    /// Reads what was chosen of the options of OfferCongestionControl().
    void ReadCongestionControl();
    /// Reads what was chosen of the options of OfferReliability().
    void ReadReliability();
    /// Warns if an option lets packets of a flow take several paths. @param consequence what they
    /// do then, and what that means
    void WarnOfPaths(const std::string& consequence);
    /// Says what Warn() has kept.
    void TellWarnings();
    /// Gives attributes values, unless the command line has set them. @param values of a set of
    /// constants
    void ApplyConstants(const std::vector<CongestionConstants::Value>& values) const;
    /// Gives all devices the MTU that was chosen, and stops the program if a full packet, with
    /// the telemetry of the congestion control, does not fit.
    void ApplyPayload() const;
    /// Adds the options of series over time.
    void AddSeriesOptions();
    /// Tells the results which series over time are wanted.
    void RequestSeries();
    /// Initialises all that a run initialises at time zero, so that it refuses what it refuses
    /// there, tells what the run would cost, and ends the program. @param accept is called when it
    /// has refused nothing @param end of the run; 0: none
    [[noreturn]] void EndDryRun(const std::function<void()>& accept, Time end) const;
    /// Writes the file of `--json`.
    void WriteJson() const;
    /// Tells the results which time statistics are made of.
    void RequestWindow();
    /// @return whether something is wanted of a single run: a verdict, its end, a series or
    /// statistics of a time
    bool NeedsOneRun() const;
    /// Stops the program if that is so, and its results are not of this run, or the run does not
    /// have that time. @param end of the run; 0: unknown
    void RequireOneRun(Time end) const;
    /// @return the time that statistics are made of
    MeasureWindow GetWindow() const;
    /// @return whether that is a part of the run
    bool HasWindow() const;
    /// Stops the program if an option is about Run(), which it has not called.
    void RequireRun() const;

    SwitchOptions m_switchOptions;            ///< options
    PathOptions m_pathOptions;                ///< options, if they are offered
    OutputOptions m_outputs;                  ///< options
    std::string m_controlName{"None"};        ///< option
    std::string m_constantsName{"default"};   ///< option
    std::string m_reliabilityName{"GoBackN"}; ///< option
    std::string m_bdpCap{"0"};                ///< option
    uint32_t m_mtu{0};                        ///< option
    const uint32_t* m_payload{nullptr};       ///< option; null: not offered
    std::string m_output;                     ///< option
    bool m_strict{false};                     ///< option
    bool m_stopOnDeadlock{false};             ///< option
    std::string m_progress{"auto"};           ///< option
    Time m_sample;                            ///< option
    Time m_sampleFrom;                        ///< option
    std::string m_sampleQueues;               ///< option
    std::string m_sampleThroughput;           ///< option
    std::string m_sampleFlows;                ///< option
    bool m_pauseEvents{false};                ///< option
    Time m_measureFrom;                       ///< option
    Time m_measureUntil;                      ///< option; 0: the end of the run
    uint32_t m_ranksPlan{0};                  ///< option
    std::string m_dryRun{"off"};              ///< option
    bool m_hasRun{false};                     ///< Run() was called
    bool m_isFinished{false};                 ///< Finish() or FinishUnjudged() was called
    bool m_offersRanks{false};                ///< see OfferRanks()
    bool m_offersReliability{false};          ///< see OfferReliability()
    std::vector<std::string> m_warnings;      ///< see Warn()
    int m_endedBy{0};                         ///< signal that has ended Run(); 0: none
    CongestionControlInfo m_control;          ///< the congestion control chosen, or None
    ReliabilityInfo m_reliability;            ///< the reliability chosen
    std::unique_ptr<ResultsWriter> m_results; ///< of this run
};

} // namespace ns3::lossless

#endif /* LOSSLESS_EXPERIMENT_H */
