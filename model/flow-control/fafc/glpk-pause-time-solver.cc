// SPDX-License-Identifier: GPL-2.0-only
#include "glpk-pause-time-solver.h"

#include "ns3/abort.h"

#include <algorithm>
#include <glpk.h>
#include <numeric>

namespace ns3::lossless
{

namespace
{

/// Ports that together provide less than this fraction of the need are ignored, because they would
/// be poor pivots.
constexpr double NEGLIGIBLE = 1e-8;
/// If all ports together provide at most this multiple of the need, all of them are paused.
constexpr double BARELY_ENOUGH = 1 + 1e-12;
/// The tolerance for reduced costs, relative to the highest cost. It is larger than rounding
/// errors.
constexpr double COST_TOLERANCE = 1e-13;
/// The limit on the number of steps per port. A program with one row does not reach it unless the
/// simplex method cycles.
constexpr int MOST_STEPS_PER_PORT = 1000;

} // namespace

void
GlpkPauseTimeSolver::Deleter::operator()(glp_prob* program) const
{
    glp_delete_prob(program);
}

void
GlpkPauseTimeSolver::FindOptimum(const PauseTimeProblem& problem, std::vector<double>& times)
{
    ScaleToOne(problem);
    if (std::accumulate(m_coefficients.begin(), m_coefficients.end(), 0.0) <= BARELY_ENOUGH)
    {
        // All pauses are needed, so there is no choice left, and tolerances could make the program
        // infeasible.
        for (std::size_t i = 0; i < m_ports.size(); ++i)
        {
            times[m_ports[i]] = m_spans[i];
        }
        return;
    }
    Formulate();
    glp_smcp settings;
    glp_init_smcp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    settings.tol_dj = COST_TOLERANCE;
    settings.it_lim = MOST_STEPS_PER_PORT * static_cast<int>(m_ports.size());
    int error = 0;
    int status = GLP_UNDEF;
    // If almost all pauses are needed, either method can, very rarely, fail because of tolerances.
    for (const int method : {GLP_PRIMAL, GLP_DUAL})
    {
        settings.meth = method;
        glp_std_basis(m_program.get());
        error = glp_simplex(m_program.get(), &settings);
        status = glp_get_status(m_program.get());
        if (error == 0 && status == GLP_OPT)
        {
            break;
        }
    }
    NS_ABORT_MSG_IF(error != 0 || status != GLP_OPT,
                    "GLPK's simplex found no optimum for the pause times of "
                        << m_ports.size() << " ports: it returned " << error << " with status "
                        << status);
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        const double share = glp_get_col_prim(m_program.get(), static_cast<int>(i) + 1);
        times[m_ports[i]] = std::clamp(share, 0.0, 1.0) * m_spans[i];
    }
}

void
GlpkPauseTimeSolver::ScaleToOne(const PauseTimeProblem& problem)
{
    const double least = problem.need * NEGLIGIBLE / static_cast<double>(GetCandidates().size());
    m_ports.clear();
    m_spans.clear();
    m_costs.clear();
    // GLPK's indices start at 1.
    m_columns.assign(1, 0);
    m_coefficients.assign(1, 0);
    for (std::size_t port = 0; port < problem.relief.size(); ++port)
    {
        if (problem.relief[port] * problem.longest > least)
        {
            const double enough = problem.need / problem.relief[port];
            const double span = std::min(problem.longest, enough);
            m_ports.push_back(port);
            m_spans.push_back(span);
            m_costs.push_back(problem.loss[port] * span);
            m_columns.push_back(static_cast<int>(m_ports.size()));
            m_coefficients.push_back(span / enough);
        }
    }
    const auto greatest = std::max_element(m_costs.begin(), m_costs.end());
    if (greatest != m_costs.end() && *greatest > 0)
    {
        const double unit = *greatest;
        for (double& cost : m_costs)
        {
            cost /= unit;
        }
    }
}

void
GlpkPauseTimeSolver::Formulate()
{
    if (m_program)
    {
        glp_erase_prob(m_program.get());
    }
    else
    {
        m_program.reset(glp_create_prob());
    }
    glp_prob* program = m_program.get();
    const int size = static_cast<int>(m_ports.size());
    glp_set_obj_dir(program, GLP_MIN);
    glp_add_rows(program, 1);
    glp_set_row_bnds(program, 1, GLP_LO, 1, 0);
    glp_add_cols(program, size);
    for (int column = 1; column <= size; ++column)
    {
        glp_set_col_bnds(program, column, GLP_DB, 0, 1);
        glp_set_obj_coef(program, column, m_costs[column - 1]);
    }
    glp_set_mat_row(program, 1, size, m_columns.data(), m_coefficients.data());
}

} // namespace ns3::lossless
