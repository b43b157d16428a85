// SPDX-License-Identifier: GPL-2.0-only
#include "flow-stream.h"

#include "flow-groups.h"
#include "lossless-csv-writer.h"

#include "ns3/abort.h"
#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/recorder-list.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <locale>
#include <unistd.h>
#include <vector>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(FlowStream);

const RegisterRecorder<FlowStream> g_flowStream("flow-stream", 11);

TypeId
FlowStream::GetTypeId()
{
    static TypeId tid = MakeTypeId<FlowStream, Recorder>("FlowStream");
    return tid;
}

void
FlowStream::Start(const std::string& folder)
{
    if (folder.empty())
    {
        return;
    }
    const std::filesystem::path target = std::filesystem::absolute(folder).lexically_normal();
    m_path = (target.has_filename() ? target : target.parent_path()).string() + ".rows-" +
             std::to_string(getpid());
    std::filesystem::create_directories(std::filesystem::path(m_path).parent_path());
    m_file.imbue(std::locale::classic());
    m_file.open(m_path, std::ios::in | std::ios::out | std::ios::trunc);
    NS_ABORT_MSG_IF(!m_file, "--output: cannot write " << m_path << ".");
    std::filesystem::remove(m_path); // the open file persists until the program ends
}

void
FlowStream::WatchNic(const WatchedNic& nic)
{
    if (m_path.empty() || !nic.roce)
    {
        return;
    }
    m_groups = GetRun().Get<FlowGroups>();
    const Ptr<FlowStream> me(this);
    ListenTo(*nic.nic, "FlowReceived", [me](const FlowRecord& record) {
        me->NotifyReceived(record);
    });
    ListenTo(*nic.nic, "FlowSignals", [me](uint64_t flow, const FlowSignals& signals) {
        me->NotifySignals(flow, signals);
    });
    ListenTo(*nic.nic, "FlowRetransmitted", [me](const FlowRecord& record) {
        me->m_open[record.flow.id].retransmitted = record.retransmitted;
    });
    ListenTo(*nic.nic, "FlowAcknowledged", [me](const FlowRecord& record) {
        me->NotifyAcknowledged(record);
    });
}

void
FlowStream::NotifyReceived(const FlowRecord& record)
{
    FlowLookup& lookup = m_groups->GetLookup();
    FlowRow& row = m_open[record.flow.id];
    const uint64_t retransmitted = row.retransmitted.value_or(0);
    row = FlowRow(record.flow.id, record);
    row.retransmitted = retransmitted;
    row.source = lookup.GetHostName(record.source);
    row.destination = lookup.GetHostName(record.flow.destination);
    row.ideal = TimeStep(lookup.GetIdeal(record));
    row.group = lookup.FindLabel(record.flow.id);
}

void
FlowStream::NotifySignals(uint64_t flow, const FlowSignals& signals)
{
    const auto found = m_open.find(flow);
    if (found != m_open.end())
    {
        found->second.signals = signals;
    }
}

void
FlowStream::NotifyAcknowledged(const FlowRecord& record)
{
    const auto found = m_open.find(record.flow.id);
    if (found != m_open.end())
    {
        WriteCsvLine(m_file, found->second.ToLine());
        NS_ABORT_MSG_IF(!m_file,
                        "--output: cannot write " << m_path << ": " << std::strerror(errno) << ".");
        m_open.erase(found);
    }
}

void
FlowStream::Copy(std::ostream& os) const
{
    std::vector<FlowRow> last;
    for (const auto& [id, row] : m_open)
    {
        if (row.fct)
        {
            last.push_back(row);
        }
    }
    std::sort(last.begin(), last.end(), [](const FlowRow& a, const FlowRow& b) {
        return a.id < b.id;
    });
    WriteCsv(os, FlowRow::MakeTable());
    m_file.seekg(0);
    if (m_file.peek() !=
        std::fstream::traits_type::eof()) // inserting an empty buffer with << would fail
    {
        os << m_file.rdbuf();
    }
    m_file.clear();
    m_file.seekp(0, std::ios::end);
    for (const FlowRow& row : last)
    {
        WriteCsvLine(os, row.ToLine());
    }
}

std::vector<Recorder::NamedTable>
FlowStream::GetTables() const
{
    if (m_path.empty())
    {
        return {};
    }
    NamedTable table{"flows", nullptr};
    table.write = [this](std::ostream& os) { Copy(os); };
    return {table};
}

} // namespace ns3::lossless
