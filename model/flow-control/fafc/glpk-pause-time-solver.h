// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H
#define LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H

#include "pause-time-solver.h"

#include <cstddef>
#include <memory>
#include <vector>

/// GLPK's type, declared here so that only one source file includes its header.
struct glp_prob;

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Solver based on GLPK's simplex, as FAFC's. Only in builds with GLPK.
 *
 * Costs below 1e-13 of the greatest one of a port, and ports that together could bring less than
 * 1e-8 of the need, count as zero. Where both losses and reliefs of the ports differ by factors of
 * 1e12, one solution in some thousands is not optimal.
 *
 * If all but 1e-7 of the pauses are needed and reliefs differ by factors of 1e6 or more, GLPK in
 * very rare cases fails to find the optimum, which is a fatal error.
 *
 * GLPK keeps an environment per thread, shared by all its users until the program ends; an object
 * must be used in the thread that made it.
 */
class GlpkPauseTimeSolver : public PauseTimeSolver
{
  public:
    using PauseTimeSolver::PauseTimeSolver;

  private:
    struct Deleter
    {
        void operator()(glp_prob* program) const;
    };

    void FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times) override;
    /// Fills the vectors below.
    void ScaleToOne(const PauseTimeProblem& problem);
    /// Makes the program: the shares of the spans, 0 to 1, that cost least and bring 1.
    void Formulate();

    std::unique_ptr<glp_prob, Deleter> m_program; ///< rebuilt for every problem
    std::vector<std::size_t> m_ports;             ///< by column of the program
    std::vector<double> m_spans;                  ///< longest useful pauses, by column
    std::vector<double> m_costs;                  ///< of these spans, by column; the greatest is 1
    std::vector<int> m_columns;                   ///< columns in the row, from index 1 on
    std::vector<double> m_coefficients; ///< share of the need that a span brings, from index 1 on
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H */
