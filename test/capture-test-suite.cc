// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bfc-header.h"
#include "ns3/fafc-header.h"
#include "ns3/gfc-header.h"
#include "ns3/ofc-header.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/telemetry-header.h"

#include <csignal>
#include <filesystem>
#include <sys/resource.h>

// Dissects captures with plain tshark, which does not know this module's formats, and with tshark
// and the module's Lua script. Without tshark, these checks are skipped and a message is printed.
// Errors when writing captures are also tested.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-capture", SYSTEM);
Suite g_fullDiskSuite("lossless-full-disk", SYSTEM);

using Lines = std::vector<std::string>;

const std::string ROOT = std::string(NS_TEST_SOURCEDIR) + "/../";
/// The arguments that load the script for the module's additions to the wire format.
const std::string WITH_SCRIPT = "-X 'lua_script:" + ROOT + "scripts/wireshark/lossless.lua'";

/// @return true if tshark is installed; if not, a message is printed
bool
HasTshark()
{
    const bool isThere = std::system("command -v tshark >/dev/null 2>&1") == 0;
    if (!isThere)
    {
        std::cerr << "lossless-capture: tshark is not installed, nothing is dissected\n";
    }
    return isThere;
}

std::string
Join(const Lines& lines)
{
    std::string text;
    for (const std::string& line : lines)
    {
        text += line + "\n";
    }
    return text;
}

/// Runs tshark. Two heuristic dissectors that misinterpret the payload of RoCE are disabled.
Lines
Dissect(const std::string& file, const std::string& arguments)
{
    const std::string command = "tshark -r '" + file +
                                "' --disable-protocol rpcordma --disable-protocol smb_direct"
                                " -o ip.check_checksum:TRUE " +
                                arguments + " 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe)
    {
        return {"tshark could not be started"};
    }
    std::string text;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe)) > 0;)
    {
        text.append(part.data(), n);
    }
    pclose(pipe);
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/// @return one line per packet, with its fields separated by spaces
Lines
GetFields(const std::string& file,
          const std::string& filter,
          const std::string& fields,
          const std::string& options = "")
{
    std::string arguments = options + " -Y '" + filter + "' -T fields -E separator=/s";
    std::istringstream words(fields);
    for (std::string field; words >> field;)
    {
        arguments += " -e " + field;
    }
    return Dissect(file, arguments);
}

std::map<std::string, uint32_t>
Count(const Lines& lines)
{
    std::map<std::string, uint32_t> counts;
    for (const std::string& line : lines)
    {
        ++counts[line];
    }
    return counts;
}

/// A brief period of congestion produces PFC and RoCE frames.
LOSSLESS_TEST(g_suite, "tshark reads PFC and RoCEv2 frames with the right fields, none malformed")
{
    const std::string senderFile = CreateTempDirFilename("sender.pcap");     // written at host 0
    const std::string receiverFile = CreateTempDirFilename("receiver.pcap"); // written at host 2
    Lines pfcFrames; // PFC frames that arrived at host 0, in the format of GetFields()
    // Hosts 0 and 1 send 50 packets each to host 2, and host 0 sends one more of 301 B.
    uint32_t marked = 0;
    {
        SwitchHelper switches = MakeStaticSwitch(5000, 4000);
        switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(15000));
        Fabric fabric(Topology::Star({3, DataRate("10Gbps")}), switches);
        LosslessHelper helper;
        helper.EnablePcap(senderFile, fabric.GetHostDevice(0), true, true);
        helper.EnablePcap(receiverFile, fabric.GetHostDevice(2), true, true);
        ListenTo(*fabric.GetHostDevice(0), "PhyRxEnd", [&pfcFrames](Ptr<const Packet> packet) {
            if (const auto pfc = ParsePfcFrame(packet))
            {
                std::ostringstream line;
                line << "0.";
                line.width(9);
                line.fill('0');
                line << Simulator::Now().GetNanoSeconds() << " 60 01:80:c2:00:00:01 0x8808 0x0101 "
                     << "0x0008 1 " << pfc->GetQuanta(Priority{3}) << " 0";
                pfcFrames.push_back(line.str());
            }
        });
        fabric.StartFlows({{0, 0, 2, 3, 50000, Time(0), ""},
                           {1, 1, 2, 3, 50000, Time(0), ""},
                           {2, 0, 2, 3, 301, Time(0), ""}});
        RunFor(MilliSeconds(10));
        marked = fabric.GetSwitch(0)->GetCounts().marked;
    }
    Simulator::Destroy(); // closes the files
    NS_TEST_EXPECT_MSG_GT(pfcFrames.size(), 3, "PAUSE and RESUME frames arrived");
    NS_TEST_EXPECT_MSG_GT(marked, 0, "frames were marked");
    if (!HasTshark())
    {
        return;
    }
    // No packet is malformed or has a wrong checksum, length or sequence number.
    for (const std::string& file : {senderFile, receiverFile})
    {
        NS_TEST_EXPECT_MSG_EQ(Join(Dissect(file, "-Y '_ws.malformed || _ws.expert'")),
                              "",
                              "complaints about " << file);
        const auto unknown = Dissect(file, "-Y '!macc && !infiniband'");
        NS_TEST_EXPECT_MSG_EQ(Join(unknown), "", "frames which are neither PFC nor RoCE");
    }
    // The PFC frames that host 0 receives, with their times.
    const auto found = GetFields(senderFile,
                                 "macc",
                                 "frame.time_epoch frame.len eth.dst eth.type macc.opcode "
                                 "macc.cbfc.enbv macc.cbfc.enbv.c3 macc.cbfc.pause_time.c3 "
                                 "macc.cbfc.pause_time.c0");
    NS_TEST_EXPECT_MSG_EQ(Join(found), Join(pfcFrames), "PFC frames");
    for (const std::string rest : {" 65535 0", " 1 0 0"})
    {
        ExpectPart(Join(found), rest);
    }
    // This filter selects the data packets that host 2 receives.
    const std::string isData = "infiniband.bth.opcode < 16";
    // These are the opcodes SEND First, Middle, Last and Only of reliable connections.
    const auto opcodes = Count(GetFields(receiverFile, isData, "infiniband.bth.opcode"));
    NS_TEST_EXPECT_MSG_EQ(
        (opcodes == std::map<std::string, uint32_t>{{"0", 2}, {"1", 96}, {"2", 2}, {"4", 1}}),
        true,
        "opcodes");
    const auto codePoints = Count(GetFields(receiverFile, isData, "ip.dsfield.dscp"));
    NS_TEST_EXPECT_MSG_EQ((codePoints == std::map<std::string, uint32_t>{{"24", 101}}),
                          true,
                          "class 3");
    const auto codes = Count(GetFields(receiverFile, isData, "ip.dsfield.ecn"));
    NS_TEST_EXPECT_MSG_EQ(
        (codes == std::map<std::string, uint32_t>{{"2", 101 - marked}, {"3", marked}}),
        true,
        "marked by the switch, or ECT(0)");
    // The number of each queue pair is derived from its flow, and the packets of each queue pair
    // are numbered from 0.
    std::map<std::string, std::string> numbers;
    for (const std::string& line :
         GetFields(receiverFile, isData, "infiniband.bth.destqp infiniband.bth.psn"))
    {
        const auto space = line.find(' ');
        numbers[line.substr(0, space)] += line.substr(space);
    }
    std::string fifty;
    for (uint32_t i = 0; i < 50; ++i)
    {
        fifty.append(" ").append(std::to_string(i));
    }
    Lines sequences;
    for (const auto& [queuePair, sequence] : numbers)
    {
        sequences.push_back(queuePair + sequence);
    }
    NS_TEST_EXPECT_MSG_EQ(Join(sequences),
                          Join({"0x000002" + fifty, "0x000003" + fifty, "0x000004 0"}),
                          "sequence numbers");
    // Host 0 receives one answer to each of its 51 packets. None of the answers is negative, and
    // each of them contains the queue pair number of the flow that it answers.
    const auto answers = Count(GetFields(senderFile,
                                         "infiniband.bth.opcode == 17",
                                         "ip.dsfield.dscp infiniband.aeth.syndrome.opcode "
                                         "infiniband.bth.destqp"));
    NS_TEST_EXPECT_MSG_EQ(
        (answers == std::map<std::string, uint32_t>{{"56 0 0x000002", 50}, {"56 0 0x000004", 1}}),
        true,
        "acknowledgements in class 7");
    const auto conversation =
        GetFields(senderFile, "infiniband.bth.destqp == 4", "ip.src infiniband.bth.opcode");
    NS_TEST_EXPECT_MSG_EQ(Join(conversation),
                          Join({"10.0.0.1 4", "10.0.0.3 17"}),
                          "one number shows a flow and its answer");
}

std::string
Run(const std::function<void(LosslessHelper&, Ptr<NetDevice>)>& trace)
{
    return GetAbortMessage([&trace]() {
        Pair pair;
        LosslessHelper helper;
        trace(helper, pair.GetHost(0).device);
        pair.GetHost(0).Send(1, 0, 100);
        Simulator::Run();
        Simulator::Destroy();
    });
}

/// At the end of the simulation, a capture that did not fit on the disk is detected.
LOSSLESS_TEST(g_fullDiskSuite, "captures and traces on a full disk end the program with a sentence")
{
    const std::string good = CreateTempDirFilename("good");
    const auto capture = [](const std::string& name) {
        return Run(
            [&name](auto& helper, auto device) { helper.EnablePcap(name, device, true, true); });
    };
    const auto print = [](const std::string& name) {
        return Run([&name](auto& helper, auto device) { helper.EnableAscii(name, device, true); });
    };
    const std::string sentence = " /dev/full could not be written in full; is the disk full?";
    ExpectPart(capture("/dev/full"), "the capture" + sentence);
    ExpectPart(print("/dev/full"), "the trace" + sentence);
    // A limit on the file size, smaller than the header and a frame, simulates a full disk for
    // files.
    const std::string cut = CreateTempDirFilename("cut");
    const std::string said = Run([&cut](auto& helper, auto device) {
        std::signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit;
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 50;
        setrlimit(RLIMIT_FSIZE, &limit);
        helper.EnablePcap(cut + "-a", device, true, true);
        helper.EnablePcap(cut + "-b", device, true, true);
    });
    ExpectPart(said, "the capture " + cut + "-a could not be written in full");
    for (const std::string end : {"-a", "-b"})
    {
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(cut + end), false, "nothing is left" << end);
    }
    const std::string nowhere = good + "/no/such.pcap";
    ExpectPart(capture(nowhere),
               "the capture " + nowhere + " cannot be opened for writing; does its folder exist?");
    NS_TEST_EXPECT_MSG_EQ(capture(good + ".pcap"), "", "a good capture");
    NS_TEST_EXPECT_MSG_EQ(print(good + ".tr"), "", "a good trace");
}

/// Hosts 0 and 1 send 200 packets each to host 2. Packets to host 2 can be lost.
void
SimulateLoss(const std::string& control, const std::string& file)
{
    Topology topology;
    for (const std::string name : {"h0", "h1", "h2"})
    {
        topology.AddHost(name);
    }
    const uint32_t hub = topology.AddSwitch("s0");
    for (uint32_t host = 0; host < 3; ++host)
    {
        topology.AddLink(host, hub, DataRate("10Gbps"), MicroSeconds(1), host == 2 ? 0.02 : 0);
    }
    SwitchHelper switches("ns3::lossless::PfcSwitchNode");
    switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(5000));
    Fabric fabric(topology, switches, MakeNics({{"CongestionControl", control}}));
    fabric.AssignStreams(1);
    LosslessHelper().EnablePcap(file, fabric.GetHostDevice(1), true, true);
    fabric.StartFlows({{0, 0, 2, 3, 200000, Time(0), ""}, {1, 1, 2, 3, 200000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "ACKs, NAKs and CNPs go to the number of the sender")
{
    const std::string file = CreateTempDirFilename("dcqcn.pcap");
    SimulateLoss("ns3::lossless::Dcqcn", file);
    if (!HasTshark())
    {
        return;
    }
    for (const std::string filter : {"infiniband.bth.opcode == 17",
                                     "infiniband.aeth.syndrome.opcode == 3",
                                     "infiniband.bth.opcode == 0x81"})
    {
        const auto numbers = Count(GetFields(file, filter, "infiniband.bth.destqp"));
        NS_TEST_EXPECT_MSG_EQ(numbers.size(), 1, filter);
        NS_TEST_EXPECT_MSG_EQ(numbers.count("0x000003"), 1, filter);
    }
}

LOSSLESS_TEST(g_suite, "telemetry of a run is read by the script for Wireshark")
{
    const std::string file = CreateTempDirFilename("hpcc.pcap");
    SimulateLoss("ns3::lossless::Hpcc", file);
    if (!HasTshark())
    {
        return;
    }
    const std::string fields = "lossless.telemetry.hops lossless.telemetry.rate";
    const auto sent = Count(GetFields(file, "infiniband.bth.opcode < 16", fields, WITH_SCRIPT));
    NS_TEST_EXPECT_MSG_EQ(sent.size(), 1, "data leaves with no switch in it");
    NS_TEST_EXPECT_MSG_EQ(sent.count("0 "), 1, "and with room for some");
    const auto echoed = Count(GetFields(file, "infiniband.bth.opcode == 17", fields, WITH_SCRIPT));
    NS_TEST_EXPECT_MSG_EQ(echoed.count("1 10000"), 1, "answers tell of the link to host 2");
    const auto complaints = Dissect(file, WITH_SCRIPT + " -Y '_ws.malformed || _ws.lua.error'");
    NS_TEST_EXPECT_MSG_EQ(Join(complaints), "", "complaints");
}

/// @return the addresses of packets of flow 3
RocePath
MakePath(uint8_t tos)
{
    return {Mac48Address("00:00:00:00:00:01"),
            Mac48Address("00:00:00:00:00:02"),
            Ipv4Address("10.0.0.1"),
            Ipv4Address("10.0.0.2"),
            49155,
            tos,
            RoceConnection::NumberOf(3)};
}

/// @param hops the telemetry records that switches 1, 2, ... have written
/// @return a marked packet of 1000 B in class 3
Ptr<Packet>
MakeData(const std::vector<TelemetryHop>& hops)
{
    RocePacketMaker maker;
    maker.SetPath(MakePath(3 << 5 | 3));
    maker.GetHeader().SetPayloadSize(1000);
    maker.AskForTelemetry();
    Frame frame = maker.Make();
    for (uint32_t i = 0; i < hops.size(); ++i)
    {
        StampTelemetry(frame, i + 1, hops[i]);
    }
    return frame.packet;
}

Ptr<Packet>
MakeControl(const Header& body)
{
    return MakeMacControlFrame(Mac48Address("00:00:00:00:00:03"), body);
}

/// @return an ACK and a NAK that echo telemetry and a mark, and a CNP
std::vector<Ptr<Packet>>
MakeAnswers()
{
    ReceiveQueuePair receiver;
    receiver.Open(FlowRecord(), MakePath(7 << 5), 0, true);
    std::vector<Ptr<Packet>> answers;
    for (auto answer : {&ReceiveQueuePair::MakeAck, &ReceiveQueuePair::MakeNak})
    {
        RoceHeader marked;
        marked.SetTos(3);
        receiver.Accept(marked);
        TelemetryHeader telemetry;
        telemetry.Push(9, {5, 100, 2, 4});
        receiver.TakeTelemetry(telemetry);
        answers.push_back((receiver.*answer)().packet);
    }
    answers.push_back(receiver.MakeCnp().packet);
    return answers;
}

OfcHeader
MakeList()
{
    OfcHeader body;
    body.classes = SetOf(Priority{3});
    body.stop = true;
    body.flows = {0x1122334455667788, 5};
    return body;
}

std::vector<Ptr<Packet>>
MakeAllKinds()
{
    std::vector<Ptr<Packet>> frames = {MakeData({{11, 1000, 20, 3}, {7, 2500, 1048575, 65535}})};
    for (const auto& answer : MakeAnswers())
    {
        frames.push_back(answer);
    }
    PfcHeader pfc;
    pfc.SetQuanta(Priority{3}, 65535);
    frames.push_back(MakeControl(pfc));
    PfcHeader resume;
    resume.SetQuanta(Priority{3}, 0);
    frames.push_back(MakeControl(resume));
    OfcHeader all;
    all.classes = SetOf(Priority{5});
    all.all = true;
    frames.push_back(MakeControl(MakeList()));
    frames.push_back(MakeControl(all));
    OfcHeader port;
    port.stop = true;
    port.port = true;
    frames.push_back(MakeControl(port));
    GfcHeader gfc;
    gfc.priority = Priority{2};
    gfc.stage = 3;
    frames.push_back(MakeControl(gfc));
    FafcHeader fafc;
    fafc.classes = SetOf(Priority{1}) | SetOf(Priority{6});
    fafc.times[1] = 1500;
    fafc.times[6] = 4000000000;
    frames.push_back(MakeControl(fafc));
    BfcHeader bfc;
    bfc.classes = SetOf(Priority{3});
    bfc.filter = {{8, 2, 3}, {0x81, 0x10}};
    frames.push_back(MakeControl(bfc));
    return frames;
}

/// Writes a capture.
void
WriteCapture(const std::string& name, const std::vector<Ptr<Packet>>& frames)
{
    auto file = CreateObjectWithAttributes<PcapFileWrapper>("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    file->Init(1);
    Time time;
    for (const auto& frame : frames)
    {
        file->Write(time, frame);
        time += MicroSeconds(1);
    }
}

/// @return the protocol and information columns of each packet, as Wireshark's packet list shows
/// them with the script
Lines
GetList(const std::string& file, const std::string& filter)
{
    return Dissect(file,
                   WITH_SCRIPT + " -Y '" + filter +
                       "' -o 'gui.column.format:\"Protocol\",\"%p\",\"Info\",\"%i\"'");
}

void
CheckRoce(const std::string& file)
{
    const auto list = GetList(file, "infiniband");
    NS_TEST_EXPECT_MSG_EQ(Join(list),
                          Join({"RRoCE RC Send Only QP=0x000005 ",
                                "RRoCE RC Acknowledge QP=0x000005 ",
                                "RRoCE RC Acknowledge QP=0x000005 [PSN Sequence Error] ",
                                "RRoCE CNP QP=0x000005"}),
                          "in the list of packets");
    const auto found = GetFields(file,
                                 "infiniband",
                                 "lossless.becn lossless.telemetry.hops "
                                 "lossless.telemetry.path lossless.telemetry.rate "
                                 "lossless.telemetry.time lossless.telemetry.sent "
                                 "lossless.telemetry.queue",
                                 WITH_SCRIPT);
    // The path IDs are 1 xor 2, and 9. Sent bytes are in units of 128 B, and waiting bytes are in
    // units of 80 B.
    NS_TEST_EXPECT_MSG_EQ(Join(found),
                          Join({"0 2 0x0003 100000,25000 1000,2500 2560,134217600 240,5242800",
                                "1 1 0x0009 10000 100 256 320",
                                "1 1 0x0009 10000 100 256 320",
                                "1      "}),
                          "bits and telemetry");
}

LOSSLESS_TEST(g_suite, "the script for Wireshark reads all that the module adds")
{
    const std::string file = CreateTempDirFilename("kinds.pcap");
    WriteCapture(file, MakeAllKinds());
    if (!HasTshark())
    {
        return;
    }
    const auto list = GetList(file, "eth.type == 0x8808");
    NS_TEST_EXPECT_MSG_EQ(
        Join(list),
        Join({"MAC CTRL Class Based Flow Control [CBFC] Pause, class 3: 65535 quanta",
              "MAC CTRL Class Based Flow Control [CBFC] Pause, class 3: resume",
              "OFC class 3: stop, flows listed: 2",
              "OFC class 5: go on, all flows",
              "OFC port: stop",
              "GFC class 2: rate / 2^3",
              "FAFC class 1: 1500 ns, class 6: 4000000000 ns",
              "BFC stop, bits of the filter: 3 of 16"}),
        "in the list of packets");
    const auto expect =
        [&file](const std::string& filter, const std::string& fields, const std::string& line) {
            NS_TEST_EXPECT_MSG_EQ(Join(GetFields(file, filter, fields, WITH_SCRIPT)),
                                  line + "\n",
                                  filter);
        };
    expect("lossless.ofc.stop == 1 && lossless.ofc.port == 0",
           "lossless.ofc.classes lossless.ofc.all lossless.ofc.port "
           "lossless.ofc.count lossless.ofc.flow",
           "0x08 0 0 2 0x1122334455667788,0x0000000000000005");
    expect("lossless.ofc.stop == 0",
           "lossless.ofc.classes lossless.ofc.all lossless.ofc.port "
           "lossless.ofc.count lossless.ofc.flow",
           "0x20 1 0 0 ");
    expect("lossless.gfc.stage", "lossless.gfc.class lossless.gfc.stage", "2 3");
    expect("lossless.fafc.classes",
           "lossless.fafc.classes lossless.fafc.time.c0 "
           "lossless.fafc.time.c1 lossless.fafc.time.c6",
           "0x0042  1500 4000000000");
    expect("lossless.bfc.filter",
           "lossless.bfc.classes lossless.bfc.hashes lossless.bfc.flows lossless.bfc.filter",
           "0x08 3 8 8110");
    CheckRoce(file);
    const auto complaints = Dissect(file, WITH_SCRIPT + " -Y '_ws.expert || _ws.lua.error'");
    NS_TEST_EXPECT_MSG_EQ(Join(complaints), "", "complaints");
}

LOSSLESS_TEST(g_suite, "the script for Wireshark knows the rates of telemetry")
{
    const std::string file = CreateTempDirFilename("rates.pcap");
    std::vector<Ptr<Packet>> frames;
    Lines rates;
    for (uint8_t code = 0; code < 16; ++code)
    {
        const TelemetryHop hop{code, 0, 0, 0};
        frames.push_back(MakeData({hop}));
        rates.push_back(std::to_string(hop.GetRate() / 1000000));
    }
    frames.push_back(MakeData(std::vector<TelemetryHop>(20)));
    rates.emplace_back("0,0,0,0,0"); // only five records fit
    WriteCapture(file, frames);
    if (HasTshark())
    {
        const auto found = GetFields(file, "infiniband", "lossless.telemetry.rate", WITH_SCRIPT);
        NS_TEST_EXPECT_MSG_EQ(Join(found), Join(rates), "rates in Mb/s");
    }
}

LOSSLESS_TEST(g_suite, "the script for Wireshark says of cut frames that they are")
{
    const std::string file = CreateTempDirFilename("cut.pcap");
    const std::vector<Ptr<Packet>> whole = {MakeControl(MakeList()),
                                            MakeControl(GfcHeader()),
                                            MakeControl(FafcHeader())};
    std::vector<Ptr<Packet>> frames = {whole[0]->CreateFragment(0, 60)};
    for (const auto& frame : whole)
    {
        frames.push_back(frame->CreateFragment(0, 17));
    }
    // Packets must not cause errors in the Lua interpreter, regardless of where they are truncated.
    for (const auto& frame : MakeAllKinds())
    {
        for (uint32_t size = 14; size < std::min(frame->GetSize(), 120U); ++size)
        {
            frames.push_back(frame->CreateFragment(0, size));
        }
    }
    WriteCapture(file, frames);
    if (HasTshark())
    {
        NS_TEST_EXPECT_MSG_EQ(
            Join(GetList(file, "frame.number <= 4")),
            Join({"OFC cut short", "OFC cut short", "GFC cut short", "FAFC cut short"}),
            "in the list of packets");
        NS_TEST_EXPECT_MSG_EQ(Join(Dissect(file, WITH_SCRIPT + " -Y _ws.lua.error")), "", "errors");
    }
}

/// @return the filters in the first columns of the tables in doc/reading-a-capture.rst
Lines
GetFiltersOfPage()
{
    std::ifstream page(ROOT + "doc/reading-a-capture.rst");
    Lines filters;
    for (std::string line; std::getline(page, line);)
    {
        const auto end = line.find("``  ", 2);
        if (line.rfind("``", 0) == 0 && end != std::string::npos)
        {
            filters.push_back(line.substr(2, end - 2));
        }
    }
    return filters;
}

/// @return the number of frames that match each filter; empty if one of the filters is invalid
std::vector<uint32_t>
CountFrames(const std::string& file, const Lines& filters, const std::string& options)
{
    std::string statistics = "io,stat,0";
    for (const std::string& filter : filters)
    {
        statistics += ",FRAMES()" + filter;
    }
    std::vector<uint32_t> counts;
    for (const std::string& line : Dissect(file, options + " -q -z '" + statistics + "'"))
    {
        std::istringstream cells(line); // "| from <> to | count | count |"
        std::string cell;
        const bool isRow = line.find("<>") != std::string::npos;
        while (isRow && counts.size() < filters.size() && std::getline(cells, cell, '|'))
        {
            if (!cell.empty() && cell.find("<>") == std::string::npos)
            {
                counts.push_back(static_cast<uint32_t>(std::stoul(cell)));
            }
        }
    }
    return counts;
}

LOSSLESS_TEST(g_suite, "each filter of the page on captures finds some frames, and not all")
{
    const std::string file = CreateTempDirFilename("kinds.pcap");
    const auto frames = MakeAllKinds();
    WriteCapture(file, frames);
    if (!HasTshark())
    {
        return;
    }
    Lines known;
    Lines ours;
    for (const std::string& filter : GetFiltersOfPage())
    {
        (filter.find("lossless.") == std::string::npos ? known : ours).push_back(filter);
    }
    NS_TEST_EXPECT_MSG_GT(known.size(), 10, "filters of the first table");
    NS_TEST_EXPECT_MSG_GT(ours.size(), 10, "filters of the second table");
    for (const auto& [filters, options] : {std::pair(known, std::string()), {ours, WITH_SCRIPT}})
    {
        const auto counts = CountFrames(file, filters, options);
        NS_TEST_ASSERT_MSG_EQ(counts.size(), filters.size(), "all are filters");
        for (std::size_t i = 0; i < counts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT(counts[i], 0, filters[i]);
            NS_TEST_EXPECT_MSG_LT(counts[i], frames.size(), filters[i]);
        }
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
