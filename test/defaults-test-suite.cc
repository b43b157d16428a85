// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"

#include "ns3/attribute-text.h"
#include "ns3/attribute.h"
#include "ns3/option-names.h"
#include "ns3/type-id.h"

#include <tuple>

// Checks attribute defaults that are taken from a paper, a standard or a public simulator, or that
// the documentation derives from such numbers. Results depend on these defaults, and other suites
// might not detect a small change.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-defaults", UNIT);

/// @param table the lines "TYPE NAME=VALUE NAME=VALUE: SOURCE"; an indented line continues the
/// previous one
void
CheckDefaults(std::string table)
{
    for (std::size_t at = 0; (at = table.find("\n  ")) != std::string::npos;)
    {
        table.erase(at, 2);
        table[at] = ' ';
    }
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t end = std::min(line.find(": "), line.size());
        std::istringstream words(line.substr(0, end));
        std::string type;
        words >> type;
        TypeId id;
        NS_TEST_ASSERT_MSG_EQ(
            (type.empty() || TypeId::LookupByNameFailSafe("ns3::lossless::" + type, &id)),
            true,
            type << " is a type");
        for (std::string word; words >> word;)
        {
            const std::string name = word.substr(0, word.find('='));
            const std::string value = word.substr(name.size() + 1);
            TypeId::AttributeInformation attribute;
            const bool exists = id.LookupAttributeByName(name, &attribute);
            NS_TEST_ASSERT_MSG_EQ(exists, true, type << " has " << name);
            const Ptr<AttributeValue> expected = attribute.checker->Create();
            NS_TEST_EXPECT_MSG_EQ(expected->DeserializeFromString(value, attribute.checker),
                                  true,
                                  value << " is a value of " << name);
            NS_TEST_EXPECT_MSG_EQ(
                attribute.originalInitialValue->SerializeToString(attribute.checker),
                expected->SerializeToString(attribute.checker),
                type << "::" << name << line.substr(end));
        }
    }
}

LOSSLESS_TEST(g_suite, "limits of attributes, the last allowed and the first refused value")
{
    for (const auto& [name, allowed, refused] :
         {std::tuple("LinkRetry::MaxReplays", "1", "0"),
          std::tuple("TcpFlows::ConnectTimeout", "1ms", "999us"),
          std::tuple("TcpFlows::MinRto", "1ms", "999us"),
          std::tuple("TcpSettings::SegmentBytes", "65535", "65536"), // of a 16-bit length
          std::tuple("TcpSettings::WindowBytes", "65535", "65536")})
    {
        const auto checker = FindAttribute(std::string("ns3::lossless::") + name);
        NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(checker), true, name << " is an attribute");
        NS_TEST_EXPECT_MSG_EQ(CheckAttribute(allowed, *checker), "", name);
        NS_TEST_EXPECT_MSG_NE(CheckAttribute(refused, *checker), "", name);
    }
}

LOSSLESS_TEST(g_suite, "buffers and headroom: DSH, SONiC")
{
    CheckDefaults(R"(
SharedBuffer Size=16777216: DSH, Sec. V-A: 16 MB, Tomahawk
HeadroomBufferPolicy PrivateBytes=3072 LossyPrivateBytes=512: DSH, Sec. V-A: 3 KB; eight
  acknowledgements of 64 B
SihBufferPolicy Alpha=0.0625: DSH, Sec. V-A
ShpBufferPolicy OversubscribeRatio=2: example of SONiC's configuration
DwrrScheduler Quantum=1600: DSH, Sec. V-A
PfcFlowControl PauseQuanta=65535: the longest pause that a frame can request
TransmitGate ResponseQuanta=60: DSH, Eq. 1: 3840 B are 60 quanta
)");
}

LOSSLESS_TEST(g_suite, "CaPFC")
{
    CheckDefaults(R"(
CapfcBufferPolicy IngressMax=60000 IngressXoff=50000 IngressXon=40000 EgressMax=60000: CaPFC, Table II
CapfcBufferPolicy DedicatedBytes=8000 PoolPerQueue=80000 PoolPerPort=100000: CaPFC, Sec. IV-C7
CapfcFlowControl Warn=20000 Xoff=25000 Xon=20000 Cut=0.8: CaPFC, Table II
AdaptiveForwarding FewBytes=16000 ManyBytes=32000: CaPFC, Table II
)");
}

LOSSLESS_TEST(g_suite, "OFC, and what it is compared with, by its thresholds")
{
    // The OFC paper sets XON to 45 kB, XOFFc to 68 kB and XOFF to 75 kB.
    CheckDefaults(R"(
OfcFlowControl CongestionShare=0.9066666666666666: shares of XOFF
GfcFlowControl FirstStage=60000 Stages=6: in the middle of XON and XOFF
GpfcFlowControl LowXoff=60000: 0.8 of XOFF
CapfcBothFlowControl EgressXoff=75000: XOFF
PpfcFlowControl PredictionTime=640ns PredictionLevel=68000: twice a frame of 1500 B at 40 Gb/s and
  20 ns; XOFFc
)");
}

LOSSLESS_TEST(g_suite, "FAFC")
{
    CheckDefaults(R"(
FafcFlowControl PauseThreshold=350000 EcnThreshold=200000 LevelWeight=0.8 RateWeight=0.8
  TrendOfLevel=false DecreasePeriods=4 SlowDown=true SolveDelay=0s: FAFC, Sec. III and IV
)");
}

LOSSLESS_TEST(g_suite, "PABO")
{
    CheckDefaults(R"(
PaboFlowControl Theta=0.8 Lambda=50 NormalLimit=500p BounceLimit=500p: PABO, Sec. V
PaboHost BounceLimit=1500p: PABO, Sec. V-A
TcpSettings SegmentBytes=536 WindowBytes=45535 MinRto=1s: PABO, Sec. IV; RFC 1122; RFC 6298
)");
}

LOSSLESS_TEST(g_suite, "credits and retry: SAI")
{
    CheckDefaults(R"(
CbfcFlowControl CreditBytes=128 PacketOverhead=0 UpdateSpacing=6400 RefreshSpacing=262144
  CounterPeriod=256us: CBFC_SENDER_CREDIT_SIZE and those after it
LinkRetry MaxReplays=3 ControlSpacing=2048 BlockInInit=false: SAI, and samples of SONiC
PfcWatchdog DetectionTime=400ms RestorationTime=2s: SONiC's test plan
)");
}

LOSSLESS_TEST(g_suite, "congestion controls")
{
    CheckDefaults(R"(
RateCongestionControl MinRate=100Mbps: HPCC simulator
Dcqcn Gain=0.00390625 AlphaTimer=1us RateCutInterval=4us RateTimer=300us FastRecoverySteps=5:
  DCQCN; HPCC, Sec. 2.3; HPCC simulator
Dctcp Gain=0.0625 AdditiveStep=615Mbps BaseRtt=13us: DCTCP; HPCC, Sec. 5.1; HPCC simulator
Hpcc Eta=0.95 MaxStage=5: HPCC
PowerTcp Gamma=0.9 Target=0.95: PowerTCP, and its simulator
Timely Alpha=0.875 Beta=0.8 LowThreshold=50us HighThreshold=500us MinRtt=20us HyperAfter=5: TIMELY
Nscc BaseRtt=12us Gamma=0.8: uet-htsim
RedMarker MinBytes=400000: DCQCN's public configuration at 100 Gb/s
)");
}

LOSSLESS_TEST(g_suite, "hosts: InfiniBand, IRN, uet-htsim, RFCs")
{
    // The RetransmitTimeout is 4.096 us x 2^14.
    CheckDefaults(R"(
RoceNic RetransmitTimeout=67108864ns CnpInterval=1us: InfiniBand; HPCC simulator
SelectiveReliability RtoLow=100us RtoHigh=320us FewPackets=3: IRN
SelectiveRepeat ReorderDegree=1: IRN
PathSelection EntropyValues=64: uet-htsim
RepsPath FreezeTime=10ms: uet-htsim
PacketTrimmer TrimBytes=64 Class=6 Share=0.25: uet-htsim; examples of SONiC; Ultra Ethernet, Sec. 4.1
TcpFlows InitialWindow=10 DuplicateAcks=3: RFC 6928; RFC 5681
)");
}

} // namespace ns3::lossless::tests::THIS_FILE
