// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/lossless-fabric.h"
#include "ns3/lossless-helper.h"
#include "ns3/mac-control-header.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * Captures of a run, dissected by tshark, which knows nothing of this module. Without tshark they
 * are not checked, and a line says so. Captures that could not be written.
 */

namespace ns3::lossless::tests
{

namespace
{

using Lines = std::vector<std::string>;

/// @param lines lines @return them as one text
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

/**
 * Runs tshark. Two dissectors guess wrongly what the payload of RoCE is, and are switched off.
 * @param file a capture
 * @param arguments further arguments
 * @return the lines that it prints
 */
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

/// @param file a capture @param filter which packets @param fields names of fields
/// @return a line per packet, with the fields separated by spaces
Lines
GetFields(const std::string& file, const std::string& filter, const Lines& fields)
{
    std::string arguments = "-Y '" + filter + "' -T fields -E separator=/s";
    for (const std::string& field : fields)
    {
        arguments += " -e " + field;
    }
    return Dissect(file, arguments);
}

/// @param lines lines @return how often each occurs
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

/// PFC and RoCE frames of a small congestion.
class CaptureCase : public TestCase
{
  public:
    CaptureCase()
        : TestCase("tshark reads PFC and RoCEv2 frames with the right fields, and no malformed one")
    {
    }

  private:
    void DoRun() override
    {
        m_senderFile = CreateTempDirFilename("sender.pcap");
        m_receiverFile = CreateTempDirFilename("receiver.pcap");
        Simulate();
        NS_TEST_EXPECT_MSG_GT(m_pfc.size(), 3, "PAUSE and RESUME frames arrived");
        NS_TEST_EXPECT_MSG_GT(m_marked, 0, "frames were marked");
        if (std::system("command -v tshark >/dev/null 2>&1") != 0)
        {
            std::cerr << "lossless-capture: tshark is not installed, nothing is dissected\n";
            return;
        }
        CheckSound(m_senderFile);
        CheckSound(m_receiverFile);
        CheckPfc();
        CheckData();
        CheckAnswers();
    }

    /// Hosts 0 and 1 send 50 packets each to host 2, and host 0 one more of 301 B.
    void Simulate()
    {
        SwitchHelper switches("ns3::lossless::PfcSwitchNode");
        switches.SetBufferPolicy("ns3::lossless::StaticBufferPolicy");
        switches.SetPolicyAttribute("Xoff", UintegerValue(5000));
        switches.SetPolicyAttribute("Xon", UintegerValue(4000));
        switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(15000));
        StarOptions options;
        options.hosts = 3;
        options.rate = DataRate("10Gbps");
        Fabric fabric(Topology::Star(options), switches);
        LosslessHelper helper;
        helper.EnablePcap(m_senderFile, fabric.GetHostDevice(0), true, true);
        helper.EnablePcap(m_receiverFile, fabric.GetHostDevice(2), true, true);
        fabric.GetHostDevice(0)->TraceConnectWithoutContext(
            "PhyRxEnd",
            MakeCallback(&CaptureCase::NotePfc, this));
        FlowSpec flow;
        flow.destination = 2;
        flow.priority = 3;
        flow.bytes = 50000;
        FlowList flows(3, flow);
        flows[1].id = 1;
        flows[1].source = 1;
        flows[2].id = 2;
        flows[2].bytes = 301;
        fabric.StartFlows(flows);
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        m_marked = fabric.GetSwitch(0)->GetCounts().marked;
        Simulator::Destroy();
    }

    /// Notes a PFC frame as GetFields() will show it. @param packet a frame that arrived
    void NotePfc(Ptr<const Packet> packet)
    {
        if (const auto pfc = ParsePfcFrame(packet))
        {
            std::ostringstream line;
            line << "0.";
            line.width(6);
            line.fill('0');
            line << Simulator::Now().GetMicroSeconds() << "000 60 01:80:c2:00:00:01 0x8808 0x0101 "
                 << "0x0008 1 " << pfc->GetQuanta(Priority{3}) << " 0";
            m_pfc.push_back(line.str());
        }
    }

    /// Neither malformed nor remarkable in any other way: checksums, lengths, sequence numbers.
    void CheckSound(const std::string& file)
    {
        NS_TEST_EXPECT_MSG_EQ(Join(Dissect(file, "-Y '_ws.malformed || _ws.expert'")),
                              "",
                              "complaints about " << file);
        const auto unknown = Dissect(file, "-Y '!macc && !infiniband'");
        NS_TEST_EXPECT_MSG_EQ(Join(unknown), "", "frames which are neither PFC nor RoCE");
    }

    /// The PFC frames that host 0 gets, with their times.
    void CheckPfc()
    {
        const auto found = GetFields(m_senderFile,
                                     "macc",
                                     {"frame.time_epoch",
                                      "frame.len",
                                      "eth.dst",
                                      "eth.type",
                                      "macc.opcode",
                                      "macc.cbfc.enbv",
                                      "macc.cbfc.enbv.c3",
                                      "macc.cbfc.pause_time.c3",
                                      "macc.cbfc.pause_time.c0"});
        NS_TEST_EXPECT_MSG_EQ(Join(found), Join(m_pfc), "PFC frames");
        const bool hasBoth = std::any_of(found.begin(),
                                         found.end(),
                                         [](const std::string& line) {
                                             return line.find(" 65535 0") != std::string::npos;
                                         }) &&
                             std::any_of(found.begin(), found.end(), [](const std::string& line) {
                                 return line.find(" 1 0 0") != std::string::npos;
                             });
        NS_TEST_EXPECT_MSG_EQ(hasBoth, true, "PAUSE for the longest time, and RESUME");
    }

    /// The data packets that host 2 gets.
    void CheckData()
    {
        const std::string isData = "infiniband.bth.opcode < 16";
        // SEND First, Middle, Last and Only of reliable connections.
        const auto opcodes = Count(GetFields(m_receiverFile, isData, {"infiniband.bth.opcode"}));
        NS_TEST_EXPECT_MSG_EQ(
            (opcodes == std::map<std::string, uint32_t>{{"0", 2}, {"1", 96}, {"2", 2}, {"4", 1}}),
            true,
            "opcodes");
        const auto codePoints = Count(GetFields(m_receiverFile, isData, {"ip.dsfield.dscp"}));
        NS_TEST_EXPECT_MSG_EQ((codePoints == std::map<std::string, uint32_t>{{"24", 101}}),
                              true,
                              "class 3");
        const auto marked = Count(GetFields(m_receiverFile, isData, {"ip.dsfield.ecn"}));
        NS_TEST_EXPECT_MSG_EQ(
            (marked == std::map<std::string, uint32_t>{{"2", 101 - m_marked}, {"3", m_marked}}),
            true,
            "marked by the switch, or ECT(0)");
        // Each queue pair counts its packets from 0 on.
        std::map<std::string, std::string> numbers;
        for (const std::string& line :
             GetFields(m_receiverFile, isData, {"infiniband.bth.destqp", "infiniband.bth.psn"}))
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
            sequences.push_back(sequence);
        }
        std::sort(sequences.begin(), sequences.end());
        NS_TEST_EXPECT_MSG_EQ(Join(sequences), Join({" 0", fifty, fifty}), "sequence numbers");
    }

    /// The answers that host 0 gets: one for each of its 51 packets, none of them negative.
    void CheckAnswers()
    {
        const auto answers =
            Count(GetFields(m_senderFile,
                            "infiniband.bth.opcode == 17",
                            {"ip.dsfield.dscp", "infiniband.aeth.syndrome.opcode"}));
        NS_TEST_EXPECT_MSG_EQ((answers == std::map<std::string, uint32_t>{{"56 0", 51}}),
                              true,
                              "acknowledgements in class 7");
    }

    std::string m_senderFile;   ///< capture at host 0
    std::string m_receiverFile; ///< capture at host 2
    Lines m_pfc;                ///< PFC frames that arrived at host 0
    uint32_t m_marked{0};       ///< frames which the switch marked
};

/// A capture that the disk has no room for is noticed when the simulation ends.
class FullDiskCase : public TestCase
{
  public:
    FullDiskCase()
        : TestCase("captures and traces on a full disk end the program with a sentence")
    {
    }

  private:
    /// @param trace writes the frames of a device @return what the program says at its end
    static std::string Run(const std::function<void(LosslessHelper&, Ptr<NetDevice>)>& trace)
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

    void DoRun() override
    {
        const std::string good = CreateTempDirFilename("good");
        const auto capture = [](const std::string& name) {
            return Run([&name](auto& helper, auto device) {
                helper.EnablePcap(name, device, true, true);
            });
        };
        const auto print = [](const std::string& name) {
            return Run(
                [&name](auto& helper, auto device) { helper.EnableAscii(name, device, true); });
        };
        const std::string sentence =
            "LosslessHelper: /dev/full could not be written in full; is the disk full?";
        for (const std::string& said : {capture("/dev/full"), print("/dev/full")})
        {
            NS_TEST_EXPECT_MSG_NE(said.find(sentence), std::string::npos, "said: " << said);
        }
        NS_TEST_EXPECT_MSG_EQ(capture(good + ".pcap"), "", "a good capture");
        NS_TEST_EXPECT_MSG_EQ(print(good + ".tr"), "", "a good trace");
    }
};

/// The suite.
class CaptureTestSuite : public TestSuite
{
  public:
    CaptureTestSuite()
        : TestSuite("lossless-capture", tests::SYSTEM)
    {
        AddTestCase(new CaptureCase, tests::QUICK);
    }
};

CaptureTestSuite g_captureTestSuite; ///< registers itself

/// A suite, and so a process, of its own: ns-3 wants to know of ASCII traces before the first
/// packet.
class FullDiskTestSuite : public TestSuite
{
  public:
    FullDiskTestSuite()
        : TestSuite("lossless-full-disk", tests::SYSTEM)
    {
        AddTestCase(new FullDiskCase, tests::QUICK);
    }
};

FullDiskTestSuite g_fullDiskTestSuite; ///< registers itself

} // namespace

} // namespace ns3::lossless::tests
