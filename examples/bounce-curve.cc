// SPDX-License-Identifier: GPL-2.0-only
//
// The probability that PABO sends a frame back, as a function of queue utilization (PABO, Fig. 3).
//
//   bounce-curve --theta=0.5 --lambda=5 --bounces=1 --output=results/curve

#include "ns3/bounce-probability.h"
#include "ns3/core-module.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/lossless-experiment.h"

#include <cmath>
#include <iostream>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

struct Curve
{
    double theta{0.5};
    double lambda{5};
    uint32_t bounces{0}; ///< number of times the frame has been sent back
    double step{0.01};   ///< step of the utilization

    ResultTable GetTable() const
    {
        auto table = ResultTable::WithHeader("theta,lambda,bounces,utilization,probability");
        const auto steps = std::lround(1 / step);
        for (long i = 0; i <= steps; ++i)
        {
            const double utilization = static_cast<double>(i) / static_cast<double>(steps);
            table.rows.push_back({theta,
                                  lambda,
                                  bounces,
                                  utilization,
                                  GetBounceProbability(utilization, bounces, theta, lambda)});
        }
        return table;
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "The probability with which PABO sends a frame back (PABO, Fig. 3).",
                          "PABO");
    Curve curve;
    experiment.AddValue("theta", "Threshold of the utilization.", curve.theta, Range{0, 1});
    experiment.AddValue("lambda", "Decay constant.", curve.lambda, Range{0});
    experiment.AddValue("bounces",
                        "How often the frame has been sent back.",
                        curve.bounces,
                        Range{0, 1000000});
    experiment.AddValue("step", "Increment of the utilization.", curve.step, Range{0.0001, 1});
    experiment.WithdrawRunOptions(false);
    experiment.Parse(argc, argv);

    experiment.GetResults().AddTable("probability", [&] { return curve.GetTable(); });
    // Nothing was simulated, so there is no run to judge.
    const int status = experiment.FinishUnjudged();
    WriteCsv(std::cout, curve.GetTable());
    return status;
}
