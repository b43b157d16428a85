// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the linear program of FAFC, which determines the pause times of ingress ports.

#include "lossless-test.h"

#include "ns3/pause-time-solver.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-pause-time-solver", UNIT);

using Numbers = std::vector<double>;

std::vector<std::string>
GetNames()
{
    std::vector<std::string> names{"Greedy"};
    if (MakePauseTimeSolver("Glpk", TieRule::SHARED))
    {
        names.emplace_back("Glpk");
    }
    return names;
}

/// @param need the number of bytes that pauses must withhold
/// @param length the queue length of each port; if empty, all lengths are equal
PauseTimeProblem
MakeProblem(Numbers loss, Numbers relief, double need, double longest, Numbers length = {})
{
    length.resize(loss.size());
    return {std::move(loss), std::move(relief), std::move(length), need, longest};
}

/// @return the number of bytes of uncongested flows that pauses hold back
double
GetCost(const PauseTimeProblem& problem, const Numbers& times)
{
    return std::inner_product(problem.loss.begin(), problem.loss.end(), times.begin(), 0.0);
}

Numbers
Solve(const PauseTimeProblem& problem,
      const std::string& name = "Greedy",
      TieRule ties = TieRule::SHARED)
{
    Numbers times{-1}; // initial value, which the solver must overwrite
    MakePauseTimeSolver(name, ties)->Solve(problem, times);
    return times;
}

/// Checks that all solvers find the expected times.
void
CheckTimes(const PauseTimeProblem& problem, const Numbers& expected, TieRule ties = TieRule::SHARED)
{
    for (const std::string& name : GetNames())
    {
        const Numbers times = Solve(problem, name, ties);
        NS_TEST_ASSERT_MSG_EQ(times.size(), expected.size(), name << ": ports");
        for (std::size_t port = 0; port < times.size(); ++port)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(times[port],
                                      expected[port],
                                      1e-12,
                                      name << ": port " << port);
        }
    }
}

LOSSLESS_TEST(g_suite, "relief and feasibility")
{
    const auto problem = MakeProblem({2, 3}, {5, 7}, 24, 2);
    NS_TEST_EXPECT_MSG_EQ(problem.GetRelief({1, 10}), 75, "5 + 70");
    NS_TEST_EXPECT_MSG_EQ(problem.IsFeasible(), true, "12 * 2 is 24");
    NS_TEST_EXPECT_MSG_EQ(MakeProblem({2, 3}, {5, 7}, 24.1, 2).IsFeasible(), false, "not more");
}

LOSSLESS_TEST(g_suite, "solvers by name")
{
    NS_TEST_EXPECT_MSG_EQ((MakePauseTimeSolver("Greedy", TieRule::SHARED) != nullptr), true, "");
    NS_TEST_EXPECT_MSG_EQ((MakePauseTimeSolver("Guess", TieRule::SHARED) == nullptr), true, "");
    std::string list;
    for (const std::string& name : GetNames())
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    NS_TEST_EXPECT_MSG_EQ(ListPauseTimeSolvers(), list, "what there is");
}

LOSSLESS_TEST(g_suite, "who loses least for its relief pauses first")
{
    // The loss per byte of relief is 1 for port 0 and 1/2 for port 1. Port 1 pauses for all 10
    // units of time and provides a relief of 40.
    CheckTimes(MakeProblem({2, 2}, {2, 4}, 40, 10), {0, 10});
    CheckTimes(MakeProblem({2, 2}, {2, 4}, 20, 10), {0, 5});
    CheckTimes(MakeProblem({2, 2}, {2, 4}, 50, 10), {5, 10});
    // The ratio, not the loss, determines the order, so 3 / 6 precedes 1 / 1.
    CheckTimes(MakeProblem({1, 3}, {1, 6}, 6, 10), {0, 1});
    // Three ports have the ratios 3, 0 and 1. Port 1 provides a relief of 20, port 2 of 10, and
    // port 0 the remaining 5.
    CheckTimes(MakeProblem({3, 0, 1}, {1, 2, 1}, 35, 10), {5, 10, 10});
    CheckTimes(MakeProblem({7}, {4}, 10, 10), {2.5});
}

LOSSLESS_TEST(g_suite, "nothing needed, nothing paused")
{
    CheckTimes(MakeProblem({0, 1}, {1, 1}, 0, 10), {0, 0});
    CheckTimes(MakeProblem({0, 1}, {1, 1}, -5, 10), {0, 0});
    CheckTimes(MakeProblem({}, {}, 0, 10), {});
}

LOSSLESS_TEST(g_suite, "if all pauses are not enough, all that bring something pause")
{
    CheckTimes(MakeProblem({9, 0, 1}, {1, 0, 2}, 31, 10), {10, 0, 10});
    CheckTimes(MakeProblem({9, 0, 1}, {1, 0, 2}, 30, 10), {10, 0, 10});
    CheckTimes(MakeProblem({0, 0}, {0, 0}, 1, 10), {0, 0});
    CheckTimes(MakeProblem({}, {}, 1, 10), {});
}

LOSSLESS_TEST(g_suite, "who brings nothing is never paused")
{
    CheckTimes(MakeProblem({0, 5, 0}, {0, 1, 0}, 4, 10), {0, 4, 0});
    CheckTimes(MakeProblem({0, 0}, {0, 2}, 4, 10), {0, 2});
}

LOSSLESS_TEST(g_suite, "equally good ports share: the same time for all")
{
    constexpr auto RULE = TieRule::SHARED;
    // Pauses of host ports 0 to 2 cause no loss whatever their relief; pauses of port 3 do.
    CheckTimes(MakeProblem({0, 0, 0, 1}, {1, 2, 3, 9}, 12, 10, {7, 8, 9, 1}), {2, 2, 2, 0}, RULE);
    // The host ports are not sufficient. They provide a relief of 60, and port 3 provides the
    // remaining 9.
    CheckTimes(MakeProblem({0, 0, 0, 1}, {1, 2, 3, 9}, 69, 10), {10, 10, 10, 1}, RULE);
    // The ratios are 2, 2 and 1, although the rates differ.
    CheckTimes(MakeProblem({2, 6, 1}, {1, 3, 1}, 18, 10), {2, 2, 10}, RULE);
    // In floating point, 0.3 / 0.1 is not 3.
    CheckTimes(MakeProblem({0.3, 3}, {0.1, 1}, 2.2, 10), {2, 2}, RULE);
    // A difference larger than rounding is significant.
    CheckTimes(MakeProblem({1.000001, 1}, {1, 1}, 8, 10), {0, 8}, RULE);
}

LOSSLESS_TEST(g_suite, "of equally good ports, those with most in the queue pause first")
{
    constexpr auto RULE = TieRule::LONGEST_FIRST;
    const Numbers relief{1, 2, 3, 9};
    const Numbers loss{0, 0, 0, 1};
    CheckTimes(MakeProblem(loss, relief, 12, 10, {7, 8, 9, 99}), {0, 0, 4, 0}, RULE);
    CheckTimes(MakeProblem(loss, relief, 36, 10, {7, 8, 9, 99}), {0, 3, 10, 0}, RULE);
    CheckTimes(MakeProblem(loss, relief, 55, 10, {7, 8, 9, 99}), {5, 10, 10, 0}, RULE);
    // Ports of equal length share the rest. The 10 units of time of port 1 provide a relief of 20,
    // and ports 0 and 2 together provide the remaining 8, at 4 per unit of time.
    CheckTimes(MakeProblem(loss, relief, 28, 10, {5, 8, 5, 99}), {2, 10, 2, 0}, RULE);
    // Port 2 has the smallest ratio and pauses first. The rule also applies to the second group,
    // which consists of ports 0 and 1.
    CheckTimes(MakeProblem({2, 6, 1}, {1, 3, 1}, 18, 10, {3, 2, 1}), {8, 0, 10}, RULE);
}

LOSSLESS_TEST(g_suite, "ports that are alike are treated alike")
{
    // A simplex solver would select only some of the 30 equal ports.
    for (const auto rule : {TieRule::SHARED, TieRule::LONGEST_FIRST})
    {
        CheckTimes(MakeProblem(Numbers(30, 1), Numbers(30, 2), 150, 10, Numbers(30, 4)),
                   Numbers(30, 2.5),
                   rule);
    }
}

/// A solver whose optimum is given.
class KnownSolver : public PauseTimeSolver
{
  public:
    KnownSolver(TieRule ties, Numbers optimum)
        : PauseTimeSolver(ties),
          m_optimum(std::move(optimum))
    {
    }

  private:
    void FindOptimum(const PauseTimeProblem& /* problem */, Numbers& times) override
    {
        times = m_optimum;
    }

    Numbers m_optimum; ///< optimal times per port
};

LOSSLESS_TEST(g_suite, "the rule applies to any optimum, and nobody pauses for more than the need")
{
    const auto problem = MakeProblem({0, 0, 5}, {1, 1, 1}, 8, 10, {1, 2, 3});
    Numbers times;
    KnownSolver(TieRule::LONGEST_FIRST, {4, 4, 0}).Solve(problem, times);
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(times, Numbers{0, 8, 0}), "", "unlike their lengths");
    KnownSolver(TieRule::SHARED, {10, 10, 0}).Solve(problem, times);
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(times, Numbers{4, 4, 0}), "", "what is needed");
}

enum class Kind : uint8_t
{
    PLAIN,      ///< all ports differ
    TIED,       ///< few distinct rates
    SPARSE,     ///< many ports without loss or without relief
    NEARLY_ALL, ///< the pauses of all ports are barely sufficient or just insufficient
    UNITS,      ///< units of bytes and time from 1e-12 to 1e12
    PORTS,      ///< losses per byte of relief differ by factors up to 1e12
};

constexpr auto KINDS =
    {Kind::PLAIN, Kind::TIED, Kind::SPARSE, Kind::NEARLY_ALL, Kind::UNITS, Kind::PORTS};

double
Factor(std::mt19937& random, double decades)
{
    return std::pow(10, std::uniform_real_distribution(-decades, decades)(random));
}

PauseTimeProblem
Convert(PauseTimeProblem problem, double loss, double bytes, double time)
{
    for (std::size_t port = 0; port < problem.loss.size(); ++port)
    {
        problem.loss[port] *= loss;
        problem.relief[port] *= bytes;
    }
    problem.need *= bytes * time;
    problem.longest *= time;
    return problem;
}

PauseTimeProblem
MakeRandom(std::mt19937& random, Kind kind)
{
    std::uniform_real_distribution share(0.0, 1.0);
    const std::size_t most = std::size_t{1} << random() % 8;
    const std::size_t ports = 1 + random() % most;
    PauseTimeProblem problem;
    problem.longest = 0.1 + 10 * share(random);
    for (std::size_t port = 0; port < ports; ++port)
    {
        double loss = share(random);
        double relief = 0.01 + share(random);
        if (kind == Kind::TIED)
        {
            loss = random() % 3;
            relief = 1 + random() % 3;
        }
        else if (kind == Kind::SPARSE)
        {
            loss *= random() % 2;
            relief *= random() % 2;
        }
        else if (kind == Kind::PORTS)
        {
            loss = Factor(random, 3);
            relief = Factor(random, 3);
        }
        problem.loss.push_back(loss);
        problem.relief.push_back(relief);
        problem.length.push_back(random() % 4);
    }
    const double all = problem.GetRelief(Numbers(ports, problem.longest));
    const double nearlyAll = 1 + (static_cast<int>(random() % 9) - 6) * 1e-16 *
                                     (random() % 2 == 0 ? 1 : 1e15 * share(random));
    problem.need = all * (kind == Kind::NEARLY_ALL ? nearlyAll : share(random));
    if (kind == Kind::UNITS)
    {
        return Convert(std::move(problem),
                       Factor(random, 12),
                       Factor(random, 12),
                       Factor(random, 12));
    }
    return problem;
}

/// @return the largest loss per byte of relief among the pausing ports
double
GetMarginalRatio(const PauseTimeProblem& problem, const Numbers& times)
{
    double ratio = 0;
    for (std::size_t port = 0; port < times.size(); ++port)
    {
        if (times[port] > 0)
        {
            ratio = std::max(ratio, problem.loss[port] / problem.relief[port]);
        }
    }
    return ratio;
}

/// @return the value of the dual program, which is a lower bound on the cost for any price
/// @param price the price per byte of relief, not negative
double
GetLowerBound(const PauseTimeProblem& problem, double price)
{
    long double bound = static_cast<long double>(price) * problem.need;
    for (std::size_t port = 0; port < problem.loss.size(); ++port)
    {
        const long double gain =
            static_cast<long double>(price) * problem.relief[port] - problem.loss[port];
        bound -= std::max(0.0L, gain) * problem.longest;
    }
    return static_cast<double>(bound);
}

/// @return the largest cost of a single port, in bytes, if it pauses for the maximum time or until
/// its relief alone is sufficient
double
GetGreatestCost(const PauseTimeProblem& problem)
{
    double greatest = 0;
    for (std::size_t port = 0; port < problem.loss.size(); ++port)
    {
        if (problem.relief[port] > 0)
        {
            const double enough = std::max(0.0, problem.need) / problem.relief[port];
            greatest = std::max(greatest, problem.loss[port] * std::min(problem.longest, enough));
        }
    }
    return greatest;
}

/// Checks that the times are within their bounds and provide exactly the required relief or, if
/// that is impossible, are the maximum.
void
CheckFeasible(const PauseTimeProblem& problem, const Numbers& times, double tolerance)
{
    NS_TEST_ASSERT_MSG_EQ(times.size(), problem.relief.size(), "ports");
    const bool isFeasible = problem.IsFeasible();
    for (std::size_t port = 0; port < times.size(); ++port)
    {
        NS_TEST_EXPECT_MSG_EQ((times[port] >= 0 && times[port] <= problem.longest), true, port);
        if (problem.relief[port] == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(times[port], 0, port << " brings nothing");
        }
        else if (!isFeasible)
        {
            NS_TEST_EXPECT_MSG_EQ(times[port], problem.longest, port << " of all");
        }
    }
    if (isFeasible && problem.need > 0)
    {
        const double relief = problem.GetRelief(times) / problem.need;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(relief, 1 - tolerance, "enough");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(relief, 1 + tolerance, "no more than enough");
    }
}

constexpr uint32_t PROBLEMS = 2000;

LOSSLESS_TEST(g_suite, "no pause times cost less than the greedy ones")
{
    for (const Kind kind : KINDS)
    {
        std::mt19937 random(1);
        for (uint32_t i = 0; i < PROBLEMS; ++i)
        {
            const PauseTimeProblem problem = MakeRandom(random, kind);
            const Numbers times =
                Solve(problem, "Greedy", i % 2 == 0 ? TieRule::SHARED : TieRule::LONGEST_FIRST);
            CheckFeasible(problem, times, 1e-12);
            if (problem.IsFeasible())
            {
                const double price = GetMarginalRatio(problem, times);
                const double cost = GetCost(problem, times);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(cost,
                                            GetLowerBound(problem, price) + 1e-9 * cost +
                                                1e-12 * price * problem.need,
                                            kind << ", problem " << i);
            }
        }
    }
}

/// Checks that a solver finds the same optimum as the greedy solver.
void
CompareWithGreedy(const std::string& name)
{
    for (const Kind kind : KINDS)
    {
        std::mt19937 random(2);
        for (uint32_t i = 0; i < PROBLEMS; ++i)
        {
            const PauseTimeProblem problem = MakeRandom(random, kind);
            const auto rule = i % 2 == 0 ? TieRule::SHARED : TieRule::LONGEST_FIRST;
            const Numbers expected = Solve(problem, "Greedy", rule);
            const Numbers times = Solve(problem, name, rule);
            CheckFeasible(problem, times, 1e-7);
            const double cost = GetCost(problem, expected);
            // The accuracy of a simplex solver depends on the largest cost. In addition, GLPK
            // ignores ports that provide less than 1e-8 of the need.
            const double price = GetMarginalRatio(problem, expected);
            const double tolerance = 1e-7 * cost + 1e-12 * GetGreatestCost(problem) +
                                     1e-8 * price * std::max(0.0, problem.need);
            NS_TEST_ASSERT_MSG_EQ_TOL(GetCost(problem, times),
                                      cost,
                                      tolerance,
                                      name << " of " << kind << ", problem " << i);
            for (std::size_t port = 0; kind != Kind::PORTS && port < times.size(); ++port)
            {
                NS_TEST_ASSERT_MSG_EQ_TOL(times[port],
                                          expected[port],
                                          1e-7 * problem.longest,
                                          name << " of " << kind << ", problem " << i);
            }
        }
    }
}

LOSSLESS_TESTS(g_suite)
{
    g_suite.Add("all solvers find the same optimum", [] {
        for (const std::string& name : GetNames())
        {
            if (name != "Greedy")
            {
                CompareWithGreedy(name);
            }
        }
    });
    if (GetNames().size() == 1)
    {
        g_suite.Add("without GLPK there is no other solver to compare Greedy with",
                    [] { NS_TEST_EXPECT_MSG_EQ(ListPauseTimeSolvers(), "Greedy", "alone"); });
    }
}

LOSSLESS_TEST(g_suite, "neither the ports' numbers nor the units matter")
{
    for (const std::string& name : GetNames())
    {
        for (const auto rule : {TieRule::SHARED, TieRule::LONGEST_FIRST})
        {
            std::mt19937 random(3);
            for (uint32_t i = 0; i < PROBLEMS / 4; ++i)
            {
                // The kinds UNITS and PORTS are not used here.
                const auto kind = std::vector<Kind>(KINDS)[i % 4];
                const PauseTimeProblem problem = MakeRandom(random, kind);
                const Numbers times = Solve(problem, name, rule);
                std::vector<std::size_t> order(times.size());
                std::iota(order.begin(), order.end(), 0);
                std::shuffle(order.begin(), order.end(), random);
                PauseTimeProblem shuffled = problem;
                for (std::size_t port = 0; port < order.size(); ++port)
                {
                    shuffled.loss[port] = problem.loss[order[port]];
                    shuffled.relief[port] = problem.relief[order[port]];
                    shuffled.length[port] = problem.length[order[port]];
                }
                const Numbers shuffledTimes = Solve(shuffled, name, rule);
                const double unit = Factor(random, 12);
                const Numbers converted =
                    Solve(Convert(problem, Factor(random, 12), Factor(random, 12), unit),
                          name,
                          rule);
                const double tolerance = 1e-9 * problem.longest;
                for (std::size_t port = 0; port < order.size(); ++port)
                {
                    NS_TEST_ASSERT_MSG_EQ_TOL(shuffledTimes[port],
                                              times[order[port]],
                                              tolerance,
                                              name << ", problem " << i << " shuffled");
                    NS_TEST_ASSERT_MSG_EQ_TOL(converted[port] / unit,
                                              times[port],
                                              tolerance,
                                              name << ", problem " << i << " converted");
                }
            }
        }
    }
}

LOSSLESS_TEST(g_suite, "rates that have faded away to nothing do no harm")
{
    for (const std::string& name : GetNames())
    {
        std::mt19937 random(4);
        for (uint32_t i = 0; i < 5 * PROBLEMS; ++i)
        {
            PauseTimeProblem problem = MakeRandom(random, Kind::PORTS);
            for (double& relief : problem.relief)
            {
                relief *= Factor(random, 3 + i % 20) * (random() % 2 == 0 ? 1 : 1e-13);
            }
            problem.need = problem.GetRelief(Numbers(problem.relief.size(), problem.longest));
            problem.need *= i % 3 != 0 ? 1 - 1e-7 * (random() % 3) : Factor(random, 40);
            CheckFeasible(problem, Solve(problem, name), 1e-7);
        }
    }
}

LOSSLESS_TEST(g_suite, "a solver remembers nothing of the problem before")
{
    for (const std::string& name : GetNames())
    {
        const auto solver = MakePauseTimeSolver(name, TieRule::SHARED);
        std::mt19937 random(5);
        for (uint32_t i = 0; i < 200; ++i)
        {
            const PauseTimeProblem problem = MakeRandom(random, Kind::SPARSE);
            Numbers times;
            solver->Solve(problem, times);
            NS_TEST_ASSERT_MSG_EQ(FirstDifference(times, Solve(problem, name)), "", name);
        }
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
