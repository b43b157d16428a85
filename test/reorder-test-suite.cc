// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/reorder-metrics.h"

#include <random>

// Compares reorder density and entropy with the examples of RFC 5236 and with numbers computed by
// hand.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-reorder", UNIT);

using Sequences = std::vector<uint64_t>;

/// The relative tolerance for sums of a few logarithms.
constexpr double TOLERANCE = 1e-12;

/// @param arrivals the sequence numbers in order of arrival, beginning with 0
/// @return the displaced frames in order of arrival, in the format "sequence:displacement"
std::string
Displace(const Sequences& arrivals, uint32_t threshold)
{
    std::ostringstream text;
    ReorderMetrics metrics(threshold, [&text](uint64_t sequence, int64_t displacement) {
        text << (text.tellp() == 0 ? "" : " ") << sequence << ':' << displacement;
    });
    for (const uint64_t sequence : arrivals)
    {
        metrics.Arrive(sequence);
    }
    metrics.Finish();
    return text.str();
}

/// Computes displacements with sequence numbers from 1, as in the RFC.
/// @return the displacements in the format of Displace()
std::string
DisplaceFromOne(Sequences arrivals, uint32_t threshold)
{
    for (uint64_t& sequence : arrivals)
    {
        --sequence;
    }
    std::istringstream fromZero(Displace(arrivals, threshold));
    std::ostringstream text;
    uint64_t sequence = 0;
    for (std::string rest; fromZero >> sequence >> rest;)
    {
        text << (text.tellp() == 0 ? "" : " ") << sequence + 1 << rest;
    }
    return text.str();
}

ReorderDensity
Measure(const Sequences& arrivals, uint32_t threshold = ReorderDensity::DEFAULT_THRESHOLD)
{
    ReorderMetrics metrics(threshold);
    for (const uint64_t sequence : arrivals)
    {
        metrics.Arrive(sequence);
    }
    return metrics.GetDensity();
}

/// Sections 3.1 and 3.3: receive index RI and displacement D = RI - sequence number.
LOSSLESS_TEST(g_suite, "Displacements and densities of RFC 5236's examples: receive index")
{
    // Example 1.  arrived  2  1  4  5  3
    //             RI       1  2  3  4  5
    //             D       -1  1 -1 -1  2
    NS_TEST_EXPECT_MSG_EQ(DisplaceFromOne({2, 1, 4, 5, 3}, 4),
                          "2:-1 1:1 4:-1 5:-1 3:2",
                          "reordered only");
    // Example 2.  arrived  1  4  3  5  3     2 is lost: the index skips it;
    //             RI       1  3  4  5  -     the second 3 gets none
    //             D        0 -1  1  0
    NS_TEST_EXPECT_MSG_EQ(DisplaceFromOne({1, 4, 3, 5, 3}, 4),
                          "1:0 4:-1 3:1 5:0",
                          "with a loss and a duplicate");
    // Example 3.  arrived  1  4  3  5  3  8  7  6
    //             RI       1  3  4  5  -  6  7  8
    //             D        0 -1  1  0    -2  0  2
    NS_TEST_EXPECT_MSG_EQ(DisplaceFromOne({1, 4, 3, 5, 3, 8, 7, 6}, 4),
                          "1:0 4:-1 3:1 5:0 8:-2 7:0 6:2",
                          "both");
}

LOSSLESS_TEST(g_suite, "RFC 5236's examples: section 5: no loss, D_T = 4")
{
    // arrived  1  4  2  5  3  6  7  8
    // RI       1  2  3  4  5  6  7  8
    // D        0 -2  1 -1  2  0  0  0      FD[0] = 4, FD[-2] = FD[-1] = FD[1] = FD[2] = 1
    NS_TEST_EXPECT_MSG_EQ(DisplaceFromOne({1, 4, 2, 5, 3, 6, 7, 8}, 4),
                          "1:0 4:-2 2:1 5:-1 3:2 6:0 7:0 8:0",
                          "displacements");
    const ReorderDensity density = Measure({0, 3, 1, 4, 2, 5, 6, 7}, 4);
    const std::map<int64_t, double> expected =
        {{-3, 0}, {-2, 0.125}, {-1, 0.125}, {0, 0.5}, {1, 0.125}, {2, 0.125}, {3, 0}};
    for (const auto& [displacement, share] : expected)
    {
        NS_TEST_EXPECT_MSG_EQ(density.GetDensity(displacement), share, "at " << displacement);
    }
    NS_TEST_EXPECT_MSG_EQ(density.GetTotal(), 8, "all of them");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(0), 4, "FD[0]");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(5), 0, "beyond the threshold");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(-5), 0, "beyond the threshold");
    NS_TEST_EXPECT_MSG_EQ(density.GetThreshold(), 4, "D_T");
}

LOSSLESS_TEST(g_suite,
              "RFC 5236's examples: section 5: a loss with D_T = 3, a duplicate with D_T = 2")
{
    // Frame 3 is lost. When 1, 2, 4 and 5 are buffered, it is considered lost, so the index
    // continues with 4, and no frame is displaced.
    NS_TEST_EXPECT_MSG_EQ(DisplaceFromOne({1, 2, 4, 5, 6, 7}, 3),
                          "1:0 2:0 4:0 5:0 6:0 7:0",
                          "loss");
    // arrived  1  3  2  3  4  5
    // RI       1  2  3  -  4  5
    // D        0 -1  1     0  0
    NS_TEST_EXPECT_MSG_EQ(DisplaceFromOne({1, 3, 2, 3, 4, 5}, 2), "1:0 3:-1 2:1 4:0 5:0", "double");
}

LOSSLESS_TEST(g_suite, "Frames beyond the displacement threshold are lost, and displace nobody")
{
    // Frame 0 is late by 4. With D_T = 4, the calculation waits for it, because it is one of the
    // first five arrivals, which are buffered. Frame 0 receives the index 4, and the frames before
    // it are early by 1.
    const Sequences late = {1, 2, 3, 4, 0, 5, 6};
    NS_TEST_EXPECT_MSG_EQ(Displace(late, 4), "1:-1 2:-1 3:-1 4:-1 0:4 5:0 6:0", "late by D_T");
    // With D_T = 3, the calculation considers frame 0 lost when 1, 2, 3 and 4 are buffered and
    // later cannot distinguish it from a duplicate.
    NS_TEST_EXPECT_MSG_EQ(Displace(late, 3), "1:0 2:0 3:0 4:0 5:0 6:0", "late by more");

    // Frame 4 is early by 4. This is within D_T = 4 but beyond D_T = 3, so with D_T = 3, frame 4 is
    // skipped as lost.
    const Sequences early = {4, 0, 1, 2, 3, 5};
    NS_TEST_EXPECT_MSG_EQ(Displace(early, 4), "4:-4 0:1 1:1 2:1 3:1 5:0", "early by D_T");
    NS_TEST_EXPECT_MSG_EQ(Displace(early, 3), "0:0 1:0 2:0 3:0 5:0", "early by more");

    // D_T is 3, frame 2 is lost, and frame 1 is late. When frame 1 arrives, it is still expected:
    // buffered 0 3 4 5   RI 0: 0 is displaced by 0
    //          3 4 5 1   RI 1: 3 by -2
    //          4 5 1 6   RI 2 is lost, so 3: 4 by -1
    //          5 1 6 7   RI 4: 5 by -1
    //          1 6 7     RI 5: 1 by 4, which is too much, so the next frame has this index
    //          6 7       RI 5: 6 by -1, then RI 6: 7 by -1
    const Sequences both = {0, 3, 4, 5, 1, 6, 7};
    NS_TEST_EXPECT_MSG_EQ(Displace(both, 3), "0:0 3:-2 4:-1 5:-1 6:-1 7:-1", "late and lost");

    // The first seven frames and a million later ones in a row are lost. These losses displace no
    // other frame, but the last two frames are swapped.
    NS_TEST_EXPECT_MSG_EQ(Displace({7, 8, 1000009, 1000011, 1000010}, 2),
                          "7:0 8:0 1000009:0 1000011:-1 1000010:1",
                          "gaps");
}

LOSSLESS_TEST(g_suite, "Entropy, share out of order, and largest displacement: nothing has arrived")
{
    const ReorderDensity density = Measure({});
    NS_TEST_EXPECT_MSG_EQ(density.GetTotal(), 0, "no frames");
    NS_TEST_EXPECT_MSG_EQ(density.GetDensity(0), 0, "no share");
    NS_TEST_EXPECT_MSG_EQ(density.GetEntropy(), 0, "no entropy");
    NS_TEST_EXPECT_MSG_EQ(density.GetShareOutOfOrder(), 0, "no share");
    NS_TEST_EXPECT_MSG_EQ(density.GetLargestDisplacement(), 0, "no displacement");
}

LOSSLESS_TEST(g_suite, "RD[0] = 1, hence E = -1 ln 1 = 0 (PABO, Sec. IV-A)")
{
    const ReorderDensity density = Measure({0, 1, 2, 3, 4});
    NS_TEST_EXPECT_MSG_EQ(density.GetEntropy(), 0, "nothing is out of order");
    NS_TEST_EXPECT_MSG_EQ(density.GetShareOutOfOrder(), 0, "nothing is out of order");
}

LOSSLESS_TEST(g_suite, "Each pair is swapped: RD[-1] = RD[1] = 0.5, hence E = ln 2")
{
    const ReorderDensity density = Measure({1, 0, 3, 2, 5, 4});
    NS_TEST_EXPECT_MSG_EQ_TOL(density.GetEntropy(), std::log(2), TOLERANCE, "ln 2");
    NS_TEST_EXPECT_MSG_EQ(density.GetShareOutOfOrder(), 1, "all are out of order");
    NS_TEST_EXPECT_MSG_EQ(density.GetLargestDisplacement(), 1, "by one");
}

LOSSLESS_TEST(g_suite, "Example 3 of the RFC: FD[0] = 3, FD[-2] = FD[-1] = FD[1] = FD[2] = 1")
{
    const ReorderDensity density = Measure({0, 3, 2, 4, 2, 7, 6, 5});
    NS_TEST_EXPECT_MSG_EQ(density.GetTotal(), 7, "N', without the duplicate");
    // 3/7 ln (7/3) + 4/7 ln 7 = 0.42857 x 0.84730 + 0.57143 x 1.94591 = 1.47508
    NS_TEST_EXPECT_MSG_EQ_TOL(density.GetEntropy(), 1.47508, 1e-5, "entropy");
    NS_TEST_EXPECT_MSG_EQ_TOL(density.GetShareOutOfOrder(), 4.0 / 7, TOLERANCE, "4 of 7");
    NS_TEST_EXPECT_MSG_EQ(density.GetLargestDisplacement(), 2, "early and late by 2");
}

/// One flow has two frames in order, and the other flow has two swapped frames. Thus FD[0] = 2,
/// FD[-1] = FD[1] = 1, and E = 1/2 ln 2 + 2 x 1/4 ln 4 = 1.5 ln 2. (The mean of both entropies
/// would be 0.5 ln 2.)
LOSSLESS_TEST(g_suite, "Entropy, share out of order, and largest displacement: merged")
{
    ReorderDensity density = Measure({0, 1});
    density.Merge(Measure({1, 0}));
    NS_TEST_EXPECT_MSG_EQ(density.GetTotal(), 4, "of both flows");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(0), 2, "of the first");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(-1), 1, "of the second");
    NS_TEST_EXPECT_MSG_EQ_TOL(density.GetEntropy(), 1.5 * std::log(2), TOLERANCE, "entropy");
    NS_TEST_EXPECT_MSG_EQ(density.GetShareOutOfOrder(), 0.5, "half of them");
}

LOSSLESS_TEST(g_suite, "A density taken in between is of the arrivals so far, and changes nothing")
{
    uint32_t told = 0;
    ReorderMetrics metrics(4, [&told](uint64_t, int64_t) { ++told; });
    const Sequences arrivals = {0, 3, 1, 4, 2, 5, 6, 7}; // an example of RFC 5236, numbered from 0
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        metrics.Arrive(arrivals[i]);
        NS_TEST_EXPECT_MSG_EQ(metrics.GetDensity().GetTotal(), i + 1, "all arrivals so far");
    }
    NS_TEST_EXPECT_MSG_EQ(told, 4, "four of eight still wait for D_T later ones");
    NS_TEST_EXPECT_MSG_EQ(metrics.GetDensity().GetEntropy(),
                          Measure(arrivals, 4).GetEntropy(),
                          "as if it had been looked at only once");
    metrics.Finish();
    NS_TEST_EXPECT_MSG_EQ(told, 8, "all");
}

/// @param jitter the maximum delay in frames
/// @return 200 frames; one in 16 is lost and one in 16 is duplicated
Sequences
MakeStream(std::mt19937& random, uint32_t jitter)
{
    std::vector<std::pair<uint64_t, uint64_t>> byTime;
    for (uint64_t sequence = 0; sequence < 200; ++sequence)
    {
        const uint32_t fate = random() % 16;
        for (uint32_t copy = fate == 0 ? 0 : fate == 1 ? 2 : 1; copy > 0; --copy)
        {
            byTime.emplace_back(sequence + random() % jitter, sequence);
        }
    }
    std::stable_sort(byTime.begin(), byTime.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    Sequences arrivals;
    for (const auto& [time, sequence] : byTime)
    {
        arrivals.push_back(sequence);
    }
    return arrivals;
}

/// Implements the algorithm of RFC 5236, Section 4.1, step by step and without optimization.
std::map<int64_t, uint64_t>
CountByRfc(const Sequences& arrivals, uint32_t threshold)
{
    std::map<int64_t, uint64_t> frequency;
    std::deque<uint64_t> window;
    std::set<uint64_t> buffer;
    uint64_t index = 0;
    std::size_t next = 0;
    const auto isIn = [&window, &buffer](uint64_t sequence) {
        return buffer.count(sequence) != 0 ||
               std::find(window.begin(), window.end(), sequence) != window.end();
    };
    const auto fill = [&]() {
        for (; window.size() <= threshold && next < arrivals.size(); ++next)
        {
            if (arrivals[next] >= index && !isIn(arrivals[next]))
            {
                window.push_back(arrivals[next]);
            }
        }
    };
    for (fill(); !window.empty(); fill())
    {
        while (!isIn(index))
        {
            ++index; // lost
        }
        const uint64_t sequence = window.front();
        window.pop_front();
        const auto displacement = static_cast<int64_t>(index - sequence);
        if (std::abs(displacement) <= threshold)
        {
            ++frequency[displacement];
            buffer.erase(index);
            if (displacement < 0)
            {
                buffer.insert(sequence);
            }
            ++index;
        }
    }
    return frequency;
}

LOSSLESS_TEST(g_suite, "Streams with jitter, losses and duplicates: as the RFC's algorithm has it")
{
    std::mt19937 random(1);
    for (uint32_t run = 0; run < 300; ++run)
    {
        const uint32_t threshold = 1 + random() % 12;
        const Sequences arrivals = MakeStream(random, 1 + random() % 20);
        const ReorderDensity density = Measure(arrivals, threshold);
        const std::map<int64_t, uint64_t> expected = CountByRfc(arrivals, threshold);
        uint64_t total = 0;
        for (int64_t d = -int64_t{threshold}; d <= threshold; ++d)
        {
            const auto found = expected.find(d);
            const uint64_t frequency = found == expected.end() ? 0 : found->second;
            NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(d),
                                  frequency,
                                  "run " << run << ", D_T " << threshold << ", FD at " << d);
            total += frequency;
        }
        NS_TEST_EXPECT_MSG_EQ(density.GetTotal(), total, "N' of run " << run);
    }
}

LOSSLESS_TEST(g_suite, "Thresholds and displacements that cannot be are refused in a sentence")
{
    ExpectStop("must be at least 1", []() { ReorderMetrics metrics(0); });
    ExpectStop("the threshold allows -3 to 3", []() { ReorderDensity(3).Count(4); });
    ExpectStop("the threshold allows -3 to 3", []() { ReorderDensity(3).Count(-4); });
    ExpectStop("equal thresholds", []() { ReorderDensity(3).Merge(ReorderDensity(4)); });
}

} // namespace ns3::lossless::tests::THIS_FILE
