// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H
#define LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H

#include "pause-time-solver.h"

#include <cstddef>
#include <memory>
#include <vector>

/// A GLPK type, declared here so that only one source file includes GLPK's header.
struct glp_prob;

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A solver that uses GLPK's simplex method, as in the FAFC paper. It is available only in builds
 * with GLPK.
 *
 * Costs below 1e-13 of the highest cost are treated as zero. Ports that together provide less than
 * 1e-8 of the need are ignored. If both the losses and the reliefs of the ports differ by factors
 * of 1e12, about one in several thousand solutions is not optimal.
 *
 * If all but a fraction of 1e-7 of the pauses are needed and reliefs differ by factors of 1e6 or
 * more, GLPK very rarely fails to find the optimum; this is a fatal error.
 *
 * GLPK keeps one environment per thread, which all users of GLPK share until the program ends. Each
 * object must be used only in the thread that created it.
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
    /// Fills the vectors below with a scaled form of the problem.
    void ScaleToOne(const PauseTimeProblem& problem);
    /// Creates the linear program. The program determines a fraction (0 to 1) of each span such
    /// that the total relief is at least 1 at minimum cost.
    void Formulate();

    std::unique_ptr<glp_prob, Deleter> m_program; ///< the GLPK object, which is reused for each
                                                  ///< problem
    std::vector<std::size_t> m_ports;             ///< the port that corresponds to each column of
                                                  ///< the program
    std::vector<double> m_spans;                  ///< the longest useful pause of each port,
                                                  ///< indexed by column
    std::vector<double> m_costs;                  ///< the cost of each span, indexed by column; the
                                                  ///< highest is 1
    std::vector<int> m_columns; ///< the indices of the columns in the row, starting at index 1
    /// The fraction of the need that each span provides, starting at index 1.
    std::vector<double> m_coefficients;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GLPK_PAUSE_TIME_SOLVER_H */
