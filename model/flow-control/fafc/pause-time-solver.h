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

/// @ingroup lossless
/// Which of equally good ports pause; FAFC leaves it open, and a simplex picks some of them.
enum class TieRule : uint8_t
{
    SHARED,       ///< all, each for the same share of its longest pause
    LONGEST_FIRST ///< for the longest time, in order of bytes in the congested queue
};

/**
 * @ingroup lossless
 * Finds the pause times of FAFC (Sec. II-D, Algorithm 2).
 *
 * If pauses of all ports are not enough, every port that contributes to the congested queue pauses
 * for the longest time. Others are never paused. Equal ports get equal times, whatever their
 * numbers.
 */
class PauseTimeSolver
{
  public:
    /// Sets the rule for equally good ports.
    explicit PauseTimeSolver(TieRule ties);
    virtual ~PauseTimeSolver() = default;

    PauseTimeSolver(const PauseTimeSolver&) = delete;
    PauseTimeSolver& operator=(const PauseTimeSolver&) = delete;

    /// Solves a problem.
    /// @param times pause times by port, overwritten
    void Solve(const PauseTimeProblem& problem, std::vector<double>& times);

  protected:
    /// A port that contributes to the congested queue.
    struct Candidate
    {
        double ratio;     ///< loss per byte of relief
        double relief;    ///< as in the problem
        double length;    ///< as in the problem
        std::size_t port; ///< its index in the problem
    };

    /// Returns the candidates of the problem being solved, by ascending ratio.
    const std::vector<Candidate>& GetCandidates() const
    {
        return m_candidates;
    }

  private:
    /// Candidates from index first up to, but not including, second.
    using Range = std::pair<std::size_t, std::size_t>;

    /// Finds any optimum.
    /// @param problem feasible, with a need above 0
    /// @param times all 0; receives the pause times
    virtual void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) = 0;

    void SortCandidates(const PauseTimeProblem& problem);
    /// Applies the rule for ties to a solution.
    /// @param times an optimum; becomes the one that the rule prefers
    void SettleTies(const PauseTimeProblem& problem, std::vector<double>& times);
    /// Splits a relief in bytes among equally good candidates.
    /// @param longest longest pause
    /// @param times receives their pauses
    void Split(Range group, double relief, double longest, std::vector<double>& times);

    TieRule m_ties;                      ///< rule for equally good ports
    std::vector<Candidate> m_candidates; ///< see GetCandidates()
};

/// @ingroup lossless
/// Pauses ports in order of their loss per byte of relief, each for the longest time, until the
/// need is met. For a single sum with bounds, a fractional knapsack, this is an optimum.
class GreedyPauseTimeSolver : public PauseTimeSolver
{
  public:
    using PauseTimeSolver::PauseTimeSolver;

  private:
    void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) override;
};

/// Makes a solver, "Greedy" or "Glpk"; null for an unknown name, or "Glpk" in a build without GLPK.
std::unique_ptr<PauseTimeSolver> MakePauseTimeSolver(const std::string& name, TieRule ties);

/// Returns the solvers of this build, separated by commas.
std::string ListPauseTimeSolvers();

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_TIME_SOLVER_H */
