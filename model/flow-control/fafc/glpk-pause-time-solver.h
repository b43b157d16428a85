// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H
#define LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H

#include "pause-time-solver.h"

#include <cstddef>
#include <memory>
#include <vector>

/// GLPK's, so that its header is needed in one source file only.
struct glp_prob;

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The simplex of GLPK, which is what FAFC uses. Exists only in builds that have found GLPK.
 *
 * Costs below 1e-13 of the greatest one of a port, and ports that together could bring less than
 * 1e-8 of the need, count as none. Where both losses and reliefs of the ports differ by factors of
 * 1e12, one solution in some thousands is not the best one.
 *
 * If almost all of the pauses are needed, to 1e-7, and reliefs differ by factors of 1e6 and more,
 * GLPK very rarely finds no optimum, which ends the program.
 *
 * GLPK keeps an environment for each thread, which all of its users share and which lives as long
 * as the program; an object stays with the thread that has made it.
 */
class GlpkPauseTimeSolver : public PauseTimeSolver
{
  public:
    using PauseTimeSolver::PauseTimeSolver;

  private:
    /// Deletes a program of GLPK's.
    struct Deleter
    {
        /// @param program to delete
        void operator()(glp_prob* program) const;
    };

    void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) override;
    /// Fills the vectors below. @param problem what to solve
    void ScaleToOne(const PauseTimeProblem& problem);
    /// Makes the program: the shares of the spans, between 0 and 1, that cost least and bring 1.
    void Formulate();

    std::unique_ptr<glp_prob, Deleter> m_program; ///< erased and made anew for every problem
    std::vector<std::size_t> m_ports;             ///< by column of the program
    std::vector<double> m_spans;                  ///< the longest pauses of use, by column
    std::vector<double> m_costs;                  ///< of these, by column; the greatest is 1
    std::vector<int> m_columns;                   ///< that the row has, from index 1 on
    std::vector<double> m_coefficients;           ///< shares of the need in a span, from index 1 on
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H */
