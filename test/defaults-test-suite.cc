// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"

#include "ns3/attribute.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

// Defaults of attributes that a paper, a standard or a public simulator states, or that the
// documentation derives from such numbers: results change with them, and no other suite need notice
// a small change.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-defaults", UNIT);

/// What an attribute is by default.
struct Default
{
    std::string attribute;
    std::string value;
};

void
CheckDefaults(const std::string& type,
              const std::string& source,
              const std::vector<Default>& defaults)
{
    const TypeId id = TypeId::LookupByName("ns3::lossless::" + type);
    for (const Default& stated : defaults)
    {
        TypeId::AttributeInformation attribute;
        const bool exists = id.LookupAttributeByName(stated.attribute, &attribute);
        NS_TEST_EXPECT_MSG_EQ(exists, true, type << " has " << stated.attribute);
        if (!exists)
        {
            continue;
        }
        const Ptr<AttributeValue> expected = attribute.checker->Create();
        NS_TEST_EXPECT_MSG_EQ(expected->DeserializeFromString(stated.value, attribute.checker),
                              true,
                              stated.value << " is a value of " << stated.attribute);
        NS_TEST_EXPECT_MSG_EQ(attribute.originalInitialValue->SerializeToString(attribute.checker),
                              expected->SerializeToString(attribute.checker),
                              type << "::" << stated.attribute << ", " << source);
    }
}

LOSSLESS_TEST(g_suite, "buffers and headroom: DSH, SONiC")
{
    CheckDefaults("SharedBuffer", "DSH, Sec. V-A: 16 MB, Tomahawk", {{"Size", "16777216"}});
    CheckDefaults("HeadroomBufferPolicy",
                  "DSH, Sec. V-A: 3 KB; eight acknowledgements of 64 B",
                  {{"PrivateBytes", "3072"}, {"LossyPrivateBytes", "512"}});
    CheckDefaults("SihBufferPolicy", "DSH, Sec. V-A", {{"Alpha", "0.0625"}});
    CheckDefaults("ShpBufferPolicy",
                  "example of SONiC's configuration",
                  {{"OversubscribeRatio", "2"}});
    CheckDefaults("DwrrScheduler", "DSH, Sec. V-A", {{"Quantum", "1600"}});
}

LOSSLESS_TEST(g_suite, "CaPFC")
{
    CheckDefaults("CapfcBufferPolicy",
                  "CaPFC, Table II",
                  {{"IngressMax", "60000"},
                   {"IngressXoff", "50000"},
                   {"IngressXon", "40000"},
                   {"EgressMax", "60000"}});
    CheckDefaults(
        "CapfcBufferPolicy",
        "CaPFC, Sec. IV-C7",
        {{"DedicatedBytes", "8000"}, {"PoolPerQueue", "80000"}, {"PoolPerPort", "100000"}});
    CheckDefaults("CapfcFlowControl",
                  "CaPFC, Table II",
                  {{"Warn", "20000"}, {"Xoff", "25000"}, {"Xon", "20000"}, {"Cut", "0.8"}});
    CheckDefaults("AdaptiveForwarding",
                  "CaPFC, Table II",
                  {{"FewBytes", "16000"}, {"ManyBytes", "32000"}});
}

LOSSLESS_TEST(g_suite, "OFC, and what it is compared with, by its thresholds")
{
    // XON 45 kB, XOFFc 68 kB, XOFF 75 kB.
    CheckDefaults("OfcFlowControl", "shares of XOFF", {{"CongestionShare", "0.9066666666666666"}});
    CheckDefaults("GfcFlowControl",
                  "in the middle of XON and XOFF",
                  {{"FirstStage", "60000"}, {"Stages", "6"}});
    CheckDefaults("GpfcFlowControl", "0.8 of XOFF", {{"LowXoff", "60000"}});
    CheckDefaults("CapfcBothFlowControl", "XOFF", {{"EgressXoff", "75000"}});
    CheckDefaults("PpfcFlowControl",
                  "twice a frame of 1500 B at 40 Gb/s and 20 ns; XOFFc",
                  {{"PredictionTime", "640ns"}, {"PredictionLevel", "68000"}});
}

LOSSLESS_TEST(g_suite, "FAFC")
{
    CheckDefaults("FafcFlowControl",
                  "FAFC, Sec. III and IV",
                  {{"PauseThreshold", "350000"},
                   {"EcnThreshold", "200000"},
                   {"LevelWeight", "0.8"},
                   {"RateWeight", "0.8"},
                   {"TrendOfLevel", "false"},
                   {"DecreasePeriods", "4"},
                   {"SlowDown", "true"},
                   {"SolveDelay", "0s"}});
}

LOSSLESS_TEST(g_suite, "PABO")
{
    CheckDefaults(
        "PaboFlowControl",
        "PABO, Sec. V",
        {{"Theta", "0.8"}, {"Lambda", "50"}, {"NormalLimit", "500p"}, {"BounceLimit", "500p"}});
    CheckDefaults("PaboHost", "PABO, Sec. V-A", {{"BounceLimit", "1500p"}});
    CheckDefaults("TcpSettings",
                  "PABO, Sec. IV; RFC 1122; RFC 6298",
                  {{"SegmentBytes", "536"}, {"WindowBytes", "45535"}, {"MinRto", "1s"}});
}

LOSSLESS_TEST(g_suite, "credits and retry: SAI")
{
    CheckDefaults("CbfcFlowControl",
                  "CBFC_SENDER_CREDIT_SIZE and those after it",
                  {{"CreditBytes", "128"},
                   {"PacketOverhead", "0"},
                   {"UpdateSpacing", "6400"},
                   {"RefreshSpacing", "262144"},
                   {"CounterPeriod", "256us"}});
    CheckDefaults("LinkRetry",
                  "SAI, and samples of SONiC",
                  {{"MaxReplays", "3"}, {"ControlSpacing", "2048"}, {"BlockInInit", "false"}});
    CheckDefaults("PfcWatchdog",
                  "SONiC's test plan",
                  {{"DetectionTime", "400ms"}, {"RestorationTime", "2s"}});
}

LOSSLESS_TEST(g_suite, "congestion controls")
{
    CheckDefaults("RateCongestionControl", "HPCC simulator", {{"MinRate", "100Mbps"}});
    CheckDefaults("Dcqcn",
                  "DCQCN; HPCC, Sec. 2.3; HPCC simulator",
                  {{"Gain", "0.00390625"},
                   {"AlphaTimer", "1us"},
                   {"RateCutInterval", "4us"},
                   {"RateTimer", "300us"},
                   {"FastRecoverySteps", "5"}});
    CheckDefaults("Dctcp",
                  "DCTCP; HPCC, Sec. 5.1; HPCC simulator",
                  {{"Gain", "0.0625"}, {"AdditiveStep", "615Mbps"}, {"BaseRtt", "13us"}});
    CheckDefaults("Hpcc", "HPCC", {{"Eta", "0.95"}, {"MaxStage", "5"}});
    CheckDefaults("PowerTcp",
                  "PowerTCP, and its simulator",
                  {{"Gamma", "0.9"}, {"Target", "0.95"}});
    CheckDefaults("Timely",
                  "TIMELY",
                  {{"Alpha", "0.875"},
                   {"Beta", "0.8"},
                   {"LowThreshold", "50us"},
                   {"HighThreshold", "500us"},
                   {"MinRtt", "20us"},
                   {"HyperAfter", "5"}});
    CheckDefaults("Nscc", "uet-htsim", {{"BaseRtt", "12us"}, {"Gamma", "0.8"}});
    CheckDefaults("RedMarker",
                  "DCQCN's public configuration at 100 Gb/s",
                  {{"MinBytes", "400000"}});
}

LOSSLESS_TEST(g_suite, "hosts: InfiniBand, IRN, uet-htsim, RFCs")
{
    // 4.096 us x 2^14.
    CheckDefaults("RoceNic",
                  "InfiniBand; HPCC simulator",
                  {{"RetransmitTimeout", "67108864ns"}, {"CnpInterval", "1us"}});
    CheckDefaults("SelectiveReliability",
                  "IRN",
                  {{"RtoLow", "100us"}, {"RtoHigh", "320us"}, {"FewPackets", "3"}});
    CheckDefaults("SelectiveRepeat", "IRN", {{"ReorderDegree", "1"}});
    CheckDefaults("PathSelection", "uet-htsim", {{"EntropyValues", "64"}});
    CheckDefaults("RepsPath", "uet-htsim", {{"FreezeTime", "10ms"}});
    CheckDefaults("PacketTrimmer",
                  "uet-htsim; examples of SONiC; Ultra Ethernet, Sec. 4.1",
                  {{"TrimBytes", "64"}, {"Class", "6"}, {"Share", "0.25"}});
    CheckDefaults("TcpFlows",
                  "RFC 6928; RFC 5681",
                  {{"InitialWindow", "10"}, {"DuplicateAcks", "3"}});
}

} // namespace ns3::lossless::tests::THIS_FILE
