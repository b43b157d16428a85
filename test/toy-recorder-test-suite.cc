// SPDX-License-Identifier: GPL-2.0-only
//
// A custom recorder in one file. It counts the frames that switches have sent, by source, and is
// registered in a separate process, so that it is not present in other tests.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/ranks.h"
#include "ns3/record-archive.h"
#include "ns3/recorder.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-toy-recorder", UNIT);

// [begin recorder]

/// Counts the frames that switches send for each source, and writes senders.csv and a member of
/// run.json.
class SenderRecorder : public lossless::Recorder
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::SenderRecorder")
                                .SetParent<lossless::Recorder>()
                                .AddConstructor<SenderRecorder>();
        return tid;
    }

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override
    {
        const auto log = std::make_shared<Log>();
        log->m_name = name;
        log->m_rank = Ranks::GetRankOf(*node);
        m_logs.push_back(log);
        if (Ranks::IsOwn(*node))
        {
            ListenTo(*node, "Dequeue", [log](const SwitchItem& item) {
                ++log->m_frames[item.frame.flow.source];
            });
        }
    }

    std::vector<NamedTable> GetTables() const override
    {
        return {{"senders", [this] { return GetTable(); }}};
    }

    ResultFacts GetFacts() const override
    {
        uint64_t frames = 0;
        for (const auto& log : m_logs)
        {
            for (const auto& [source, count] : log->m_frames)
            {
                frames += count;
            }
        }
        return {{"frames", frames}, {"switches", m_logs.size()}};
    }

    std::vector<std::string> GetHints() const override
    {
        return {"Who has sent how much is in senders.csv."};
    }

    // In a parallel run, each rank sends the counts of its own switches to the other ranks.

    void Save(std::ostream& os) const override
    {
        for (const auto& log : m_logs)
        {
            if (log->m_rank == Ranks::GetRank())
            {
                SaveParts(os, log->m_frames);
            }
        }
    }

    void Merge(std::istream& is, uint32_t rank) override
    {
        for (const auto& log : m_logs)
        {
            if (log->m_rank == rank)
            {
                LoadParts(is, log->m_frames);
            }
        }
    }

  private:
    /// The counts of a switch. The switch owns this object because the recorder can be destroyed
    /// first.
    struct Log
    {
        std::string m_name;                    ///< name of the switch
        uint32_t m_rank{0};                    ///< rank of the switch
        std::map<uint32_t, uint64_t> m_frames; ///< number of frames per source address
    };

    ResultTable GetTable() const
    {
        ResultTable table{{"node", "source", "frames"}, {}};
        for (const auto& log : m_logs)
        {
            for (const auto& [source, count] : log->m_frames)
            {
                table.rows.push_back({log->m_name, source, count});
            }
        }
        return table;
    }

    std::vector<std::shared_ptr<Log>> m_logs; ///< one log per switch
};

NS_OBJECT_ENSURE_REGISTERED(SenderRecorder);

// A program would register it with: const RegisterRecorder<SenderRecorder> g_senders("senders");

// [end recorder]

std::string
Run(const std::string& folder)
{
    return GetAbortMessage([&folder] {
        const RegisterRecorder<SenderRecorder> senders("senders");
        Fabric fabric(Topology::Star({3, DataRate("10Gbps"), MicroSeconds(1)}),
                      SwitchHelper(FindPart<SchemeInfo>("DSH").value()));
        ResultsWriter results(folder);
        results.AddFabric(fabric);
        fabric.StartFlows({{0, 0, 2, 3, 4000, Time(0), ""}, {1, 1, 2, 3, 2000, Time(0), ""}});
        Simulator::Run();
        results.Finish();
        Simulator::Destroy();
        std::exit(1);
    });
}

LOSSLESS_TEST(g_suite, "A recorder of a program's own has its file, its facts and its hints")
{
    const std::string folder = CreateTempDirFilename("run");
    ExpectPart(Run(folder), "Who has sent how much is in senders.csv.\n");
    // Hosts 0 and 1 send four and two packets, and host 2 sends one acknowledgement for each
    // packet.
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/senders.csv"),
                          "node,source,frames\n"
                          "s0,167772161,4\ns0,167772162,2\ns0,167772163,6\n",
                          "its table");
    const std::string json = ReadFile(folder + "/run.json");
    ExpectPart(json,
               "\"measures\": {\n    \"senders\": {\n      \"frames\": 12,\n"
               "      \"switches\": 1\n");
    ExpectPart(json, "\"senders.csv\"");
}

/// A recorder whose author has forgotten GetTypeId().
class NamelessRecorder : public SenderRecorder
{
};

LOSSLESS_TEST(g_suite, "A recorder of a taken name or type is refused")
{
    ExpectPart(GetAbortMessage([] { RegisterRecorder<SenderRecorder> pauses("pauses"); }),
               "\"pauses\" is registered twice.");
    ExpectPart(GetAbortMessage([] {
                   RegisterRecorder<SenderRecorder> senders("senders");
                   RegisterRecorder<NamelessRecorder> nameless("nameless");
               }),
               "have the same type, ns3::lossless::tests::SenderRecorder");
    ExpectPart(
        GetAbortMessage([] { ResultsWriter("").AddTable("pauses", [] { return ResultTable(); }); }),
        "a second table is called \"pauses\"; names must differ.");
}

} // namespace ns3::lossless::tests::THIS_FILE
