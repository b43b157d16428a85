// SPDX-License-Identifier: GPL-2.0-only

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "star-run.h"

#include "ns3/congestion-control-info.h"
#include "ns3/named-choices.h"

#include <cmath>

// Congestion controls in the long run, against what their papers derive: flows without end share
// one link, whose queue and utilisation are those of the formulas.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-congestion-equilibrium", SYSTEM);

constexpr double PAYLOAD = 1000;         ///< of a packet, bytes
constexpr double FRAME = 1058;           ///< as it waits in a queue, bytes
constexpr double TELEMETRY_FRAME = 1100; ///< with telemetry
constexpr double OVERHEAD = 24;          ///< on the wire, besides
constexpr double LINE = 100e9 / 8;       ///< bytes per second, where nothing else is said

/// @param share 0 to 1 @return that share of the time the queue was no longer than this, bytes
double
GetQuantile(const StarOutcome& outcome, double share)
{
    std::vector<uint64_t> sorted = outcome.queue;
    std::sort(sorted.begin(), sorted.end());
    const auto last = static_cast<double>(sorted.size() - 1);
    return static_cast<double>(sorted[static_cast<std::size_t>(share * last)]);
}

/// DCQCN at its fixed point (Zhu et al., "ECN or Delay", CoNEXT 2016, Sec. 3.1, Theorem 1), with
/// the constants of its paper, at 40 Gb/s.
///
/// Each of N flows sends R = C / N packets per second, of which RED marks the share p. Alpha is
/// updated each tau', the rate rises in steps, each T and each B packets. While p is small,
///
///     alpha = p R tau'                   share of the periods in which a notification comes
///     p R cuts a second                  lower R by R alpha / 2, and RT to R
///     S = 1 / T + R / B steps a second   raise R by (RT - R) / 2, and RT by R_AI
///
/// RT stays if p R (RT - R) = S R_AI, and R if p R (R alpha) = S (RT - R). So
///
///     p^3 = R_AI S^2 / (tau' R^4) = R_AI N^2 / (tau' C^2) (1 / B + N / (T C))^2
///
/// and RED turns p into the queue Kmin + p / Pmax (Kmax - Kmin): 25 and 54 kB for two and four
/// flows with our packets, 23 and 50 kB with the source's of 1000 B.
///
/// Tolerance 15 %: so noisy a queue has a mean over 70 ms that is known to 5 % (standard error,
/// from means over 10 ms), and the powers of p that are left out would take 12 % and 17 % off. As p
/// is a cube root, half or double a constant moves it by 21 % to 59 %.
void
CheckDcqcn(uint32_t flows)
{
    const auto dcqcn = FindPart<CongestionControlInfo>("DCQCN");
    const auto paper = FindByName(dcqcn->constants, "paper");
    for (const auto& [attribute, value] : paper->values)
    {
        Config::SetDefault(attribute, StringValue(value));
    }
    StarRun run{dcqcn->type, dcqcn->marker, flows, "40Gbps"};
    run.from = MilliSeconds(30);
    run.until = MilliSeconds(100);
    const StarOutcome outcome = StarRunner(run).Run();

    const double capacity = 40e9 / 8 / (FRAME + OVERHEAD);
    const double additive = 40e6 / 8 / (FRAME + OVERHEAD);
    const double period = 55e-6; // T, and tau'
    const double steps = FRAME / 10e6 + flows / (period * capacity);
    const double p = std::cbrt(additive / period * std::pow(flows * steps / capacity, 2));
    const double queue = 5e3 + p / 0.01 * (200e3 - 5e3);
    NS_TEST_EXPECT_MSG_EQ_TOL(outcome.GetMeanQueue(), queue, 0.15 * queue, "mean queue");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.99, "utilisation");
    NS_TEST_EXPECT_MSG_GT(outcome.jain, 0.98, "equal shares");
}

/// HPCC's target (Li et al., SIGCOMM 2019, Sec. 3.2 and 3.3, Algorithm 1).
///
/// Once U is above eta, W = Wc eta / U + W_AI, and it stays if U - eta = U W_AI / W. N equal
/// windows of together U B T give U = eta + N W_AI / (B T): 0.95 of the link, and the additive
/// steps. U counts what is sent and what waits, so that the link sends U minus the queue's share of
/// B T, which is that of the packets of several flows that happen to come together: at most one of
/// each flow.
///
/// Tolerance: the utilisation may be anywhere between U and U minus the share of the mean queue; of
/// two queues the rule takes the smaller one, which is not recorded. 0.001 for the windows, which
/// are whole numbers of packets over the measured millisecond.
/// @param step W_AI / T, a share of the line rate
void
CheckHpcc(uint32_t flows, double step)
{
    const std::string attribute = std::to_string(std::llround(step * 1e11)) + "bps";
    StarRun run{"ns3::lossless::Hpcc[AdditiveStep=" + attribute + "]",
                "ns3::lossless::EcnMarker",
                flows};
    run.from = MilliSeconds(2);
    run.until = MilliSeconds(3);
    run.knowsBaseRtt = true;
    const StarOutcome outcome = StarRunner(run).Run();

    const double inflight = 0.95 + flows * step;
    const double waiting = std::max(outcome.GetMeanQueue() - TELEMETRY_FRAME, 0.0); // one is sent
    const double share = waiting / (LINE * outcome.baseRtt.GetSeconds());
    NS_TEST_EXPECT_MSG_LT(outcome.utilisation, inflight + 0.001, "no more than U");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, inflight - share - 0.001, "but for the queue, U");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.GetMaxQueue(), flows * TELEMETRY_FRAME, "a packet each");
    NS_TEST_EXPECT_MSG_GT(outcome.jain, 0.95, "equal shares");
}

/// DCTCP's sawtooth (Alizadeh et al., SIGCOMM 2010, Sec. 3.3).
///
/// N flows in step add a packet per round trip each, until at W* = (C RTT + K) / N packets the
/// queue is at K; one round trip later it is at Qmax = K + N, and all cut by alpha / 2. The share
/// of marked round trips is alpha = sqrt(2 / W*) for large W*, so a window loses D = W* alpha / 2,
/// and the queue
///
///     A = N D = 1/2 sqrt(2 N (C RTT + K))
///
/// Tolerance three packets: a packet of each of two flows, which is what Qmax is known to, and one
/// that is being sent. More flows are not quite in step (nor in the paper, Fig. 12, for N = 40),
/// and seldom all cut twice; so the lower end is what the queue is above in 95 % of the time.
/// @param threshold K, bytes
void
CheckDctcp(uint32_t flows, uint32_t threshold)
{
    StarRun run{"ns3::lossless::Dctcp[AdditiveStep=977Mbps]", // PAYLOAD in a round trip of 8.19 us
                "ns3::lossless::StepMarker[Threshold=" + std::to_string(threshold) + "]",
                flows};
    run.from = MilliSeconds(1);
    run.until = MilliSeconds(3);
    run.knowsBaseRtt = true;
    const StarOutcome outcome = StarRunner(run).Run();

    const double product = LINE * outcome.baseRtt.GetSeconds() / (FRAME + OVERHEAD);
    const double highest = threshold / FRAME + flows;
    const double amplitude = std::sqrt(2 * flows * (product + threshold / FRAME)) / 2;
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(outcome, 1) / FRAME, highest, 3, "longest queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(outcome, 0.05) / FRAME,
                              highest - amplitude,
                              3,
                              "shortest queue");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.998, "the link never idles");
    NS_TEST_EXPECT_MSG_GT(outcome.jain, 0.95, "equal shares");
}

/// Round trips of TIMELY's paper, at 10 Gb/s.
constexpr double LOW_THRESHOLD = 50e-6;
constexpr double RATE_10G = 10e9 / 8; ///< bytes per second

/// @param minRtt by which TIMELY divides differences, us
StarOutcome
RunTimely(uint32_t flows, uint32_t minRtt)
{
    StarRun run{"ns3::lossless::Timely[LowCounts=false|MinRtt=" + std::to_string(minRtt) + "us]",
                "ns3::lossless::EcnMarker",
                flows,
                "10Gbps"};
    run.from = MilliSeconds(20);
    run.until = MilliSeconds(40);
    return StarRunner(run).Run();
}

/// @param rtt a round trip at 10 Gb/s, s
/// @return the queue that makes it, bytes; without queue it takes four cables of 2 us, and a packet
/// and an answer of 64 B over two links
double
GetQueue(double rtt)
{
    const double wires = 2 * (FRAME + OVERHEAD + 64 + OVERHEAD) / RATE_10G;
    return (rtt - 4 * 2e-6 - wires) * RATE_10G;
}

/// TIMELY's band with the constants of its paper (Mittal et al., SIGCOMM 2015, Algorithm 1): any
/// queue between the thresholds is possible ("ECN or Delay", Sec. 4), and which one it is
/// depends on where the rates come from. N flows at C (1 + e) together let round trips grow by e
/// of themselves in each, up to LowThreshold with N delta / C more each time:
///
///     dtheta / dt = e,  de / dt = N delta / (C theta)  =>  e^2 = 2 N delta / C ln(theta / theta0)
///
/// from an empty queue, theta0, on. Above it, the gradient e theta / MinRtt takes beta of itself
/// off a rate. It is measured on packets that left a round trip ago, so that it happens twice: e
/// becomes e (1 - 2 beta LowThreshold / MinRtt) = -3 e. Each swing is thus larger than the one
/// before until the queue runs dry, from which the next begins, and the longest round trip is
/// LowThreshold (1 + e) to LowThreshold (1 + e)^2, by how many round trips it takes until all flows
/// have reacted. That argument is the tolerance, and a packet.
void
CheckTimelyBand(uint32_t flows)
{
    const StarOutcome outcome = RunTimely(flows, 20);
    const double empty = LOW_THRESHOLD - GetQueue(LOW_THRESHOLD) / RATE_10G;
    const double excess = std::sqrt(2 * flows * 10e6 / 10e9 * std::log(LOW_THRESHOLD / empty));
    const double once = GetQueue(LOW_THRESHOLD * (1 + excess));
    const double twice = GetQueue(LOW_THRESHOLD * std::pow(1 + excess, 2));
    const auto longest = static_cast<double>(outcome.GetMaxQueue());
    NS_TEST_EXPECT_MSG_GT(longest, once - FRAME, "after a round trip");
    NS_TEST_EXPECT_MSG_LT(longest, twice + FRAME, "after two");
    NS_TEST_EXPECT_MSG_LT(outcome.GetMinQueue(), 2 * FRAME, "from an empty queue on");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.85, "it is empty for a short time");
}

/// The same with MinRtt = LowThreshold: e (1 - 2 beta) = -0.6 e, swings die out, and round trips
/// stay at LowThreshold. Tolerance six packets: one packet more or less in a round trip is a
/// gradient of 0.017, which takes 1.4 % off the rate; two flows make up for it in 7 round trips, in
/// which the queue loses 0.014^2 / (2 x 0.002) of a round trip, three packets.
void
CheckTimelySteady(uint32_t flows)
{
    const StarOutcome outcome = RunTimely(flows, 50);
    const double queue = GetQueue(LOW_THRESHOLD);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(outcome, 0), queue, 6 * FRAME, "shortest queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(outcome, 1), queue, 6 * FRAME, "longest queue");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.998, "utilisation");
}

/// PowerTCP's equilibrium (Addanki et al., NSDI 2022, Theorem 1, App. A): W = gamma (W eta / P +
/// beta) + (1 - gamma) W stays if W (1 - eta / P) = beta. Where the queue q stays, the current is
/// that of the link, and P = 1 + q / (B T). With x = N beta / (B T), all windows together are
/// x B T P / (P - eta). What they let through is B, by what binds first:
///
///     the pace W / T:                P = eta / (1 - x)
///     the window, B T + q in flight: P = eta + x      =>  q = N beta - (1 - eta) B T
///
/// The second is the paper's, q = N beta for eta = 1. Windows count payload, of which a byte is
/// 1.124 bytes on the wire: x is larger by that there.
///
/// Tolerance: a twentieth and half a packet, for the packets of several flows that come together
/// and the telemetry's units.
/// @param step beta / T, a share of the line rate
void
CheckPowerTcp(uint32_t flows, double step, double target, const std::string& constants)
{
    StarRun run{"ns3::lossless::PowerTcp[Target=" + std::to_string(target) + "|AdditiveStep=" +
                    std::to_string(std::llround(step * 1e11)) + "bps" + constants + "]",
                "ns3::lossless::EcnMarker",
                flows};
    run.from = MilliSeconds(2);
    run.until = MilliSeconds(3);
    run.knowsBaseRtt = true;
    const StarOutcome outcome = StarRunner(run).Run();

    const double added = flows * step;
    const double wire = (TELEMETRY_FRAME + OVERHEAD) / PAYLOAD;
    const double power = std::min(target / (1 - added), target + wire * added);
    const double queue = (power - 1) * LINE * outcome.baseRtt.GetSeconds() + TELEMETRY_FRAME;
    NS_TEST_EXPECT_MSG_EQ_TOL(outcome.GetMeanQueue(),
                              queue,
                              0.05 * queue + TELEMETRY_FRAME / 2,
                              "mean queue, with the packet that is being sent");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.998, "utilisation");
    NS_TEST_EXPECT_MSG_GT(outcome.jain, 0.95, "equal shares");
}

/// PowerTCP reacts within a round trip, and forgets a disturbance by e for each update interval
/// over gamma (its Theorem 2): 99 % in five. A second flow joins at line rate: all that it sends in
/// the round trip T until it hears of it is too much, a product B T; p, smoothed over T, may take
/// as long again. An update interval is a round trip, at most 2 T with such a queue: after 10 T the
/// queue is within a tenth of B T of its equilibrium. The paper's e^-5 would be a hundredth, of a
/// fluid; here a flow whose window shrinks stops until what is too much has arrived, and the queue
/// swings three times.
void
CheckPowerTcpJoins()
{
    StarRun run{"ns3::lossless::PowerTcp[Target=1|AdditiveStep=1Gbps]", "ns3::lossless::EcnMarker"};
    run.lastStart = run.from = MilliSeconds(1);
    run.until = run.from + MicroSeconds(300);
    run.knowsBaseRtt = true;
    const StarOutcome outcome = StarRunner(run).Run();

    const double product = LINE * outcome.baseRtt.GetSeconds();
    const auto longest = static_cast<double>(outcome.GetMaxQueue());
    NS_TEST_EXPECT_MSG_GT(longest, product, "what it sends in a round trip");
    NS_TEST_EXPECT_MSG_LT(longest, 1.25 * product, "it reacts to the first news");
    const auto peak = std::max_element(outcome.queue.begin(), outcome.queue.end());
    const int64_t settling = 10 * outcome.baseRtt.GetMicroSeconds();
    const double settled =
        static_cast<double>(*std::max_element(peak + settling, outcome.queue.end()));
    const double equilibrium = 0.02 / 0.98 * product + TELEMETRY_FRAME; // see CheckPowerTcp()
    NS_TEST_EXPECT_MSG_LT(settled, equilibrium + 0.1 * product, "after ten base round trips");
}

LOSSLESS_TESTS(g_suite)
{
    for (const uint32_t flows : {2, 4})
    {
        g_suite.Add("DCQCN at its fixed point with " + std::to_string(flows) + " flows",
                    [flows] { CheckDcqcn(flows); });
    }
    for (const auto& [flows, step] : {std::pair(1U, 0.0004),
                                      {2U, 0.0004},
                                      {16U, 0.0004},
                                      {2U, 0.005},
                                      {4U, 0.005},
                                      {8U, 0.005}})
    {
        g_suite.Add("HPCC at its target with " + std::to_string(flows) + " flows and steps of " +
                        std::to_string(step),
                    [flows = flows, step = step] { CheckHpcc(flows, step); });
    }
    for (const auto& [flows, threshold] :
         {std::pair(2U, 60000U), {2U, 100000U}, {4U, 100000U}, {16U, 100000U}})
    {
        g_suite.Add("DCTCP as a sawtooth with " + std::to_string(flows) + " flows below " +
                        std::to_string(threshold) + " B",
                    [flows = flows, threshold = threshold] { CheckDctcp(flows, threshold); });
    }
    for (const uint32_t flows : {2, 4, 8})
    {
        g_suite.Add("TIMELY in its band with " + std::to_string(flows) + " flows",
                    [flows] { CheckTimelyBand(flows); });
    }
    for (const uint32_t flows : {2, 8})
    {
        g_suite.Add("TIMELY without swings with " + std::to_string(flows) + " flows",
                    [flows] { CheckTimelySteady(flows); });
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const std::string constants : {"", "|OldOncePerRound=true"})
    {
        const std::string kind = constants.empty() ? "" : " and an old window once per round trip";
        g_suite.Add("PowerTCP at its equilibrium with 8 flows" + kind, [constants] {
            const Ns3Simulator chosen(Ns3Only::PHASES);
            CheckPowerTcp(8, 0.02, 1, constants);
        });
        g_suite.Add("PowerTCP at its equilibrium with 16 flows" + kind,
                    [constants] { CheckPowerTcp(16, 0.006, 0.95, constants); });
    }
    g_suite.Add("PowerTCP when a flow joins", CheckPowerTcpJoins);
}

} // namespace ns3::lossless::tests::THIS_FILE
