// SPDX-License-Identifier: GPL-2.0-only
//
// The pause times that a solver of FAFC's linear program chooses for random ports (FAFC, Sec.
// II-D), as the required relief increases in steps up to the maximum that all ports together can
// provide.
//
//   pause-times --ports=8 --RngRun=3 --output=results/pauses
//   pause-times --solver=Glpk

#include "ns3/core-module.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/lossless-experiment.h"
#include "ns3/pause-time-solver.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

struct Options
{
    uint32_t ports{4};
    uint32_t steps{20};
    std::string solver{"Greedy"};
};

/// @return a problem with random ports whose pauses last at most one unit of time
PauseTimeProblem
DrawPorts(uint32_t ports)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(0);
    PauseTimeProblem problem;
    problem.longest = 1;
    // These numbers have few digits, so the results table shows their exact values.
    for (uint32_t port = 0; port < ports; ++port)
    {
        problem.loss.push_back(0.001 * random->GetInteger(0, 1000));
        problem.relief.push_back(0.001 * random->GetInteger(50, 1000));
        problem.length.push_back(0);
    }
    return problem;
}

ResultTable
SolveAll(PauseTimeProblem problem, PauseTimeSolver& solver, uint32_t steps)
{
    auto table = ResultTable::WithHeader("need_share,port,loss,relief,pause");
    const double all = problem.GetRelief(std::vector<double>(problem.relief.size(), 1));
    std::vector<double> times;
    for (uint32_t step = 1; step <= steps; ++step)
    {
        const double share = static_cast<double>(step) / steps;
        problem.need = share * all;
        solver.Solve(problem, times);
        for (std::size_t port = 0; port < times.size(); ++port)
        {
            table.rows.push_back(
                {share, port, problem.loss[port], problem.relief[port], times[port]});
        }
    }
    return table;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "The pause times that a solver of FAFC's linear program chooses.",
                          "FAFC");
    Options o;
    experiment.AddValues({
        {"ports", "Ingress ports.", o.ports, Range{1, 1000}},
        {"steps",
         "Number of needs, in equal steps up to what all ports can relieve together.",
         o.steps,
         Range{1, 10000}},
        {"solver", "Solver: " + ListPauseTimeSolvers() + ".", o.solver},
    });
    experiment.WithdrawRunOptions(false);
    experiment.Parse(argc, argv);
    const auto solver = MakePauseTimeSolver(o.solver, TieRule::SHARED);
    experiment.Require(solver != nullptr,
                       "--solver is \"" + o.solver + "\"; it must be one of " +
                           ListPauseTimeSolvers());

    const ResultTable table = SolveAll(DrawPorts(o.ports), *solver, o.steps);
    experiment.GetResults().AddTable("pause-times", [&] { return table; });
    // Nothing was simulated, so there is no run to judge.
    const int status = experiment.FinishUnjudged();
    WriteCsv(std::cout, table);
    return status;
}
