// SPDX-License-Identifier: GPL-2.0-only

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "star-run.h"

#include "ns3/congestion-control-info.h"
#include "ns3/named-choices.h"

// Compares the long-term behaviour of congestion control algorithms with the formulas in their
// papers. Long-running flows share a link, whose queue and utilization must match the formulas.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-congestion-equilibrium", SYSTEM);

constexpr double PAYLOAD = 1000;         ///< payload of a packet, in bytes
constexpr double FRAME = 1058;           ///< size of a frame in a queue, in bytes
constexpr double TELEMETRY_FRAME = 1100; ///< size of a frame with telemetry, in bytes
constexpr double OVERHEAD = 24;          ///< number of additional bytes of a frame on the wire
constexpr double LINE = 100e9 / 8;       ///< rate of a link, in bytes per second

/// @return the queue length that was not exceeded during this share of the time, in bytes
double
GetQuantile(const StarOutcome& outcome, double share)
{
    std::vector<uint64_t> sorted = outcome.queue;
    std::sort(sorted.begin(), sorted.end());
    const auto last = static_cast<double>(sorted.size() - 1);
    return static_cast<double>(sorted[static_cast<std::size_t>(share * last)]);
}

/// Checks DCQCN at its fixed point (Zhu et al., "ECN or Delay", CoNEXT 2016, Sec. 3.1, Theorem 1),
/// with the constants of its paper, at 40 Gb/s.
///
/// Each of N flows sends R = C / N packets per second, and RED marks a share p of them. Alpha is
/// updated every tau'; the rate R and its target RT increase in steps, every T and every B packets.
/// While p is small,
///
///     alpha = p R tau'                  is the share of periods with a notification,
///     p R cuts per second               lower R by R alpha / 2, and RT to R,
///     S = 1 / T + R / B steps a second  raise R by (RT - R) / 2, and RT by R_AI.
///
/// RT is constant if p R (RT - R) = S R_AI, and R is constant if p R (R alpha) = S (RT - R). So
///
///     p^3 = R_AI S^2 / (tau' R^4) = R_AI N^2 / (tau' C^2) (1 / B + N / (T C))^2
///
/// and RED maps p to the queue Kmin + p / Pmax (Kmax - Kmin). For two and four flows, the queue
/// holds 25 and 54 kB with the packets of this module, and 23 and 50 kB with the paper's packets of
/// 1000 B.
///
/// The tolerance is 15 %. The queue is so noisy that its mean over 70 ms has a standard error of
/// 5 % (from means over 10 ms), and the neglected powers of p would reduce it by 12 % for two flows
/// and 17 % for four. Because p is a cube root, halving or doubling a constant changes it by 21 %
/// to 59 %.
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
    const double period = 55e-6; // T and tau'
    const double steps = FRAME / 10e6 + flows / (period * capacity);
    const double p = std::cbrt(additive / period * std::pow(flows * steps / capacity, 2));
    const double queue = 5e3 + p / 0.01 * (200e3 - 5e3);
    NS_TEST_EXPECT_MSG_EQ_TOL(outcome.GetMeanQueue(), queue, 0.15 * queue, "mean queue");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.99, "utilisation");
    NS_TEST_EXPECT_MSG_GT(outcome.jain, 0.98, "equal shares");
}

/// Checks HPCC's target (Li et al., SIGCOMM 2019, Sec. 3.2 and 3.3, Algorithm 1).
///
/// Once U, the normalized number of bytes in flight, exceeds eta, the window is
/// W = Wc eta / U + W_AI, which is constant if U - eta = U W_AI / W. N equal windows with the sum U
/// B T, where B is the bandwidth and T the base RTT, give U = eta + N W_AI / (B T), which is 0.95
/// of the link plus the additive steps. U includes both the transmitted and the queued bytes, so
/// the link transmits U minus the queue's share of B T. The queue consists of packets of several
/// flows that happen to arrive together, at most one per flow.
///
/// The tolerance covers any utilization between U and U minus the share of the mean queue, because
/// the rule uses the smaller of two queue lengths, which is not recorded. Another 0.001 allows for
/// windows that are whole numbers of packets and for the measurement time of only one millisecond.
/// @param step W_AI / T, as a share of the line rate
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
    // One packet is in transmission.
    const double waiting = std::max(outcome.GetMeanQueue() - TELEMETRY_FRAME, 0.0);
    const double share = waiting / (LINE * outcome.baseRtt.GetSeconds());
    NS_TEST_EXPECT_MSG_LT(outcome.utilisation, inflight + 0.001, "no more than U");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, inflight - share - 0.001, "but for the queue, U");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(outcome.GetMaxQueue(), flows * TELEMETRY_FRAME, "a packet each");
    NS_TEST_EXPECT_MSG_GT(outcome.jain, 0.95, "equal shares");
}

/// Checks DCTCP's sawtooth (Alizadeh et al., SIGCOMM 2010, Sec. 3.3).
///
/// N synchronized flows each add a packet per round trip until, at W* = (C RTT + K) / N packets,
/// the queue reaches K. One round trip later, it is Qmax = K + N, and all flows reduce their
/// windows by alpha / 2. The share of marked round trips is alpha = sqrt(2 / W*) for large W*, so a
/// window loses D = W* alpha / 2, and the amplitude of the queue is
///
///     A = N D = 1/2 sqrt(2 N (C RTT + K))
///
/// The tolerance is three packets: one packet of each of two flows, which is the accuracy of Qmax,
/// and one in transmission. More flows are not fully synchronized (nor are they in the paper,
/// Fig. 12, for N = 40), and in rare cases all of them cut twice. The lower bound therefore applies
/// to the queue length that is exceeded during 95 % of the time.
void
CheckDctcp(uint32_t flows, uint32_t threshold)
{
    // The additive step is PAYLOAD per round trip of 8.19 us.
    StarRun run{"ns3::lossless::Dctcp[AdditiveStep=977Mbps]",
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

/// The lower threshold of the round-trip time in the TIMELY paper, for 10 Gb/s, in seconds.
constexpr double LOW_THRESHOLD = 50e-6;
constexpr double RATE_10G = 10e9 / 8; ///< rate in bytes per second

/// @param minRtt TIMELY's divisor of RTT differences, in us
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

/// @return the queue that causes this round trip, in bytes; without a queue, the round trip
/// consists of four cables of 2 us and the transmission of a packet and an acknowledgement of 64 B
/// over two links
double
GetQueue(double rtt)
{
    const double wires = 2 * (FRAME + OVERHEAD + 64 + OVERHEAD) / RATE_10G;
    return (rtt - 4 * 2e-6 - wires) * RATE_10G;
}

/// Checks TIMELY's band with the constants of its paper (Mittal et al., SIGCOMM 2015, Algorithm 1).
/// Any queue between the thresholds is possible ("ECN or Delay", Sec. 4), and the actual one
/// depends on the previous rates. When N flows send at C (1 + e) in total, the round-trip time
/// theta grows by the factor 1 + e per round trip, and below LowThreshold, e increases by
/// N delta / C per round trip. Starting from theta0, the round-trip time with an empty queue,
///
///     dtheta / dt = e,  de / dt = N delta / (C theta)  =>  e^2 = 2 N delta / C ln(theta / theta0)
///
/// Above LowThreshold, each update reduces the rate by a fraction of beta times the gradient, which
/// is e theta / MinRtt. The gradient is measured on packets that left a round trip ago, so the rate
/// is reduced twice, and e becomes e (1 - 2 beta LowThreshold / MinRtt) = -3 e. Each swing is thus
/// larger than the previous one until the queue is empty, and the next swing starts from there. The
/// longest round-trip time is LowThreshold (1 + e) to LowThreshold (1 + e)^2, depending on the
/// number of round trips until all flows have reacted. This range, plus a packet, is the tolerance.
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

/// With MinRtt = LowThreshold, e becomes e (1 - 2 beta) = -0.6 e, so swings decay and the
/// round-trip time remains at LowThreshold. The tolerance is six packets. If the round trip grows
/// by one packet, the gradient is 0.017, which reduces the rate by 1.4 %. Two flows recover in 7
/// round trips. During these, the queue loses 0.014^2 / (2 x 0.002) of a round trip, or three
/// packets.
void
CheckTimelySteady(uint32_t flows)
{
    const StarOutcome outcome = RunTimely(flows, 50);
    const double queue = GetQueue(LOW_THRESHOLD);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(outcome, 0), queue, 6 * FRAME, "shortest queue");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(outcome, 1), queue, 6 * FRAME, "longest queue");
    NS_TEST_EXPECT_MSG_GT(outcome.utilisation, 0.998, "utilisation");
}

/// Checks PowerTCP's equilibrium (Addanki et al., NSDI 2022, Theorem 1, App. A). The window W =
/// gamma (W eta / P + beta) + (1 - gamma) W is constant if W (1 - eta / P) = beta. With a constant
/// queue q, the current is the link's bandwidth B, and the normalized power is P = 1 + q / (B T).
/// With x = N beta / (B T), the sum of all windows is x B T P / (P - eta). This sum allows the
/// throughput B. Either of two limits can be reached first:
///
///     the pace W / T:                P = eta / (1 - x)
///     the window, B T + q in flight: P = eta + x  =>  q = N beta - (1 - eta) B T
///
/// The second limit is the paper's (q = N beta for eta = 1). Here, x in this limit is multiplied by
/// 1.124: windows count payload, and a byte of payload takes 1.124 bytes on the wire.
///
/// The tolerance is 5 % plus half a packet, for packets of several flows that arrive together and
/// for the units of the telemetry.
/// @param step beta / T, as a share of the line rate
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

/// PowerTCP reacts within a round trip. A disturbance decays by a factor of e per update interval
/// divided by gamma (Theorem 2 of the paper), so 99 % of it disappears in five such periods. A
/// second flow joins at line rate. All data that it sends during the round trip T before its first
/// feedback is excess, which is one bandwidth-delay product B T. The smoothing of p over T can
/// delay the reaction by another T. An update interval is a round trip, at most 2 T with this
/// queue. After 10 T, the queue is thus within a tenth of B T of its equilibrium. In the paper's
/// fluid model, it would be within a hundredth (e^-5). Here, a flow whose window shrinks stops
/// until the excess has arrived, and the queue swings three times.
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
    const double equilibrium = 0.02 / 0.98 * product + TELEMETRY_FRAME; // See CheckPowerTcp().
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
