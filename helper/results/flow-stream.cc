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

FlowStream::FlowStream()
    : m_log(Create<Log>())
{
}

void
FlowStream::Start(const std::string& folder)
{
    if (folder.empty())
    {
        return;
    }
    const std::filesystem::path target = std::filesystem::absolute(folder).lexically_normal();
    m_log->path = (target.has_filename() ? target : target.parent_path()).string() + ".rows-" +
                  std::to_string(getpid());
    std::filesystem::create_directories(std::filesystem::path(m_log->path).parent_path());
    m_log->file.imbue(std::locale::classic());
    m_log->file.open(m_log->path, std::ios::in | std::ios::out | std::ios::trunc);
    NS_ABORT_MSG_IF(!m_log->file, "--output: cannot write " << m_log->path << ".");
    std::filesystem::remove(m_log->path); // the open file persists until the program ends
}

void
FlowStream::WatchNic(const WatchedNic& nic)
{
    if (m_log->path.empty() || !nic.roce)
    {
        return;
    }
    m_log->lookup = GetRun().Get<FlowGroups>()->GetLookup();
    const Ptr<Log> log = m_log;
    ListenTo(*nic.nic, "FlowReceived", [log](const FlowRecord& record) {
        log->NotifyReceived(record);
    });
    ListenTo(*nic.nic, "FlowSignals", [log](uint64_t flow, const FlowSignals& signals) {
        log->NotifySignals(flow, signals);
    });
    ListenTo(*nic.nic, "FlowRetransmitted", [log](const FlowRecord& record) {
        log->NotifyRetransmitted(record);
    });
    ListenTo(*nic.nic, "FlowAcknowledged", [log](const FlowRecord& record) {
        log->NotifyAcknowledged(record);
    });
}

void
FlowStream::Log::NotifyReceived(const FlowRecord& record)
{
    FlowRow& row = open[record.flow.id];
    const uint64_t retransmitted = row.retransmitted.value_or(0);
    row = FlowRow(record.flow.id, record);
    row.retransmitted = retransmitted;
    row.source = lookup->GetHostName(record.source);
    row.destination = lookup->GetHostName(record.flow.destination);
    row.ideal = TimeStep(lookup->GetIdeal(record));
    row.group = lookup->FindLabel(record.flow.id);
}

void
FlowStream::Log::NotifySignals(uint64_t flow, const FlowSignals& signals)
{
    const auto found = open.find(flow);
    if (found != open.end())
    {
        found->second.signals = signals;
    }
}

void
FlowStream::Log::NotifyRetransmitted(const FlowRecord& record)
{
    open[record.flow.id].retransmitted = record.retransmitted;
}

void
FlowStream::Log::NotifyAcknowledged(const FlowRecord& record)
{
    const auto found = open.find(record.flow.id);
    if (found != open.end())
    {
        Write(found->second);
        open.erase(found);
    }
}

void
FlowStream::Log::Write(const FlowRow& row)
{
    WriteCsvLine(file, row.ToLine());
    NS_ABORT_MSG_IF(!file,
                    "--output: cannot write " << path << ": " << std::strerror(errno) << ".");
}

void
FlowStream::Copy(std::ostream& os) const
{
    std::vector<FlowRow> last;
    for (const auto& [id, row] : m_log->open)
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
    m_log->file.seekg(0);
    if (m_log->file.peek() !=
        std::fstream::traits_type::eof()) // inserting an empty buffer with << would fail
    {
        os << m_log->file.rdbuf();
    }
    m_log->file.clear();
    m_log->file.seekp(0, std::ios::end);
    for (const FlowRow& row : last)
    {
        WriteCsvLine(os, row.ToLine());
    }
}

std::vector<Recorder::NamedTable>
FlowStream::GetTables() const
{
    if (m_log->path.empty())
    {
        return {};
    }
    NamedTable table{"flows", nullptr};
    table.write = [this](std::ostream& os) { Copy(os); };
    return {table};
}

} // namespace ns3::lossless
