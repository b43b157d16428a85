// SPDX-License-Identifier: GPL-2.0-only
#include "ranked-record.h"

#include "ranks.h"

#include "ns3/abort.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// @return all records, in order of construction, which is the same on all ranks
std::vector<RankedRecord*>&
GetRecords()
{
    static std::vector<RankedRecord*> records;
    return records;
}

/// @return the output of the records' Save() functions, each preceded by its length
std::string
SaveAll()
{
    std::ostringstream all;
    for (const RankedRecord* record : GetRecords())
    {
        std::ostringstream one;
        record->Save(one);
        const std::string bytes = one.str();
        const uint64_t size = bytes.size();
        all.write(reinterpret_cast<const char*>(&size), sizeof(size));
        all.write(bytes.data(), static_cast<std::streamsize>(size));
    }
    return all.str();
}

/// Merges the output of SaveAll() from another rank.
void
MergeAll(const std::string& bytes, uint32_t rank)
{
    std::istringstream all(bytes);
    for (RankedRecord* record : GetRecords())
    {
        uint64_t size = 0;
        all.read(reinterpret_cast<char*>(&size), sizeof(size));
        std::string own(all ? size : 0, '\0');
        all.read(own.data(), static_cast<std::streamsize>(own.size()));
        std::istringstream one(own);
        NS_ABORT_MSG_IF(!all, "RankedRecord: rank " << rank << " has fewer records.");
        record->Merge(one, rank);
    }
    NS_ABORT_MSG_IF(all.peek() != EOF, "RankedRecord: rank " << rank << " has more records.");
}

} // namespace

RankedRecord::RankedRecord()
{
    GetRecords().push_back(this);
}

RankedRecord::~RankedRecord()
{
    std::vector<RankedRecord*>& records = GetRecords();
    records.erase(std::find(records.begin(), records.end(), this));
}

void
RankedRecord::GatherAll()
{
    if (!Ranks::AreSeveral())
    {
        return;
    }
    for (RankedRecord* record : GetRecords())
    {
        NS_ABORT_MSG_IF(record->m_isGathered,
                        "RankedRecord: a second run of the same network; on several ranks there is "
                        "one.");
        record->m_isGathered = true;
    }
    const std::vector<std::string> all = Ranks::Gather(SaveAll());
    for (uint32_t rank = 0; rank < Ranks::GetSize(); ++rank)
    {
        if (rank != Ranks::GetRank())
        {
            MergeAll(all[rank], rank);
        }
    }
}

} // namespace ns3::lossless
