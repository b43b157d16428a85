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
/// Determines which of several equally good ports are paused. FAFC does not specify this, and a
/// simplex method selects an arbitrary subset.
enum class TieRule : uint8_t
{
    SHARED, ///< all equally good ports are paused, each for the same fraction of its longest pause
    LONGEST_FIRST ///< among equally good ports, those with the most bytes queued are paused first,
                  ///< each for the longest time
};

/**
 * @ingroup lossless
 * Determines the pause times for FAFC (Sec. II-D, Algorithm 2).
 *
 * If pausing all ports is not sufficient, every port that contributes to the congested queue is
 * paused for the longest time. Ports that do not contribute are never paused. Identical ports are
 * assigned equal times regardless of their numbers.
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
    /// @param times set to the pause times, indexed by port
    void Solve(const PauseTimeProblem& problem, std::vector<double>& times);

  protected:
    /// A port that contributes to the congested queue.
    struct Candidate
    {
        double ratio;     ///< the loss that the port causes per byte of relief
        double relief;    ///< the relief that the port provides in the problem
        double length;    ///< the number of bytes from the port in the congested queue
        std::size_t port; ///< the port's index in the problem
    };

    /// Returns the candidates for the current problem, in ascending order of their ratios.
    const std::vector<Candidate>& GetCandidates() const
    {
        return m_candidates;
    }

  private:
    /// A range of candidates, given by the index of the first one and the index after the last one.
    using Range = std::pair<std::size_t, std::size_t>;

    /// Finds an arbitrary optimum.
    /// @param problem a feasible problem with a need above 0
    /// @param times receives the pause times; initially all 0
    virtual void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) = 0;

    void SortCandidates(const PauseTimeProblem& problem);
    /// Applies the tie rule to a solution.
    /// @param times an optimum, which is replaced by the optimum that the rule selects
    void SettleTies(const PauseTimeProblem& problem, std::vector<double>& times);
    /// Splits a relief among equally good candidates.
    /// @param group the candidates
    /// @param relief the relief in bytes
    /// @param longest the longest pause of a candidate
    /// @param times receives the pauses of the candidates
    void Split(Range group, double relief, double longest, std::vector<double>& times);

    TieRule m_ties;                      ///< the rule for equally good ports
    std::vector<Candidate> m_candidates; ///< see GetCandidates()
};

/// @ingroup lossless
/// Pauses ports in ascending order of their loss per byte of relief, each for the longest time,
/// until the need is met. This is optimal, because the problem is a fractional knapsack problem.
class GreedyPauseTimeSolver : public PauseTimeSolver
{
  public:
    using PauseTimeSolver::PauseTimeSolver;

  private:
    void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) override;
};

/// Creates a solver by name: "Greedy" or "Glpk". Returns null if this build has no solver of that
/// name.
std::unique_ptr<PauseTimeSolver> MakePauseTimeSolver(const std::string& name, TieRule ties);

/// Returns the names of the solvers in this build, separated by commas.
std::string ListPauseTimeSolvers();

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_TIME_SOLVER_H */
