// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the messages that a run prints while it progresses, when it ends and when it is
// interrupted, and the exit of a program after an error.

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/deadlock-record.h"
#include "ns3/error-exit.h"
#include "ns3/fatal-error.h"
#include "ns3/flow-plan.h"
#include "ns3/lossless-experiment.h"
#include "ns3/run-control.h"
#include "ns3/run-notes.h"
#include "ns3/run-summary.h"
#include "ns3/run-verdict.h"
#include "ns3/short-text.h"
#include "ns3/signal-recorder.h"
#include "ns3/text-lines.h"

#include <chrono>
#include <csignal>
#include <new>
#include <stdexcept>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-run-control", UNIT);

std::string
Count(uint64_t number)
{
    return std::string(ShortText().AddCount(number).Get());
}

std::string
Duration(uint64_t nanoseconds)
{
    return std::string(ShortText().AddTime(nanoseconds).Get());
}

LOSSLESS_TEST(g_suite, "numbers and times as a person reads them")
{
    NS_TEST_EXPECT_MSG_EQ(Count(0), "0", "none");
    NS_TEST_EXPECT_MSG_EQ(Count(999), "999", "no thousand");
    NS_TEST_EXPECT_MSG_EQ(Count(216291), "216 291", "thousands");
    NS_TEST_EXPECT_MSG_EQ(Count(1000000), "1 000 000", "zeros");
    NS_TEST_EXPECT_MSG_EQ(Count(UINT64_MAX), "18 446 744 073 709 551 615", "the largest");
    NS_TEST_EXPECT_MSG_EQ(Duration(0), "0 ns", "none");
    NS_TEST_EXPECT_MSG_EQ(Duration(999), "999 ns", "below a microsecond");
    NS_TEST_EXPECT_MSG_EQ(Duration(2249999), "2.2 ms", "rounded down");
    NS_TEST_EXPECT_MSG_EQ(Duration(2250000), "2.3 ms", "rounded up");
    NS_TEST_EXPECT_MSG_EQ(Duration(600000000), "600.0 ms", "below a second");
    NS_TEST_EXPECT_MSG_EQ(Duration(999949), "999.9 us", "rounded to less than a millisecond");
    NS_TEST_EXPECT_MSG_EQ(Duration(999950), "1.0 ms", "rounded to one");
    NS_TEST_EXPECT_MSG_EQ(Duration(999950000), "1.0 s", "rounded to a second");
    NS_TEST_EXPECT_MSG_EQ(Duration(3600000000000), "3 600.0 s", "an hour");
    const std::string tooLong(300, 'x');
    NS_TEST_EXPECT_MSG_EQ(ShortText().Add(tooLong).Get().size(), 255, "cut off");
}

/// Consumes processor time, nearly all of it outside the kernel.
void
Burn(int64_t milliseconds)
{
    const std::clock_t begin = std::clock();
    [[maybe_unused]] volatile uint32_t sink = 0;
    while ((std::clock() - begin) * 1000 / CLOCKS_PER_SEC < milliseconds)
    {
        for (uint32_t i = 0; i < 100000; ++i)
        {
            sink = i;
        }
    }
}

LOSSLESS_TEST(g_suite, "a set-up that takes long is announced once where there is no terminal")
{
    const auto setUp = [](int64_t milliseconds) {
        return GetAbortMessage([milliseconds] {
            RunControl::WatchSetup(std::chrono::milliseconds(50));
            Burn(milliseconds);
            RunControl::EndSetup();
            Burn(1200); // the message can be repeated after one second
            std::exit(1);
        });
    };
    NS_TEST_EXPECT_MSG_EQ(setUp(0), "", "a short one");
    NS_TEST_EXPECT_MSG_EQ(setUp(1300), "The network is being set up.\n", "a long one");
}

LOSSLESS_TEST(g_suite, "the progress tells what is left by the share of flows or of time")
{
    RunProgress progress;
    progress.simulatedNs = 1200000;
    progress.wallNs = 10000000000;
    const auto expect = [&progress](const std::string& more, const std::string& why) {
        const std::string text(progress.Describe().Get());
        NS_TEST_EXPECT_MSG_EQ(text, "1.2 ms simulated" + more, why);
    };
    expect("", "nothing tells how much is left");
    progress.flows = 20;
    expect(", 0 of 20 flows", "no flow is done");
    progress.arrived = 10;
    expect(", 10 of 20 flows, about 10.0 s left", "half of the flows");
    progress.endNs = 1500000; // four fifths of the time have passed
    expect(", 10 of 20 flows, about 2.5 s left", "the share that is larger");
    progress.arrived = 20;
    expect(", 20 of 20 flows", "all are done");
}

struct RunEvidence
{
    std::vector<DeadlockRecord> deadlocks;
    std::vector<DropRecord> drops;
    uint64_t trimmedFrames{0};
    std::vector<FlowRow> flows;
    uint64_t packetHops{0};
    std::string interruption;
};

RunVerdict
Judge(const RunEvidence& evidence)
{
    RunVerdict verdict;
    verdict.hasNetwork = true;
    verdict.packetHops = evidence.packetHops;
    JudgeFlows(evidence.flows, verdict);
    JudgeTrims(evidence.trimmedFrames, verdict);
    JudgeDrops(evidence.drops, verdict);
    JudgeDeadlocks(evidence.deadlocks, verdict);
    JudgeInterruption(evidence.interruption, verdict);
    SetOutcome(verdict);
    return verdict;
}

std::string
Summarize(const RunEvidence& evidence, const std::string& folder = "")
{
    return SummarizeRun(Judge(evidence), 0.6, folder);
}

std::vector<FlowRow>
MakeRows(std::size_t unfinished)
{
    std::vector<FlowRow> rows(2 + unfinished);
    rows[0].fct = MicroSeconds(1);
    rows[1].fct = MicroSeconds(2);
    return rows;
}

LOSSLESS_TEST(g_suite, "lost control frames are told apart, and may be why buffers overflow")
{
    RunEvidence evidence;
    evidence.packetHops = 1;
    evidence.flows = MakeRows(0);
    DropRecord control;
    control.node = "h0";
    control.reason = DropReason::RECEIVE_ERROR;
    control.isControl = true;
    control.frames = 2;
    control.bytes = 120;
    evidence.drops = {control};
    RunVerdict verdict = Judge(evidence);
    NS_TEST_EXPECT_MSG_EQ(ToString(verdict.outcome), std::string("lossy"), "something is lost");
    NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 0, "no other frames");
    NS_TEST_EXPECT_MSG_EQ(verdict.lostControlFrames, 2, "but these");
    const std::string lost = "MAC control frames lost: 2 (120 B); most at h0, port 0 "
                             "(receive-error): 2 (120 B).";
    NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence");
    NS_TEST_EXPECT_MSG_EQ(verdict.problems[0], lost, "the sentence");
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence),
                          "lossy: 2 flows, 2 control frames lost, 1 hop, 0 ns in 600.0 ms",
                          "the line");
    DropRecord full;
    full.node = "s0";
    full.reason = DropReason::HEADROOM_FULL;
    full.lossless = true;
    full.frames = 5;
    full.bytes = 5000;
    evidence.drops.push_back(full);
    verdict = Judge(evidence);
    NS_TEST_EXPECT_MSG_EQ(ToString(verdict.outcome), std::string("violated"), "the worst");
    NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 5, "apart");
    NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 2, "two sentences");
    NS_TEST_EXPECT_MSG_EQ(verdict.problems[1].substr(0, lost.size()), lost, "the same");
    ExpectPart(verdict.problems[1], "missed a PAUSE");
}

LOSSLESS_TEST(g_suite, "a run that trims payloads off is lossy")
{
    RunEvidence evidence;
    evidence.packetHops = 1;
    evidence.flows = MakeRows(0);
    evidence.trimmedFrames = 1;
    const RunVerdict verdict = Judge(evidence);
    NS_TEST_EXPECT_MSG_EQ(ToString(verdict.outcome), std::string("lossy"), "a payload is lost");
    NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 0, "but no frame");
    NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence");
    NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                          "Payloads trimmed off frames for lack of buffer: 1 (ports.csv).",
                          "the sentence");
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence),
                          "lossy: 2 flows, 1 payload trimmed, 1 hop, 0 ns in 600.0 ms",
                          "the line");
}

LOSSLESS_TEST(g_suite, "deadlocks that have dissolved are counted, and no problem")
{
    RunEvidence evidence;
    evidence.packetHops = 1;
    evidence.deadlocks.resize(3);
    evidence.deadlocks[0].dissolved = MicroSeconds(9);
    NS_TEST_EXPECT_MSG_EQ(Judge(evidence).dissolvedDeadlocks, 1, "one of three");
    evidence.deadlocks[1].onset = MicroSeconds(4);
    evidence.deadlocks[2].onset = MicroSeconds(3);
    const RunVerdict two = Judge(evidence);
    NS_TEST_EXPECT_MSG_EQ((two.deadlock == MicroSeconds(4)), true, "the first that stands");
    ExpectPart(two.problems[0], "(and 1 more,");
    evidence.deadlocks[1].dissolved = evidence.deadlocks[2].dissolved = MicroSeconds(9);
    const RunVerdict none = Judge(evidence);
    NS_TEST_EXPECT_MSG_EQ(none.deadlock.has_value(), false, "none stands");
    NS_TEST_EXPECT_MSG_EQ(none.problems.size(), 0, "no problem");
    NS_TEST_EXPECT_MSG_EQ(ToString(none.outcome), std::string("lossless"), "all is well");
}

LOSSLESS_TEST(g_suite, "the line at the end tells what came of the run")
{
    RunFor(MicroSeconds(2200));
    RunEvidence evidence;
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence),
                          "empty: 0 flows, 0 hops, 2.2 ms in 600.0 ms",
                          "empty");
    evidence.packetHops = 216291;
    evidence.flows = MakeRows(0);
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence, "r-dsh"),
                          "lossless: 2 flows, 216 291 hops, 2.2 ms in 600.0 ms -> r-dsh",
                          "lossless");
    evidence.drops.push_back(DropRecord());
    evidence.drops[0].frames = 3;
    evidence.drops[0].bytes = 3000;
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence),
                          "lossy: 2 flows, 3 frames lost, 216 291 hops, 2.2 ms in 600.0 ms",
                          "lossy");
    evidence.flows = MakeRows(1);
    NS_TEST_EXPECT_MSG_EQ(
        Summarize(evidence),
        "unfinished: 3 flows (1 unfinished), 3 frames lost, 216 291 hops, 2.2 ms in 600.0 ms",
        "unfinished");
    evidence.deadlocks.emplace_back();
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence).substr(0, 12), "deadlocked: ", "deadlocked");
    evidence.interruption = "SIGINT";
    NS_TEST_EXPECT_MSG_EQ(Summarize(evidence).substr(0, 25), "interrupted, deadlocked: ", "both");
    NS_TEST_EXPECT_MSG_EQ(ToString(Judge(evidence).outcome),
                          std::string("interrupted"),
                          "what comes first");
    NS_TEST_EXPECT_MSG_EQ(Judge(evidence).problems[0],
                          "Interrupted by SIGINT at 2200us: results are up to that time.",
                          "the sentence");
}

/// While an object of this class exists, the signals that end a run are not ignored. (SIGINT is
/// ignored in the background jobs of a script.)
class HeededSignals
{
  public:
    HeededSignals()
        : m_interrupt(std::signal(SIGINT, SIG_DFL)),
          m_terminate(std::signal(SIGTERM, SIG_DFL)),
          m_hangUp(std::signal(SIGHUP, SIG_DFL)),
          m_fileSize(std::signal(SIGXFSZ, SIG_DFL))
    {
    }

    ~HeededSignals()
    {
        std::signal(SIGINT, m_interrupt);
        std::signal(SIGTERM, m_terminate);
        std::signal(SIGHUP, m_hangUp);
        std::signal(SIGXFSZ, m_fileSize);
    }

    HeededSignals(const HeededSignals&) = delete;
    HeededSignals& operator=(const HeededSignals&) = delete;

  private:
    void (*m_interrupt)(int); ///< previous handler
    void (*m_terminate)(int); ///< previous handler
    void (*m_hangUp)(int);    ///< previous handler
    void (*m_fileSize)(int);  ///< previous handler
};

/// An external signal arrives while an event is executed.
LOSSLESS_TEST(g_suite, "a signal ends the run behind the event that it finds")
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ})
    {
        const HeededSignals signals;
        bool isFinished = false;
        bool isNextReached = false;
        Simulator::Schedule(MicroSeconds(1), [&isFinished, signal]() {
            std::raise(signal);
            isFinished = true;
        });
        Simulator::Schedule(MicroSeconds(2), [&isNextReached]() { isNextReached = true; });
        const int endedBy = RunControl::Run(MicroSeconds(5), nullptr);
        NS_TEST_EXPECT_MSG_EQ(endedBy, signal, "what has ended it");
        NS_TEST_EXPECT_MSG_EQ(isFinished, true, "the event is executed to its end");
        NS_TEST_EXPECT_MSG_EQ(isNextReached, false, "the next one is not");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(1), "the time");
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_EQ(RunControl::GetName(SIGTERM), "SIGTERM", "a name");
    NS_TEST_EXPECT_MSG_EQ(RunControl::GetName(SIGHUP), "SIGHUP", "another");
    NS_TEST_EXPECT_MSG_EQ(RunControl::Run(MicroSeconds(5), nullptr), 0, "no signal");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(5), "the end");
}

LOSSLESS_TEST(g_suite, "a second signal ends the program, and so does one outside the run")
{
    const HeededSignals signals;
    NS_TEST_EXPECT_MSG_EQ(GetAbortMessage([]() {
                              Simulator::Schedule(MicroSeconds(1), []() {
                                  std::raise(SIGINT);
                                  std::raise(SIGINT);
                              });
                              RunControl::Run(Time(0), nullptr);
                          }),
                          "killed by signal " + std::to_string(SIGINT),
                          "two of them");
    NS_TEST_EXPECT_MSG_EQ(GetAbortMessage([]() {
                              RunControl::Run(MicroSeconds(1), nullptr);
                              std::raise(SIGTERM);
                          }),
                          "killed by signal " + std::to_string(SIGTERM),
                          "when the run is over");
}

/// The timer's signal arrives while an event is executed.
LOSSLESS_TEST(g_suite, "the progress is shown at the signal of the clock, and costs no event")
{
    const std::string said = GetAbortMessage([]() {
        Simulator::Schedule(MicroSeconds(1), []() { std::raise(SIGALRM); });
        RunControl::Run(MicroSeconds(2), [](RunProgress& progress) {
            progress.arrived = 3;
            progress.flows = 4;
        });
        std::cerr << Simulator::GetEventCount() << " events";
        std::exit(1);
    });
    ExpectBegin(said, "1.0 us simulated, 3 of 4 flows, about ");
    ExpectPart(said, " left\n2 events");
}

/// Runs a program with one flow, which a signal interrupts at 20 us.
int
RunProgram(const std::string& folder, int signal)
{
    const ChosenSimulator chosen; // the program selects a simulator
    lossless::Experiment experiment("program.cc", "A test.");
    ParseArguments(experiment, {"--output=" + folder});
    Fabric fabric(Topology::Star({2}), experiment.MakeSwitchHelper());
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MakeFlows(1, {1}));
    fabric.StopWhenFlowsAreDone(Seconds(1));
    if (signal != 0)
    {
        Simulator::Schedule(MicroSeconds(20), [signal]() { std::raise(signal); });
    }
    experiment.Run();
    return experiment.Finish();
}

LOSSLESS_TEST(g_suite, "an interrupted run writes what it has, marked; its status is the signal")
{
    const HeededSignals signals;
    const std::string folder = CreateTempDirFilename("run");
    NS_TEST_EXPECT_MSG_EQ(RunProgram(folder, SIGINT), 128 + SIGINT, "exit status");
    const std::string partial = ReadFile(folder + "/run.json");
    ExpectPart(partial, "\"outcome\": \"interrupted\"");
    ExpectPart(partial, "\"interrupted_by\": \"SIGINT\"");
    ExpectPart(partial, "\"simulated_ns\": 20000,");
    ExpectPart(ReadFile(folder + "/flows.csv"), "0,h0,h1,");

    NS_TEST_EXPECT_MSG_EQ(RunProgram(folder, 0), 0, "exit status of a whole run");
    const std::string whole = ReadFile(folder + "/run.json");
    ExpectPart(whole, "\"outcome\": \"lossless\"");
    ExpectPart(whole, "\"interrupted_by\": null");
}

LOSSLESS_TEST(g_suite, "a program that ends without its results says so, if somebody wants them")
{
    const auto end = [](const std::string& option, bool isFinished) {
        return GetAbortMessage([&] {
            const ChosenSimulator chosen; // the program selects a simulator
            lossless::Experiment experiment("program.cc", "A test.");
            ParseArguments(experiment, {option});
            if (isFinished)
            {
                experiment.FinishUnjudged();
            }
        });
    };
    NS_TEST_EXPECT_MSG_EQ(end("--strict", false),
                          "program: the program ends without Experiment::Finish(), which writes "
                          "and judges the results.\n",
                          "it was to judge them");
    NS_TEST_EXPECT_MSG_EQ(end("--output=" + CreateTempDirFilename("run"), true), "", "it has");
    ExpectPart(end("--strict", true), "--strict, --stop-on-deadlock, --sample, --pause-events");
    NS_TEST_EXPECT_MSG_EQ(end("--progress=off", false), "", "nobody has asked");
    ExpectStop("Parse() must come before MakeSwitchHelper()",
               [] { lossless::Experiment("program.cc", "A test.").MakeSwitchHelper(); });
}

/// In a program with several runs, the signal must also end the next run.
LOSSLESS_TEST(g_suite, "after an interruption the further runs of a program do nothing")
{
    const HeededSignals signals;
    const ChosenSimulator chosen; // the program selects a simulator
    lossless::Experiment experiment("program.cc", "A test.");
    ParseArguments(experiment, {});
    Simulator::Schedule(MicroSeconds(1), []() { std::raise(SIGINT); });
    experiment.Run();
    bool hasRun = false;
    Simulator::Schedule(MicroSeconds(1), [&hasRun]() { hasRun = true; });
    experiment.Run();
    NS_TEST_EXPECT_MSG_EQ(hasRun, false, "an event of the second run");
    NS_TEST_EXPECT_MSG_EQ(experiment.IsInterrupted(), true, "the signal is remembered");
}

std::string
End(const std::function<void()>& function)
{
    return GetAbortMessage([&function]() {
        EndErrorsBySentence("program");
        function();
    });
}

LOSSLESS_TEST(g_suite, "errors end a program with a sentence")
{
    NS_TEST_EXPECT_MSG_EQ(End([]() { NS_ABORT_MSG("The size is \"0\", it must be 1"); }),
                          "program: The size is \"0\", it must be 1.\n",
                          "an abort");
    NS_TEST_EXPECT_MSG_EQ(End([]() { NS_FATAL_ERROR("Full."); }), "program: Full.\n", "an error");
    NS_TEST_EXPECT_MSG_EQ(End([]() { NS_FATAL_ERROR("Full?"); }), "program: Full?\n", "a question");
    NS_TEST_EXPECT_MSG_EQ(End([]() {
                              Simulator::Schedule(MicroSeconds(1), []() {
                                  // ns-3 adds the simulated time to the message.
                                  NS_ABORT_MSG_IF(true, "Late");
                              });
                              Simulator::Run();
                          }),
                          "program: Late.\n",
                          "in an event");
    NS_TEST_EXPECT_MSG_EQ(End([]() { throw std::runtime_error("Thrown"); }),
                          "program: Thrown.\n",
                          "an exception");
    NS_TEST_EXPECT_MSG_EQ(End([]() { throw std::bad_alloc(); }),
                          "program: there is not enough memory.\n",
                          "no memory");
    NS_TEST_EXPECT_MSG_EQ(End([]() {
                              NS_FATAL_ERROR_CONT("Not yet");
                              std::cerr << "More." << std::endl;
                              NS_FATAL_ERROR("Now");
                          }).substr(0, 13),
                          "msg=\"Not yet\"",
                          "what does not end the program is shown as ns-3 writes it");
    ExpectBegin(End([]() { NS_ABORT_IF(1 + 1 == 2); }), "program: aborted. cond=\"1 + 1 == 2");
}

LOSSLESS_TEST(g_suite, "what ns-3 writes around a sentence is left out")
{
    NS_TEST_EXPECT_MSG_EQ(
        GetErrorSentence("aborted. cond=\"x\", msg=\"a \"b\", c\", +1.0s 3 file=x.cc, line=7\n"),
        "a \"b\", c.",
        "with time and node");
    NS_TEST_EXPECT_MSG_EQ(GetErrorSentence("msg=\"a\", file=x.cc, line=7\nNS_FATAL, terminating\n"),
                          "a.",
                          "as newer versions write it");
    NS_TEST_EXPECT_MSG_EQ(GetErrorSentence("aborted. cond=\"x, file=x.cc, line=7\n"),
                          "aborted. cond=\"x, file=x.cc, line=7",
                          "no sentence");
}

std::string
ReadLines(const std::string& text)
{
    std::istringstream input(text);
    TextLines lines(input, "t");
    std::string read;
    const auto error = CatchComplaint([&] {
        while (lines.Next())
        {
            read += "[" + lines.Get() + "]";
        }
    });
    return read + error.value_or("");
}

LOSSLESS_TEST(g_suite, "texts are read by lines, and what is no text is refused")
{
    NS_TEST_EXPECT_MSG_EQ(ReadLines(""), "", "an empty file");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("a\n\nb"), "[a][][b]", "the last line may have no end");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("a\n"), "[a]", "no line is behind the last end");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("\xEF\xBB\xBF"
                                    "a\nb\n"),
                          "[a][b]",
                          "a byte-order mark");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("a\r\nb\r\r\n"), "[a\r][b\r\r]", "CR LF");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("a\rb\r"),
                          "t:1: its line ends are missing: there are carriage returns (CR) alone; "
                          "save it with LF or CR LF",
                          "of old editors");
    NS_TEST_EXPECT_MSG_EQ(
        ReadLines("PK\x03\x04\xff"),
        "t: the file is compressed by zip; decompress it, or save a spreadsheet as CSV",
        "a zip file");
    NS_TEST_EXPECT_MSG_EQ(EscapeControls("\x1b[1m\x7f \xC2\x9B \xC3\xA9\n\t"),
                          "\\x1b[1m\\x7f \\xc2\x9B \xC3\xA9\n\t",
                          "but line ends, tabs and letters");
    const std::string sentence = "the line has a byte of value 0; the file must be a text in UTF-8";
    NS_TEST_EXPECT_MSG_EQ(ReadLines(std::string("a\nb\0c\n", 6)), "[a]t:2: " + sentence, "a zero");
    NS_TEST_EXPECT_MSG_EQ(ReadLines(std::string("\xFF\xFE"
                                                "a\0",
                                                4)),
                          "t:1: " + sentence,
                          "a text in UTF-16");
    NS_TEST_EXPECT_MSG_EQ(ReadLines(std::string(TextLines::MAX_LINE + 1, 'a')),
                          "t:1: the line is longer than 16777216 bytes; the file must be a text",
                          "an endless line");
    // 0xE9 is an accented e in Latin-1; in UTF-8, this character has two bytes.
    const std::string latin = "the line is not a text in UTF-8, as which the file must be saved";
    NS_TEST_EXPECT_MSG_EQ(ReadLines("a\nh\xE9\n"), "[a]t:2: " + latin, "a text in Latin-1");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("h\xC3"), "t:1: " + latin, "half a character");
    NS_TEST_EXPECT_MSG_EQ(ReadLines("h\xC3\xA9\n"), "[h\xC3\xA9]", "the same in UTF-8");
    ExpectStop("cannot open the file '/no/such/file': No such file",
               []() { OpenText("/no/such/file"); });
    ExpectStop("'/' is a folder; name a file", []() { OpenText("/"); });
}

} // namespace ns3::lossless::tests::THIS_FILE
