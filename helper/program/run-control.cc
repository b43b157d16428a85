// SPDX-License-Identifier: GPL-2.0-only
#include "run-control.h"

#include "ns3/ranks.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <list>
#include <map>
#include <memory>
#include <string_view>
#include <sys/time.h>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

using Clock = std::chrono::steady_clock;

/// The control sequence that erases the current terminal line and returns the cursor to its start.
constexpr std::string_view ERASED_LINE = "\r\033[K";

/// The state that the signal handlers read.
struct Watched
{
    const RunControl::CountFlows* countFlows{nullptr};
    uint64_t endNs{0};       ///< end of the simulation in ns, or 0 if unknown
    uint64_t firstEvent{0};  ///< number of events before the run
    Clock::time_point start; ///< time at which the run started
    bool isTerminal{false};  ///< true if standard error is a terminal
};

Watched g_watched;
/// The signals that end a run in an orderly way after the current event, by number. SIGHUP is sent
/// when a terminal is closed. SIGXFSZ means that an output file, such as a capture, has reached its
/// size limit.
const std::map<int, std::string> END_SIGNALS = {{SIGHUP, "SIGHUP"},
                                                {SIGINT, "SIGINT"},
                                                {SIGTERM, "SIGTERM"},
                                                {SIGXFSZ, "SIGXFSZ"}};

volatile std::sig_atomic_t g_endedBy = 0; ///< signal that ended the run, or 0

/// Writes to standard error. Can be called in a signal handler.
void
WriteNow(std::string_view text)
{
    // Errors are ignored, because standard error may be closed.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// Ends the run, or the program if there are no results yet or the run has already been ended.
/// @param signal one of END_SIGNALS
void
EndRun(int signal)
{
    if (g_endedBy != 0 && Ranks::AreSeveral())
    {
        return; // mpirun repeats signals and kills ranks that take too long
    }
    if (g_endedBy != 0 || Simulator::GetEventCount() == g_watched.firstEvent)
    {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    g_endedBy = signal;
    if (Ranks::AreSeveral())
    {
        Ranks::Interrupt(signal); // this ends all ranks together
    }
    else
    {
        Simulator::Stop(); // this only sets a flag
    }
}

void
ShowProgress(int /* signal */)
{
    const int error = errno; // saved, because the interrupted code may use it
    RunProgress progress;
    progress.simulatedNs = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    progress.endNs = g_watched.endNs;
    progress.wallNs = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - g_watched.start)
            .count());
    (*g_watched.countFlows)(progress);
    ShortText line;
    line.Add(g_watched.isTerminal ? ERASED_LINE : "")
        .Add(progress.Describe().Get())
        .Add(g_watched.isTerminal ? "" : "\n");
    WriteNow(line.Get());
    errno = error;
}

/// Installs a signal handler while this object exists.
class Handled
{
  public:
    Handled(int signal, void (*handler)(int))
        : m_signal(signal)
    {
        struct sigaction action = {};
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        sigaction(signal, &action, &m_before);
        // A signal that was already ignored, as in a background command of a script, remains
        // ignored.
        if (m_before.sa_handler == SIG_IGN)
        {
            sigaction(signal, &m_before, nullptr);
        }
    }

    ~Handled()
    {
        sigaction(m_signal, &m_before, nullptr);
    }

    Handled(const Handled&) = delete;
    Handled& operator=(const Handled&) = delete;

  private:
    int m_signal;
    struct sigaction m_before; ///< previous action
};

/// Nonzero if the set-up has been reported.
volatile std::sig_atomic_t g_isSetupShown = 0;
Clock::time_point g_setupStart;

void
ShowSetup(int /* signal */)
{
    const int error = errno; // saved, because the interrupted code may use it
    const bool isTerminal = isatty(STDERR_FILENO) == 1;
    if (isTerminal || g_isSetupShown == 0)
    {
        const auto spent = std::chrono::nanoseconds(Clock::now() - g_setupStart).count();
        ShortText line;
        line.Add(isTerminal ? ERASED_LINE : "").Add("The network is being set up");
        if (isTerminal)
        {
            line.Add(", for ").AddTime(static_cast<uint64_t>(spent)).Add(" so far");
        }
        line.Add(isTerminal ? "" : ".\n");
        WriteNow(line.Get());
    }
    g_isSetupShown = 1;
    errno = error;
}

/// Calls a handler once per second while this object exists.
class Timed
{
  public:
    /// @param clock ITIMER_REAL, or ITIMER_VIRTUAL for processor time
    /// @param first the time until the first call
    Timed(int clock, std::chrono::milliseconds first, void (*handler)(int))
        : m_clock(clock),
          m_handled(clock == ITIMER_REAL ? SIGALRM : SIGVTALRM, handler)
    {
        SetTimer(first);
    }

    ~Timed()
    {
        SetTimer({}); // a later signal would end the program
    }

    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

  private:
    /// @param first the time until the first signal, after which signals follow once per second; 0
    /// disables them
    void SetTimer(std::chrono::milliseconds first) const
    {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(first);
        const std::chrono::microseconds rest = first - seconds;
        const itimerval timer{
            {1, 0},
            {static_cast<time_t>(seconds.count()), static_cast<suseconds_t>(rest.count())}};
        setitimer(m_clock, &timer, nullptr);
    }

    int m_clock;
    Handled m_handled; ///< handles the timer's signal
};

std::unique_ptr<Timed> g_setupShown; ///< reports the set-up; null if the set-up is complete or not
                                     ///< observed

volatile std::sig_atomic_t g_isTried = 0; ///< nonzero if EndTrial() was called

void
EndTrial(int /* signal */)
{
    g_isTried = 1;
    Simulator::Stop(); // this only sets a flag
}

double
GetShare(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

ShortText
RunProgress::Describe() const
{
    ShortText text;
    text.AddTime(simulatedNs).Add(" simulated");
    const uint64_t done = steps > 0 ? doneSteps : arrived;
    const uint64_t all = steps > 0 ? steps : flows;
    if (all > 0)
    {
        text.Add(", ").AddCount(done).Add(" of ").AddCount(all).Add(steps > 0 ? " steps"
                                                                              : " flows");
    }
    const double share = std::max(GetShare(done, all), GetShare(simulatedNs, endNs));
    if (share > 0 && share < 1)
    {
        const double left = static_cast<double>(wallNs) * (1 - share) / share;
        text.Add(", about ").AddTime(static_cast<uint64_t>(left)).Add(" left");
    }
    return text;
}

int
RunControl::Run(Time end, const CountFlows& countFlows)
{
    const bool hasEnd = end.IsStrictlyPositive();
    if (hasEnd)
    {
        Simulator::Stop(end);
    }
    g_endedBy = 0;
    g_watched = {&countFlows,
                 hasEnd ? static_cast<uint64_t>((Simulator::Now() + end).GetNanoSeconds()) : 0,
                 Simulator::GetEventCount(),
                 Clock::now(),
                 isatty(STDERR_FILENO) == 1};
    std::list<Handled> handled;
    for (const auto& [signal, name] : END_SIGNALS)
    {
        handled.emplace_back(signal, &EndRun);
    }
    auto shown = countFlows
                     ? std::make_unique<Timed>(ITIMER_REAL, std::chrono::seconds(1), &ShowProgress)
                     : nullptr;
    Simulator::Run();
    shown.reset();
    if (countFlows && g_watched.isTerminal)
    {
        WriteNow(ERASED_LINE);
    }
    return Ranks::AreSeveral() ? Ranks::GetInterruption() : g_endedBy;
}

bool
RunControl::Try(std::chrono::milliseconds spent, Time end)
{
    if (end.IsStrictlyPositive())
    {
        Simulator::Stop(end);
    }
    g_isTried = 0;
    const Timed timer(ITIMER_VIRTUAL, spent, &EndTrial);
    Simulator::Run();
    return g_isTried == 0;
}

void
RunControl::WatchSetup(std::chrono::milliseconds after)
{
    EndSetup(); // this ends the reports of an earlier set-up
    g_setupStart = Clock::now();
    g_setupShown = std::make_unique<Timed>(ITIMER_VIRTUAL, after, &ShowSetup);
}

void
RunControl::EndSetup()
{
    g_setupShown.reset();
    if (g_isSetupShown != 0 && isatty(STDERR_FILENO) == 1)
    {
        WriteNow(ERASED_LINE);
    }
    g_isSetupShown = 0;
}

std::string
RunControl::GetName(int signal)
{
    return END_SIGNALS.at(signal);
}

} // namespace ns3::lossless
