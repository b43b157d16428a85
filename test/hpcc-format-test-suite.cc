// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/hpcc-format.h"
#include "ns3/hpcc-settings.h"
#include "ns3/text-lines.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-hpcc-format", UNIT);

/// A topology file with two switches, whose IDs lie between those of their four hosts. Like the
/// files distributed with the simulators, it ends with explanatory text.
const std::string TOPOLOGY = "6 2 5\n"
                             "2 3 \n"
                             "0 2 100Gbps 1us 0\n"
                             "1 2 100.0Gbps 0.001ms 0.000000\n"
                             "4 3 100Gbps 1000ns 0\r\n"
                             "5 3\t100Gbps 1us 0\n"
                             "\n"
                             "2 3 40Gbps 2us 0\n"
                             "\n"
                             "First line: total node #, switch node #, link #\n"
                             "src0 dst0 rate delay error_rate\n"
                             "...\n";

/// A flow file for these hosts, not sorted by start time.
const std::string FLOWS = "3\n"
                          "0 5 3 100 200000 2.000001205\n"
                          "4 1 0 65535 1 2\n"
                          "\n"
                          "1 0 6 0 4000000000000 2e0\n"
                          "\n"
                          "First line: flow #\n"
                          "src dst pg dport size start_time\n";

/// @return the network described by a file, which must have no errors
Topology
ReadTopology(const std::string& text)
{
    std::istringstream input(text);
    return ParseHpccTopology(input, "t.txt").topology;
}

/// @return the flows described by a file, which must have no errors
HpccFlows
ReadFlows(const std::string& text, const Topology& topology)
{
    std::istringstream input(text);
    return ParseHpccFlows(input, "f.txt", topology);
}

/// @return the links of the network or the error message
std::string
ParseTopology(const std::string& text)
{
    std::istringstream input(text);
    std::ostringstream links;
    const auto error =
        CatchComplaint([&] { ParseHpccTopology(input, "t.txt").topology.ToCsv(links); });
    return error.value_or(links.str());
}

std::string
ParseFlows(const std::string& text)
{
    std::istringstream input(text);
    const Topology topology = ReadTopology(TOPOLOGY);
    HpccFlows flows;
    const auto error = CatchComplaint([&] { flows = ParseHpccFlows(input, "f.txt", topology); });
    if (error)
    {
        return *error;
    }
    std::ostringstream list;
    WriteFlowCsv(list, topology, flows.flows);
    for (const uint16_t port : flows.destinationPorts)
    {
        list << port << ' ';
    }
    return list.str();
}

LOSSLESS_TEST(g_suite, "A topology file becomes a topology")
{
    const std::string header = "node_a,node_b,rate,delay,error_rate,failed,kind_a,kind_b\n";
    NS_TEST_EXPECT_MSG_EQ(ParseTopology(TOPOLOGY),
                          header + "h0,s2,100Gbps,1000ns,0,0,host,switch\n"
                                   "h1,s2,100Gbps,1000ns,0,0,host,switch\n"
                                   "h4,s3,100Gbps,1000ns,0,0,host,switch\n"
                                   "h5,s3,100Gbps,1000ns,0,0,host,switch\n"
                                   "s2,s3,40Gbps,2000ns,0,0,switch,switch\n",
                          "the five links");
    for (const std::string numbers : {"4 2 1 3", "4 2 1 3 10000000000 40000000000"})
    {
        NS_TEST_EXPECT_MSG_EQ(ParseTopology(numbers +
                                            "\n3 2\n3 0 25Gbps 5ns 0\n1 3 25Gbps 5ns 0.5\n"
                                            "2 3 25Gbps 5ns 0\n"),
                              header + "s3,h0,25Gbps,5ns,0,0,switch,host\n"
                                       "h1,s3,25Gbps,5ns,0.5,0,host,switch\n"
                                       "s2,s3,25Gbps,5ns,0,0,switch,switch\n",
                              numbers);
    }
    NS_TEST_EXPECT_MSG_EQ(ParseTopology("3 2 2\n1\n2\n0 1 25Gbps 5ns 0\n1 2 25Gbps 5ns 0\n"),
                          header + "h0,s1,25Gbps,5ns,0,0,host,switch\n"
                                   "s1,s2,25Gbps,5ns,0,0,switch,switch\n",
                          "ids on two lines");
    // The line of switch IDs is optional if there are no switches.
    NS_TEST_EXPECT_MSG_EQ(ParseTopology("2 0 1\n0 1 25Gbps 5ns 0"),
                          header + "h0,h1,25Gbps,5ns,0,0,host,host\n",
                          "no switches, no line end");

    const Topology topology = ReadTopology("5 2 1 4\n2 4\n3 2 1Gbps 1us 0\n2 0 1Gbps 1us 0\n"
                                           "1 2 1Gbps 1us 0\n4 2 1Gbps 1us 0\n");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[topology.GetHosts()[2]].name,
                          "h3",
                          "hosts in the order of their ids, not of the links");
    NS_TEST_EXPECT_MSG_EQ(topology.GetPorts(*topology.FindNode("s2"))[0].peer,
                          *topology.FindNode("h3"),
                          "ports in the order of the links");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[2].layer, "tor", "the first switch named");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[4].layer, "switch", "the second one");
}

LOSSLESS_TEST(g_suite, "A malformed topology file is refused with file and line")
{
    const std::string good = "3 1 2\n2\n0 2 1Gbps 1us 0\n";
    const std::string forms =
        "the first line must be `nodes switches links` or `nodes switches tors links` or `nodes "
        "gpus_per_server nvswitches switches links gpu_type`";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "t.txt: the file ends here, before the line `nodes switches links`"},
        {"\n \n", "t.txt:2: the file ends here, before the line `nodes switches links`"},
        {"3 1\n", "t.txt:1: the line has 2 fields; " + forms},
        {"3 1 1 2 9\n", "t.txt:1: the line has 5 fields; " + forms},
        {"65537 1 2\n", "t.txt:1: nodes is '65537'; allowed is a whole number from 1 to 65536"},
        {"0 0 0\n", "t.txt:1: nodes is '0'; allowed is a whole number from 1 to 65536"},
        {"3 x 2\n", "t.txt:1: switches is 'x'; allowed is a whole number from 0 to 3"},
        {"3 4 2\n", "t.txt:1: switches is '4'; allowed is a whole number from 0 to 3"},
        {"3 1 2 2\n", "t.txt:1: tors is '2'; allowed is a whole number from 0 to 1"},
        {"3 1 -2\n", "t.txt:1: links is '-2'; allowed is a whole number from 0 to 4294967295"},
        {"3 1 2\n", "t.txt:1: the file ends here, before the ids of the switches"},
        {"3 1 2\n1 2\n",
         "t.txt:2: here are more ids than switches, of which the first line announces 1"},
        {"3 2 2\n1\n", "t.txt:2: the file ends here, before the ids of the switches"},
        {"3 3 2\n0 1 2\n",
         "t.txt:1: all 3 nodes are switches; hosts are the nodes whose ids the second line does "
         "not list"},
        {"3 1 2\n3\n",
         "t.txt:2: the id of a switch is '3'; allowed is a whole number from 0 to 2, each "
         "listed once"},
        {"3 2 2\n2 2\n",
         "t.txt:2: the id of a switch is '2'; allowed is a whole number from 0 to 2, each "
         "listed once"},
        {good, "t.txt:3: the file ends here, before the last of 2 links"},
        {good + "\nexplanation\n",
         "t.txt:5: the line has 1 field; it must have 5: src dst rate delay error_rate"},
        {good + "1 2 1Gbps 1us\n",
         "t.txt:4: the line has 4 fields; it must have 5: src dst rate delay error_rate"},
        {good + "-1 2 1Gbps 1us 0\n",
         "t.txt:4: src is '-1'; allowed is a whole number from 0 to 2"},
        {good + "1 3 1Gbps 1us 0\n", "t.txt:4: dst is '3'; allowed is a whole number from 0 to 2"},
        {good + "1 1 1Gbps 1us 0\n", "t.txt:4: dst is '1'; allowed is another node than src"},
        {good + "\n\n1 2 1Gbit 1us 0\n",
         "t.txt:6: rate is '1Gbit'; allowed is a rate above 0 with the unit bps, kbps, Mbps, "
         "Gbps or Tbps, or a number of bit/s from 1000000 on"},
        {good + "1 2 1Gbps 1 0\n",
         "t.txt:4: delay is '1'; allowed is a time of at least 0 with the unit s, ms, us, ns "
         "or ps, a multiple of 1ns, the step in which times are counted"},
        {good + "1 2 1Gbps 1us 2\n",
         "t.txt:4: error_rate is '2'; allowed is a number from 0 to 1 in digits without "
         "separators, as 0.001 or 1e-6"},
        {good + "1 2 1Gbps 1us 01_000\n",
         "t.txt:4: error_rate is '01_000'; allowed is a number from 0 to 1 in digits without "
         "separators, as 0.001 or 1e-6"},
    };
    for (const auto& [text, complaint] : cases)
    {
        NS_TEST_EXPECT_MSG_EQ(ParseTopology(text), complaint, text);
    }
    ExpectStop("cannot open the file '/no/such/file'", []() { ReadHpccTopology("/no/such/file"); });
}

/// @return the options, a vertical bar, the settings that were not translated (with the reason, if
/// any) and the notes; or the error message
std::string
TranslateSettings(const std::string& text, const std::string& control = "")
{
    std::istringstream input(text);
    HpccSettings settings;
    const auto error =
        CatchComplaint([&] { settings = ParseHpccSettings(input, "config.txt", control); });
    if (error)
    {
        return *error;
    }
    std::string result;
    for (const auto& translated : settings.options)
    {
        result += translated.option + " ";
    }
    result += "|";
    for (const std::string& setting : settings.unmatched)
    {
        result += " " + setting;
    }
    for (const std::string& setting : settings.unknown)
    {
        result += " unknown: " + setting;
    }
    for (const std::string& setting : settings.idle)
    {
        result += " idle: " + setting;
    }
    for (const std::string& setting : settings.outputs)
    {
        result += " output: " + setting;
    }
    for (const std::string& note : settings.notes)
    {
        result += " " + note;
    }
    return result;
}

LOSSLESS_TEST(g_suite, "settings without a counterpart make a sentence of each kind")
{
    HpccSettings settings;
    NS_TEST_EXPECT_MSG_EQ(settings.GetWarnings("c.txt").size(), 0, "there are none");
    settings.notes = {"A note."};
    settings.unmatched = {"RATE_BOUND 0", "CLAMP_TARGET_RATE 1"};
    settings.unknown = {"LOAD 0.5"};
    settings.idle = {"U_TARGET 0.95"};
    settings.outputs = {"TRACE_FILE trace.txt"};
    std::string text;
    for (const std::string& warning : settings.GetWarnings("c.txt"))
    {
        text += warning + "|";
    }
    NS_TEST_EXPECT_MSG_EQ(
        text,
        "A note.|c.txt has settings that are not adopted; doc/migration.rst says "
        "what to write instead: RATE_BOUND 0, CLAMP_TARGET_RATE 1.|c.txt has "
        "settings that are not known here and have no effect: LOAD 0.5.|c.txt has "
        "settings of a congestion control that is not chosen, which have no "
        "effect: U_TARGET 0.95.|c.txt has settings of other outputs, which "
        "change no result here: TRACE_FILE "
        "trace.txt.|",
        "in this order");
}

LOSSLESS_TEST(g_suite, "A file of settings becomes options")
{
    const auto expect = [](const std::string& text, const std::string& result) {
        NS_TEST_EXPECT_MSG_EQ(TranslateSettings(text), result, text);
    };
    const auto proportion = [](const std::string& line) {
        return " config.txt:" + line +
               ", KMIN_MAP, KMAX_MAP, PMAX_MAP are adopted if the first two are in proportion to "
               "the rates, the second is at least a byte, and the third has one value for all.";
    };
    expect("KMIN_MAP 1 25000000000 100\n",
           "| KMIN_MAP 1 25000000000 100 config.txt:1, KMIN_MAP, KMAX_MAP, PMAX_MAP are adopted "
           "together, and not all of them are here.");
    expect("BUFFER_SIZE 0\n", "| BUFFER_SIZE 0");
    expect("3 1 2\n2\n",
           "config.txt:1: this is a line of numbers, not a setting; is this a topology, which is "
           "for --topology, or a file of flows, for --flows?");
    expect("", "|");
    expect("BUFFER_SIZE 4096\n", "buffer=4096MiB |");
    expect("BUFFER_SIZE 33554432\n",
           "buffer=33554432MiB | config.txt:1, BUFFER_SIZE is 33554432, which is in MB there; is "
           "it meant in bytes?");
    expect("SIMULATOR_STOP_TIME 4.00\n\nBUFFER_SIZE 32\n", "buffer=32MiB stop=4.00s |");
    expect(
        "CC_MODE 1\nRP_TIMER 900\nRP_TIMER 300 # the last one counts\n",
        "congestion-control=DCQCN ns3::lossless::Dcqcn::RateTimer=300us | config.txt:3, RP_TIMER "
        "is in line 2, too; the last one counts, as in the simulators.");
    // These files have comments or unusual notation, are JSON, or contain a time beyond the range
    // or a payload larger than an MTU.
    expect("CC_MODE 3 {which control}\n{more}\n", "congestion-control=HPCC |");
    expect("CC_MODE 1 {which\ncontrol} # it is\nRP_TIMER 300 {in us, see\nCC_MODE 3}\n",
           "congestion-control=DCQCN ns3::lossless::Dcqcn::RateTimer=300us |");
    expect("CC_MODE 3 // of HPCC\n// BUFFER_SIZE 4\nBUFFER_SIZE 32 MB\nFLOW_FILE a//x\n",
           "congestion-control=HPCC buffer=32MiB flows=a//x |");
    expect("CC_MODE = 1\n",
           "config.txt:1: 'CC_MODE =' has an equals sign; write a key and a value, as CC_MODE 3");
    expect("CC_MODE 1 BUFFER_SIZE 32\n", "config.txt:1: 'BUFFER_SIZE' needs a line of its own");
    const std::string json = "config.txt: this looks like JSON, which is not read here";
    expect("{\n  \"CC_MODE\": 3,\n  \"BUFFER_SIZE\": 32\n}\n", json);
    expect("{\"CC_MODE\": 3\n", json);
    expect("{\n explained\n}\nCC_MODE 3\n", "congestion-control=HPCC |");
    expect("CC_MODE 3\nRP_TIMER 300 {in us\nBUFFER_SIZE 32\n",
           "config.txt:2: a { is not closed by a }");
    expect("SIMULATOR_STOP_TIME 40000000000000.00\n", "stop=4611686018s |");
    expect("PACKET_PAYLOAD_SIZE 1000\n", "payload=1000 |");
    expect("PACKET_PAYLOAD_SIZE 9000\n", "payload=9000 mtu=9086 |");
    // The payload is padded to whole words, and telemetry is omitted if it does not fit.
    expect("PACKET_PAYLOAD_SIZE 9001\n", "payload=9001 mtu=9090 |");
    expect("PACKET_PAYLOAD_SIZE 1412\n", "payload=1412 |");
    expect("PACKET_PAYLOAD_SIZE 1413\n", "payload=1413 mtu=1502 |");
    expect("PACKET_PAYLOAD_SIZE 9172\n", "payload=9172 mtu=9216 |");
    expect("buffer_size 4\ncc_mode 3\n",
           "| unknown: buffer_size 4 (keys are written in capitals) unknown: cc_mode 3 (keys are "
           "written in capitals)");
    expect("; a comment\n% CC_MODE 1\n-- CC_MODE 1\n/* CC_MODE 1 */\n/* of C*/\nCC_MODE 3\n",
           "congestion-control=HPCC |");
    expect("/* CC_MODE 1\nCC_MODE 3 */\n",
           "config.txt:1: a /* is not closed by a */ at the end of the line; write # before each "
           "line");
    expect(
        "CC_MOED 3\nLINKDOWN 1\nENABLE_LLR 1\n",
        "| unknown: CC_MOED 3 (CC_MODE?) unknown: ENABLE_LLR 1 unknown: LINKDOWN 1 (LINK_DOWN?)");
    expect("CC_MODE 3\nHAS_WIN 1\nVAR_WIN 1\nPINT_PROB 1\n",
           "congestion-control=HPCC | idle: PINT_PROB 1");
    const std::string steps = "CC_MODE 3\nRATE_AI 1Gb/s\nRATE_HAI 2Gb/s\n";
    NS_TEST_EXPECT_MSG_EQ(TranslateSettings(steps, "dcqcn"),
                          "ns3::lossless::Dcqcn::AdditiveStep=1Gb/s "
                          "ns3::lossless::Dcqcn::HyperStep=2Gb/s |",
                          "that of the command line");
    NS_TEST_EXPECT_MSG_EQ(TranslateSettings(steps, "PowerTCP"),
                          "| idle: RATE_AI 1Gb/s idle: RATE_HAI 2Gb/s",
                          "which the file cannot choose");
    expect("CC_MODE 3\nHAS_WIN 0\n", "congestion-control=HPCC | HAS_WIN 0");
    expect("CC_MODE 1\nHAS_WIN 1\n", "congestion-control=DCQCN | HAS_WIN 1");
    expect("BW_MON_FILE bw.txt\nENABLE_TRACE 1\n",
           "| output: BW_MON_FILE bw.txt output: ENABLE_TRACE 1");
    const std::string yaml =
        " is not a key with a value, as CC_MODE 3; this looks like YAML, which is not read";
    expect("cc_mode: 3\nkmin_map:\n  25: 100\n", "config.txt:1: 'cc_mode:'" + yaml);
    expect("# of hpcc-fs\ncc_mode: 3\nhas_win: 1\n", "config.txt:2: 'cc_mode:'" + yaml);
    // The meaning of these keys depends on the congestion control.
    expect("RATE_AI 50Mb/s\nEWMA_GAIN 0.5\nCC_MODE 1\n",
           "congestion-control=DCQCN ns3::lossless::Dcqcn::Gain=0.5 "
           "ns3::lossless::Dcqcn::AdditiveStep=50Mb/s |");
    expect(
        "RATE_AI 50Mb/s\nEWMA_GAIN 0.5\nCC_MODE 3\n",
        "congestion-control=HPCC ns3::lossless::Hpcc::AdditiveStep=50Mb/s | idle: EWMA_GAIN 0.5");
    expect("CC_MODE 1\nU_TARGET 0.95\nDCTCP_RATE_AI 1Gb/s\nMIN_RATE 1Gb/s\n",
           "congestion-control=DCQCN ns3::lossless::RateCongestionControl::MinRate=1Gb/s | idle: "
           "DCTCP_RATE_AI 1Gb/s idle: U_TARGET 0.95");
    expect("U_TARGET 0.95\nMIN_RATE 1Gb/s\nRATE_AI 1Gb/s\n",
           "| idle: MIN_RATE 1Gb/s idle: RATE_AI 1Gb/s idle: U_TARGET 0.95");
    expect("CC_MODE 3\nMIN_RATE 0\n",
           "config.txt:2, MIN_RATE is 0; it must be above 0, as 100Mb/s");
    expect("CC_MODE 10\n",
           "config.txt:1, CC_MODE is 10; it must be 1 (DCQCN), 3 (HPCC), 7 (TIMELY) or 8 (DCTCP)");
    expect("USE_DYNAMIC_PFC_THRESHOLD 1\n", "scheme=SIH |");
    expect("USE_DYNAMIC_PFC_THRESHOLD 0\n", "scheme=PFC buffer-policy=Static |");
    expect("USE_DYNAMIC_PFC_THRESHOLD maybe\n",
           "config.txt:1, USE_DYNAMIC_PFC_THRESHOLD is maybe; it must be 0 or 1");
    // The thresholds for each rate are in kB.
    expect(
        "KMIN_MAP 1 100000000000 400\nKMAX_MAP 1 100000000000 1600\nPMAX_MAP 1 100000000000 0.2\n",
        "ecn-min=400000 ecn-max=1600000 ecn-probability=0.2 |");
    expect("KMAX_MAP 2 25000000000 400 100000000000 1600\nKMIN_MAP 2 25000000000 100 100000000000 "
           "400\nPMAX_MAP 2 25000000000 0.2 100000000000 0.2\n",
           "ecn-min=100000 ecn-max=400000 ecn-probability=0.2 "
           "ns3::lossless::EcnMarker::ReferenceRate=25000000000bps |");
    expect("KMAX_MAP 2 25000000000 400 100000000000 1500\nKMIN_MAP 2 25000000000 100 100000000000 "
           "400\nPMAX_MAP 2 25000000000 0.2 100000000000 0.2\n",
           "| KMIN_MAP 2 25000000000 100 100000000000 400 KMAX_MAP 2 25000000000 400 100000000000 "
           "1500 PMAX_MAP 2 25000000000 0.2 100000000000 0.2" +
               proportion("2"));
    const std::string malformed =
        " config.txt:1, KMIN_MAP is malformed; it must be the number of rates, then each rate in "
        "bit/s and its value, each rate once.";
    for (const std::string kilobytes : {"-5", "1e30", "400 oops", "400 25000000000"})
    {
        const std::string least = "KMIN_MAP 1 100000000000 " + kilobytes;
        const std::string others = "KMAX_MAP 1 100000000000 1600\nPMAX_MAP 1 100000000000 0.2\n";
        expect(least + "\n" + others,
               "| " + least + " KMAX_MAP 1 100000000000 1600 PMAX_MAP 1 100000000000 0.2" +
                   malformed);
    }
    const std::string others = "KMIN_MAP 1 25e9 10\nPMAX_MAP 2 25e9 0.2 25000000000 0.2\n";
    expect(others + "KMAX_MAP 1 25e9 40\n", "ecn-min=10000 ecn-max=40000 ecn-probability=0.2 |");
    expect(others + "KMAX_MAP 25e9 40\n",
           "| KMIN_MAP 1 25e9 10 KMAX_MAP 25e9 40 PMAX_MAP 2 25e9 0.2 25000000000 0.2 "
           "config.txt:3, KMAX_MAP" +
               malformed.substr(malformed.find(" is malformed")));
    // Some of these settings always apply; the others are not supported or are unknown.
    expect("ENABLE_QCN 1\nERROR_RATE_PER_LINK 0.0000\nLINK_DOWN 0 0 0\n", "|");
    expect("ERROR_RATE_PER_LINK 0,01\n", "| ERROR_RATE_PER_LINK 0,01");
    expect("ENABLE_QCN 0\nINT_MULTI 1\nNONSENSE 7\n",
           "| ENABLE_QCN 0 INT_MULTI 1 unknown: NONSENSE 7");
    expect("CC_MODE 1\nRATE_AI\n",
           "config.txt:2: 'RATE_AI' is not a key with a value, as CC_MODE 3");
}

LOSSLESS_TEST(g_suite, "A flow file becomes a list of flows")
{
    // As a binary floating-point number, 2.000001205 is slightly smaller, but no nanosecond may be
    // lost.
    NS_TEST_EXPECT_MSG_EQ(ParseFlows(FLOWS),
                          "id,source,destination,priority,bytes,start_ns,group\n"
                          "1,h4,h1,0,1,2000000000,fork\n"
                          "2,h1,h0,6,4000000000000,2000000000,fork\n"
                          "0,h0,h5,3,200000,2000001205,fork\n"
                          "100 65535 0 ",
                          "sorted by start, with the ids of the file");
    NS_TEST_EXPECT_MSG_EQ(ParseFlows("0\n"),
                          "id,source,destination,priority,bytes,start_ns,group\n",
                          "no flow");
}

/// HPCC's simulator and its forks accept the unusual files of this test.
LOSSLESS_TEST(g_suite, "Files are read as the simulators read them")
{
    std::istringstream network("3 1 2\n2\n0 2 25000000000.0 1e-06s 0\n1 2 1e11bps 1\u00b5s 0\n"
                               "0 2 1Gbps 1us 0\n0 1 1Gbps 1us 0\nsrc dst rate\n");
    const auto [topology, note] = ParseHpccTopology(network, "t.txt");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().size(), 2, "what is announced");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[0].rate, DataRate("25Gbps"), "in bit/s");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[0].delay, MicroSeconds(1), "with an exponent");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[1].rate, DataRate("100Gbps"), "with an exponent");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[1].delay, MicroSeconds(1), "with a micro sign");
    NS_TEST_EXPECT_MSG_EQ(
        note.value_or(""),
        "t.txt announces 2 links, and 2 more lines were not read, as in the simulators.",
        "said");
    const HpccFlows flows =
        ReadFlows("2\n0 1 3 1e+03 2.5\n1 0 3 0 2\n0 1 3 1000 2.5\nexplanations\n", topology);
    NS_TEST_ASSERT_MSG_EQ(flows.flows.size(), 2, "what is announced");
    NS_TEST_EXPECT_MSG_EQ(flows.flows[1].bytes, 1000, "without a port");
    NS_TEST_EXPECT_MSG_EQ(flows.flows[1].start, MilliSeconds(2500), "in seconds");
    NS_TEST_EXPECT_MSG_EQ(flows.flows[0].bytes, 1, "of a message without payload");
    NS_TEST_EXPECT_MSG_EQ(
        flows.note.value_or(""),
        "f.txt announces 2 flows, and 1 more line was not read, as in the simulators. 1 flow of 0 "
        "bytes: sent as a message of 1 byte.",
        "said");
}

LOSSLESS_TEST(g_suite, "Starts that are probably in nanoseconds are noted")
{
    const Topology topology = ReadTopology(TOPOLOGY);
    NS_TEST_EXPECT_MSG_EQ(
        ReadFlows("2\n0 1 3 100 4000 2000000000\n0 1 3 100 4000 1\n", topology).note.value_or(""),
        "f.txt: the last flow starts at 2000000000 s, as starts are in seconds; are they in "
        "nanoseconds?",
        "the one that is late");
    NS_TEST_EXPECT_MSG_EQ(
        ReadFlows("2\n0 1 3 100 4000 2\n0 1 3 100 4000 1000\n", topology).note.has_value(),
        false,
        "none is late");
}

/// Tiny flows do not identify a file of ns3-rdma if other flows are large, or if the flows start at
/// an arbitrary microsecond or have no port.
LOSSLESS_TEST(g_suite, "Tiny flows are not taken for those of ns3-rdma")
{
    const std::string begin = "id,source,destination,priority,bytes,start_ns,group\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"2\n0 1 3 100 1 2.0\n1 0 3 100 1000 2.0\n",
         "0,h0,h1,3,1,2000000000,fork\n1,h1,h0,3,1000,2000000000,fork\n100 100 "},
        {"1\n0 1 3 100 1 2.00001\n", "0,h0,h1,3,1,2000010000,fork\n100 "},
        {"1\n0 1 3 50 60.5\n", "0,h0,h1,3,50,60500000000,fork\n0 "},
        {"1\n0 1 3 100 5e3 60.5\n", "0,h0,h1,3,5000,60500000000,fork\n100 "},
    };
    for (const auto& [text, flows] : cases)
    {
        NS_TEST_EXPECT_MSG_EQ(ParseFlows(text), begin + flows, text);
    }
}

LOSSLESS_TEST(g_suite, "Networks of GPU servers are read as SimAI writes them")
{
    Topology topology =
        ReadTopology("5 2 1 2 6 A100\n2 3 4\n0 2 2400Gbps 0.000025ms 0\n1 2 2400Gbps "
                     "25ns 0\n0 3 100Gbps 1us 0\n1 4 100Gbps 1us 0\n3 4 100Gbps 1us "
                     "0\n3 4 100Gbps 1us 0\n");
    NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), 2, "GPUs");
    NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches().size(), 3, "of both kinds");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[2].layer, "nvswitch", "those come first");
    NS_TEST_EXPECT_MSG_EQ(topology.GetNodes()[3].layer, "switch", "behind them");
    NS_TEST_EXPECT_MSG_EQ(topology.GetLinks()[0].delay, NanoSeconds(25), "a fraction of a ms");
}

LOSSLESS_TEST(g_suite, "A malformed flow file is refused with file and line")
{
    const std::string columns = "src dst priority dport size_bytes start_seconds";
    const std::string rdma = "the flows look like those of ns3-rdma, `src dst priority packets "
                             "start end`, which are not read; write `" +
                             columns +
                             "`, or, if the flows are so small, all of them without dport";
    const std::string good = "2\n0 1 3 100 10 2\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "f.txt: the file ends here, before the number of flows"},
        {"1 2\n", "f.txt:1: the line has 2 fields; the first line must be the number of flows"},
        {"-1\n", "f.txt:1: flows is '-1'; allowed is a whole number from 0 to 4294967295"},
        {good, "f.txt:2: the file ends here, before the last of 2 flows"},
        {good + "0 1 3 100 10\n",
         "f.txt:3: the line has 5 fields; a flow is in one line, `" + columns + "`"},
        {"1\n0 1 3\n100 10 2\n",
         "f.txt:2: the line has 3 fields; a flow is in one line, `" + columns + "`"},
        {good + "2 1 3 100 10 2\n", "f.txt:3: src is '2'; allowed is the id of a host"},
        {good + "0 6 3 100 10 2\n", "f.txt:3: dst is '6'; allowed is the id of a host"},
        {good + "0 h1 3 100 10 2\n", "f.txt:3: dst is 'h1'; allowed is the id of a host"},
        {good + "0 0 3 100 10 2\n", "f.txt:3: dst is '0'; allowed is another host than src"},
        {good + "0 1 8 100 10 2\n",
         "f.txt:3: priority is '8'; allowed is a whole number from 0 to 7"},
        {good + "0 1 3 65536 10 2\n",
         "f.txt:3: dport is '65536'; allowed is a whole number from 0 to 65535"},
        {good + "0 1 3 100 2.5 2\n",
         "f.txt:3: size_bytes is '2.5'; allowed is a whole number from 0 to 1000000000000000"},
        {good + "\n0 1 3 100 10 -2\n",
         "f.txt:4: start_seconds is '-2'; allowed is a number from 0 to 4611686018 "
         "in digits without separators, as 2.000001"},
        {good + "0 1 3 100 10 2s\n",
         "f.txt:3: start_seconds is '2s'; allowed is a number from 0 to 4611686018 "
         "in digits without separators, as 2.000001"},
        {good + "0 1 3 100 4000 4611686019\n",
         "f.txt:3: start_seconds is '4611686019'; allowed is a number from 0 to 4611686018 "
         "in digits without separators, as 2.000001"},
        {"2\n0 1 3 1000 2 9.5\n0 1 3 1000 2 9.5\n", "f.txt:3: " + rdma},
        {"2\n0 1 3 1000 2.0 9.5\n0 1 3 1000 2.0 9.5\n", "f.txt:2: " + rdma},
        {"1\n0 1 3 1000 0 9.5\n", "f.txt:2: " + rdma},
        {"3\n0 1 3 1000 2 9.5\n0 1 3 1000 9 2\n1 0 3 10 70 80\n", "f.txt:4: " + rdma},
        {"2\n0 1 3 100 4000 2\n0 1 3 1000 2.5 9.5\n", "f.txt:3: " + rdma},
        {"2\n0 1 3 100 4000 2\n0 1 3 100000 2 9\n", "f.txt:3: " + rdma},
        {"1\n0 1 3 100 1 2.0\n", "f.txt:2: " + rdma},
        {"2\n0 1 3 10 2\n0 1 3 100 10 2\n",
         "f.txt:3: the line has 6 fields; it must have 5: src dst priority size_bytes "
         "start_seconds"},
    };
    for (const auto& [text, complaint] : cases)
    {
        NS_TEST_EXPECT_MSG_EQ(ParseFlows(text), complaint, text);
    }
    ExpectStop("cannot open the file '/no/such/file'",
               []() { ReadHpccFlows("/no/such/file", Topology()); });
}

/// @return a network of 301 nodes; nodes 2 and 3 are switches, with h0 and h1 at one of them and
/// the remaining hosts at the other
std::string
MakeNetwork()
{
    std::ostringstream text;
    text << "301 2 300\n2 3\n";
    for (uint32_t id = 0; id < 301; ++id)
    {
        if (id != 2 && id != 3)
        {
            text << id << ' ' << (id < 2 ? 2 : 3) << " 100Gbps 1us 0\n";
        }
    }
    text << "2 3 10Gbps 1us 0\n";
    return text.str();
}

/// The first host has no link, and the last one has a failed link. The network is valid, but flows
/// that use these hosts are rejected with a message that names them.
LOSSLESS_TEST(g_suite, "A host without a working link is refused only where a flow needs it")
{
    Topology topology =
        ReadTopology("5 1 3\n4\n1 4 100Gbps 1us 0\n2 4 100Gbps 1us 0\n3 4 1Gbps 1us 0\n");
    topology.FailLink("h3", "s4");
    NS_TEST_EXPECT_MSG_EQ(topology.Validate().value_or(""), "", "valid");
    Fabric fabric(topology, SwitchHelper());
    NS_TEST_EXPECT_MSG_EQ((fabric.FindLongestPath() == std::pair<uint32_t, uint32_t>(1, 2)),
                          true,
                          "the only path");
    FlowSpec flow;
    flow.bytes = 1000;
    flow.priority = 3;
    for (const auto& [source, destination, sentence] :
         {std::tuple(0U, 1U, "flow 0: no path leads from h0 to h1; no working links join them"),
          std::tuple(1U, 3U, "flow 0: no path leads from h1 to h3; no working links join them")})
    {
        flow.source = source;
        flow.destination = destination;
        ExpectStop(sentence, [&] { fabric.StartFlows({flow}); });
    }
    Simulator::Destroy();
}

/// The network and the flows of files are simulated until two of three flows have ended. Between h0
/// and h300 there are two links of 100 Gb/s and one of 10 Gb/s, each with a delay of 1 us.
///
/// The frame of a packet with 1000 B of payload is 1058 B long and has an overhead of 24 B on the
/// wire. These 8656 bits take 86.56 ns at 100 Gb/s and 865.6 ns at 10 Gb/s. The frame of its
/// acknowledgement is 62 B long and has the same overhead. These 688 bits take 6.88 ns and 68.8 ns.
/// The three links to h300 take 3000 + 2 * 86.56 + 865.6 = 4038.72 ns forward and 3000 + 2 * 6.88 +
/// 68.8 = 3082.56 ns back, or 4039 + 3083 = 7122 ns in total after rounding. The two links from h0
/// to h1 take 2000 + 2 * 86.56 = 2173.12 ns and 2000 + 2 * 6.88 = 2013.76 ns, or 2173 + 2014 =
/// 4187 ns in total.
///
/// At the sender, the flow is complete after the whole round trip. A completion time measured at
/// the receiver would be little more than half as long. The ends of all frames are rounded to whole
/// nanoseconds on each link.
LOSSLESS_TEST(g_suite, "Files run to the end, and completion times have the columns of the forks")
{
    const Topology topology = ReadTopology(MakeNetwork());
    const HpccFlows flows = ReadFlows("3\n0 300 3 100 1000 0.000002\n"
                                      "0 1 3 200 1000 0.000001\n"
                                      "298 299 3 300 4000000000 0.000001\n",
                                      topology);

    Fabric fabric(topology, SwitchHelper("ns3::lossless::InfiniteBufferSwitchNode"));
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    fabric.StartFlows(flows.flows);
    Simulator::Stop(MicroSeconds(20)); // the third flow is far from finished at that time
    Simulator::Run();
    std::ostringstream fct;
    WriteHpccFct(fct, flows, fabric, recorder.GetFlows());
    const auto time = [&recorder](uint64_t id) {
        const FlowRecord& record = recorder.GetFlows().at(id);
        return record.acknowledged - record.start;
    };
    // Since 300 = 1 * 256 + 44, the address of h300 is 11.1.44.1. Source ports are 49152 + the flow
    // ID.
    std::ostringstream expected;
    expected << "0b000001 0b000101 49153 200 1000 1000 " << time(1).GetNanoSeconds() << " 4187\n"
             << "0b000001 0b012c01 49152 100 1000 2000 " << time(0).GetNanoSeconds() << " 7122\n";
    NS_TEST_EXPECT_MSG_EQ(fct.str(), expected.str(), "two flows in the order of completion");
    NS_TEST_EXPECT_MSG_EQ_TOL(time(1), NanoSeconds(4187), NanoSeconds(4), "on its own");
    NS_TEST_EXPECT_MSG_EQ_TOL(time(0), NanoSeconds(7122), NanoSeconds(6), "on its own");
}

LOSSLESS_TEST(g_suite, "All NICs of a host are told the base round-trip time")
{
    const Topology topology = ReadTopology("4 2 4\n2 3\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"
                                           "0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n");
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("CongestionControl", StringValue("ns3::lossless::Dctcp"));
    Fabric fabric(topology, SwitchHelper(), nics);
    fabric.SetBaseRtt(0, 1);
    std::vector<std::string> told;
    for (const auto& [host, port] : {std::pair(0, 0), {0, 1}, {1, 0}, {1, 1}})
    {
        ObjectFactoryValue control;
        fabric.GetNic(host, port)->GetAttribute("CongestionControl", control);
        told.push_back(control.SerializeToString(nullptr));
    }
    ExpectPart(told[0], "BaseRtt=");
    NS_TEST_EXPECT_MSG_EQ(std::count(told.begin(), told.end(), told[0]), 4, "each the same");
}

/// Each host has a fast and a slow NIC.
LOSSLESS_TEST(g_suite, "The ideal acknowledgement goes back between the NICs of its flow")
{
    // The first cable of each host is fast; the second one is slow and leads to another switch.
    const Topology topology = ReadTopology("4 2 4\n2 3\n"
                                           "0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"
                                           "0 3 10Gbps 10us 0\n1 3 10Gbps 10us 0\n");
    const HpccFlows flows = ReadFlows("2\n0 1 3 100 1000 0\n0 1 3 100 1000 0.001\n", topology);
    Fabric fabric(topology, SwitchHelper());
    FlowRecorder recorder;
    recorder.Watch(fabric.GetNic(0, 0));
    recorder.Watch(fabric.GetNic(0, 1));
    fabric.StartFlows(flows.flows);
    RunFor(MilliSeconds(2));
    std::ostringstream fct;
    WriteHpccFct(fct, flows, fabric, recorder.GetFlows());
    // The 1082 B of the packet take 86.56 ns at 100 Gb/s and 865.6 ns at 10 Gb/s; the 86 B of the
    // acknowledgement take 6.88 and 68.8 ns. Over two links each, they take 2173.12 and 2013.76 ns
    // on the fast cables, and 21731.2 and 20137.6 ns on the slow ones.
    std::istringstream lines(fct.str());
    for (const int64_t expected : {4187, 41869})
    {
        std::string word;
        for (uint32_t column = 0; column < 6; ++column)
        {
            lines >> word;
        }
        int64_t time = 0;
        int64_t standalone = 0;
        lines >> time >> standalone;
        NS_TEST_EXPECT_MSG_EQ(standalone, expected, "both ways");
        // Times differ by at most one nanosecond per link in each direction.
        NS_TEST_EXPECT_MSG_EQ((time > standalone - 4 && time <= standalone),
                              true,
                              "on its own: " << time);
    }
}

/// Links lose frames at the error rate that the file specifies, as in a fork of the simulator.
LOSSLESS_TEST(g_suite, "The error rate of a link corrupts frames")
{
    const Topology topology = ReadTopology("2 0 1\n0 1 100Gbps 1us 0.1\n");
    Fabric fabric(topology, SwitchHelper());
    fabric.AssignStreams(1);
    uint32_t lost = 0;
    ListenTo(*fabric.GetHostDevice(1), "PhyRxDrop", [&lost](Ptr<const Packet>) { ++lost; });
    fabric.StartFlows(ReadFlows("1\n0 1 3 100 1000000 0\n", topology).flows);
    // In 80 us, the link carries 924 packets of 86.56 ns each, of which 92 are lost on average.
    Simulator::Stop(MicroSeconds(80));
    Simulator::Run();
    // The tolerance is four standard deviations of sqrt(924 * 0.1 * 0.9) = 9.1 in each direction.
    NS_TEST_EXPECT_MSG_EQ_TOL(lost, 92, 37, "a tenth of the frames");
}

/// As in all forks, the addresses are in 11.0.0.0/8 and unique.
LOSSLESS_TEST(g_suite, "Addresses are those of the forks")
{
    NS_TEST_EXPECT_MSG_EQ(GetHpccAddress(0), 0x0b000001, "11.0.0.1");
    NS_TEST_EXPECT_MSG_EQ(GetHpccAddress(255), 0x0b00ff01, "11.0.255.1");
    NS_TEST_EXPECT_MSG_EQ(GetHpccAddress(256), 0x0b010001, "11.1.0.1");
    NS_TEST_EXPECT_MSG_EQ(GetHpccAddress(65535), 0x0bffff01, "11.255.255.1");
}

} // namespace ns3::lossless::tests::THIS_FILE
