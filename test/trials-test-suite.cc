// SPDX-License-Identifier: GPL-2.0-only
//
// Checks what programs of users take from helper/trials. What the trials find is checked by running
// roce-acceptance, headroom-watermark and link-buffer (see examples-to-run.py and bad-inputs.py).

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/acceptance-scenarios.h"
#include "ns3/headroom-link.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-trials", UNIT);

LOSSLESS_TEST(g_suite, "A bound is part of what passes")
{
    AcceptanceChecks checks;
    checks.Begin("mine");
    checks.AtLeast("few", 1, 2);
    checks.AtLeast("enough", 2, 2);
    checks.AtMost("many", 3, 2);
    checks.AtMost("as many", 2, 2);
    checks.Equal("equal", 2, 2);
    NS_TEST_EXPECT_MSG_EQ(checks.Count(), 5, "checks");
    NS_TEST_EXPECT_MSG_EQ(checks.CountFailed(), 2, "failed");
    NS_TEST_EXPECT_MSG_EQ(checks.HasFailed("few"), true, "below the least");
    NS_TEST_EXPECT_MSG_EQ(checks.HasFailed("many"), true, "above the most");
    NS_TEST_EXPECT_MSG_EQ(checks.HasFailed("enough"), false, "the least");
}

LOSSLESS_TEST(g_suite, "JUnit XML has no mark of its own in a text")
{
    AcceptanceChecks checks;
    checks.Begin("mine");
    checks.Equal("\"a\" < b & c", 1, 1);
    std::ostringstream xml;
    checks.WriteJunit(xml, "PFC");
    const std::string name = "name=\"&quot;a&quot; &lt; b &amp; c\"";
    NS_TEST_EXPECT_MSG_NE(xml.str().find(name), std::string::npos, xml.str());
}

/// Runs a scenario for 100 us under a scheme.
/// @return the number of its checks, or how the process ended
std::string
CountChecks(const std::string& name, const std::string& scheme)
{
    return GetAbortMessage([&] {
        lossless::Experiment experiment("program.cc", "A test.", scheme);
        AcceptanceBench bench{experiment, {}, {}};
        bench.options.AddOptions(experiment);
        ParseArguments(experiment, {"--duration=100us"});
        for (const AcceptanceScenario& scenario : GetAcceptanceScenarios())
        {
            if (scenario.name == name)
            {
                RunAcceptance(scenario, bench);
            }
        }
        std::cerr << bench.checks.Count();
        std::exit(1);
    });
}

LOSSLESS_TEST(g_suite, "A scenario runs under the schemes that have what it is about")
{
    // Loss, NAKs, pauses of both kinds of classes, loss of the lossy class, and shares.
    NS_TEST_EXPECT_MSG_EQ(CountChecks("incast", "PFC"), "6", "PFC");
    NS_TEST_EXPECT_MSG_EQ(CountChecks("incast", "CBFC"), "6", "credits");
    NS_TEST_EXPECT_MSG_EQ(CountChecks("credits", "PFC"), "0", "no credits");
    // Conservation, silence, loss, and the shares of both classes.
    NS_TEST_EXPECT_MSG_EQ(CountChecks("credits", "CBFC"), "5", "credits");
}

LOSSLESS_TEST(g_suite, "The headroom of a link by Eq. 1 of DSH")
{
    HeadroomLink link;
    link.metres = 300;
    // 2 (C D + MTU) + 3840 with 12.5 B/ns, 1500 ns and 1500 B.
    NS_TEST_EXPECT_MSG_EQ(link.GetEquation1(), 44340, "60 quanta");
    link.quanta = 394;
    NS_TEST_EXPECT_MSG_EQ(link.GetEquation1(), 44340 + 334 * 64, "64 B for each further quantum");
    NS_TEST_EXPECT_MSG_EQ(link.GetLargestLossless(), 1514, "with the header");
    link.losslessMtu = 1024;
    NS_TEST_EXPECT_MSG_EQ(link.GetLargestLossless(), 1038, "of the class");
    NS_TEST_EXPECT_MSG_EQ(link.GetLargestFrame(), 1514, "of other classes");
}

LOSSLESS_TEST(g_suite, "Links of given lengths, or random ones")
{
    HeadroomOptions options;
    options.link.mtu = 9000;
    NS_TEST_ASSERT_MSG_EQ(options.GetLinks().size(), 3, "lengths");
    NS_TEST_EXPECT_MSG_EQ(options.GetLinks()[1].metres, 40, "length");
    NS_TEST_EXPECT_MSG_EQ(options.GetLinks()[1].mtu, 9000, "the rest is the same");
    options.random = 50;
    const auto links = options.GetLinks();
    NS_TEST_EXPECT_MSG_EQ(links.size(), 50, "random ones");
    const auto smaller = std::count_if(links.begin(), links.end(), [](const HeadroomLink& link) {
        return link.losslessMtu > 0 && link.losslessMtu <= link.mtu;
    });
    NS_TEST_EXPECT_MSG_EQ((smaller > 10 && smaller < 40), true, "about half have a smaller MTU");
}

} // namespace ns3::lossless::tests::THIS_FILE
