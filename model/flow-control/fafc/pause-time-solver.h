// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_TIME_SOLVER_H
#define LOSSLESS_PAUSE_TIME_SOLVER_H

#include "pause-time-problem.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Which ports pause among those that lose equally much for the same relief; FAFC does not say, and
 * a simplex picks some of them.
 */
enum class TieRule : uint8_t
{
    SHARED,       ///< all, each for the same share of its longest pause
    LONGEST_FIRST ///< who has most in the congested queue, for the longest time, then the next
};

/**
 * @ingroup lossless
 * Finds the pause times of FAFC (Sec. II-D, Algorithm 2).
 *
 * If pauses of all ports are not enough, all that bring something to the congested queue pause for
 * the longest time. A port that brings nothing to it is never paused. Ports that are alike get the
 * same time, whatever their numbers are.
 */
class PauseTimeSolver
{
  public:
    /// @param ties who pauses of those that are equally good
    explicit PauseTimeSolver(TieRule ties);
    virtual ~PauseTimeSolver() = default;

    PauseTimeSolver(const PauseTimeSolver&) = delete;
    PauseTimeSolver& operator=(const PauseTimeSolver&) = delete;

    /// @param problem what to solve @param times pause times by port, overwritten
    void Solve(const PauseTimeProblem& problem, std::vector<double>& times);

  protected:
    /// A port that brings something to the congested queue.
    struct Candidate
    {
        double ratio;     ///< loss for a byte of relief
        double relief;    ///< as in the problem
        double length;    ///< as in the problem
        std::size_t port; ///< its index in the problem
    };

    /// @return of the problem that is being solved, by ascending ratio
    const std::vector<Candidate>& GetCandidates() const
    {
        return m_candidates;
    }

  private:
    /// Consecutive candidates, from the first up to, but not including, the second.
    using Range = std::pair<std::size_t, std::size_t>;

    /**
     * Finds any optimum.
     *
     * @param problem it needs something, and is feasible
     * @param times all 0; receives the pause times
     */
    virtual void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) = 0;

    /// @param problem whose candidates to sort
    void SortCandidates(const PauseTimeProblem& problem);
    /// Applies the rule where candidates are equally good. @param problem that was solved
    /// @param times an optimum; becomes the one that the rule prefers
    void SettleTies(const PauseTimeProblem& problem, std::vector<double>& times);
    /// Splits a relief among equally good candidates. @param group they @param relief in bytes
    /// @param longest longest pause @param times receives theirs
    void Split(Range group, double relief, double longest, std::vector<double>& times);

    TieRule m_ties;                      ///< who pauses of those that are equally good
    std::vector<Candidate> m_candidates; ///< see GetCandidates()
};

/**
 * @ingroup lossless
 * Pauses ports in the order of what they lose for a byte of relief, each for the longest time,
 * until the need is met. For one sum with bounds, a fractional knapsack, this is an optimum.
 */
class GreedyPauseTimeSolver : public PauseTimeSolver
{
  public:
    using PauseTimeSolver::PauseTimeSolver;

  private:
    void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) override;
};

/// @param name of a solver, "Greedy" or "Glpk" @param ties who pauses of those that are equally
/// good
/// @return the solver; null if there is none of that name. A build without GLPK has no Glpk.
std::unique_ptr<PauseTimeSolver> MakePauseTimeSolver(const std::string& name, TieRule ties);

/// @return the solvers that this build has, separated by commas
std::string ListPauseTimeSolvers();

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_TIME_SOLVER_H */
