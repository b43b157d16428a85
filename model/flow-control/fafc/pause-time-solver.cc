// SPDX-License-Identifier: GPL-2.0-only
#include "pause-time-solver.h"

#include "ns3/abort.h"

#include <algorithm>
#include <tuple>

#ifdef LOSSLESS_GLPK
#include "glpk-pause-time-solver.h"
#endif

namespace ns3::lossless
{

namespace
{

/// Ratios of measured rates are considered equal if they differ by less than this fraction.
constexpr double RATIO_TOLERANCE = 1e-9;

} // namespace

PauseTimeSolver::PauseTimeSolver(TieRule ties)
    : m_ties(ties)
{
}

void
PauseTimeSolver::Solve(const PauseTimeProblem& problem, std::vector<double>& times)
{
    const std::size_t ports = problem.relief.size();
    NS_ABORT_MSG_IF(problem.loss.size() != ports || problem.length.size() != ports,
                    "a problem of " << ports << " ports has losses of " << problem.loss.size()
                                    << " and lengths of " << problem.length.size());
    NS_ABORT_MSG_IF(!(problem.longest > 0),
                    "the longest pause is " << problem.longest << "; it must be above 0");
    times.assign(ports, 0);
    if (problem.need <= 0)
    {
        return;
    }
    if (!problem.IsFeasible())
    {
        std::transform(problem.relief.begin(),
                       problem.relief.end(),
                       times.begin(),
                       [&problem](double relief) { return relief > 0 ? problem.longest : 0; });
        return;
    }
    SortCandidates(problem);
    FindOptimum(problem, times);
    SettleTies(problem, times);
}

void
PauseTimeSolver::SortCandidates(const PauseTimeProblem& problem)
{
    m_candidates.clear();
    for (std::size_t port = 0; port < problem.relief.size(); ++port)
    {
        const double relief = problem.relief[port];
        NS_ABORT_MSG_IF(!(relief >= 0) || !(problem.loss[port] >= 0),
                        "port " << port << " has a loss of " << problem.loss[port]
                                << " and a relief of " << relief << "; they must be at least 0");
        if (relief > 0)
        {
            m_candidates.push_back(
                {problem.loss[port] / relief, relief, problem.length[port], port});
        }
    }
    // Sorting by all criteria ensures that port numbers have no effect, not even on rounding.
    std::sort(m_candidates.begin(), m_candidates.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.ratio, b.length, a.relief) < std::tie(b.ratio, a.length, b.relief);
    });
}

void
PauseTimeSolver::SettleTies(const PauseTimeProblem& problem, std::vector<double>& times)
{
    for (Range group; group.first < m_candidates.size(); group.first = group.second)
    {
        // Among ratios that differ only by rounding, the first is the smallest.
        const double most = m_candidates[group.first].ratio * (1 + RATIO_TOLERANCE);
        double relief = 0;
        // True if no member of the group is paused, or if all are paused for the longest time.
        bool isSettled = true;
        group.second = group.first;
        for (; group.second < m_candidates.size() && m_candidates[group.second].ratio <= most;
             ++group.second)
        {
            const Candidate& candidate = m_candidates[group.second];
            const double time = times[candidate.port];
            relief += candidate.relief * time;
            isSettled = isSettled && time == times[m_candidates[group.first].port] &&
                        (time == 0 || time == problem.longest);
        }
        // An optimum can exceed the need if the additional pauses cost nothing.
        if (relief > problem.need || (!isSettled && group.second - group.first > 1))
        {
            Split(group, std::min(relief, problem.need), problem.longest, times);
        }
    }
}

void
PauseTimeSolver::Split(Range group, double relief, double longest, std::vector<double>& times)
{
    // Ratios within the group can differ by rounding errors, which must not affect the order.
    const auto first = m_candidates.begin();
    std::sort(first + static_cast<std::ptrdiff_t>(group.first),
              first + static_cast<std::ptrdiff_t>(group.second),
              [](const Candidate& a, const Candidate& b) {
                  return std::tie(b.length, a.relief) < std::tie(a.length, b.relief);
              });
    for (Range part{group.first, group.first}; part.first < group.second; part.first = part.second)
    {
        // Depending on the tie rule, the relief is split among the whole group or among the
        // candidates with the same length.
        double rate = 0;
        for (part.second = part.first;
             part.second < group.second &&
             (m_ties == TieRule::SHARED ||
              m_candidates[part.second].length == m_candidates[part.first].length);
             ++part.second)
        {
            rate += m_candidates[part.second].relief;
        }
        const double time = std::clamp(relief / rate, 0.0, longest);
        for (std::size_t i = part.first; i < part.second; ++i)
        {
            times[m_candidates[i].port] = time;
        }
        relief -= rate * time;
    }
}

void
GreedyPauseTimeSolver::FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times)
{
    double rest = problem.need;
    for (const Candidate& candidate : GetCandidates())
    {
        const double time = rest / candidate.relief;
        if (time <= problem.longest)
        {
            times[candidate.port] = time;
            return;
        }
        times[candidate.port] = problem.longest;
        rest -= candidate.relief * problem.longest;
    }
}

std::unique_ptr<PauseTimeSolver>
MakePauseTimeSolver(const std::string& name, TieRule ties)
{
    if (name == "Greedy")
    {
        return std::make_unique<GreedyPauseTimeSolver>(ties);
    }
#ifdef LOSSLESS_GLPK
    if (name == "Glpk")
    {
        return std::make_unique<GlpkPauseTimeSolver>(ties);
    }
#endif
    return nullptr;
}

std::string
ListPauseTimeSolvers()
{
#ifdef LOSSLESS_GLPK
    return "Greedy, Glpk";
#else
    return "Greedy";
#endif
}

} // namespace ns3::lossless
