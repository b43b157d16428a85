// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_STREAM_H
#define LOSSLESS_FLOW_STREAM_H

#include "flow-row.h"

#include "ns3/flow-record.h"
#include "ns3/ptr.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <unordered_map>

namespace ns3::lossless
{

class FlowGroups;

/**
 * Writes flows.csv during the run, so that the rows are not kept in memory. A row is written when
 * the sender has received all acknowledgements, because the number of retransmissions is then
 * known. The last rows are those of flows that have arrived but have not been acknowledged. Flows
 * that have not arrived have no row.
 *
 * Until the run ends, the rows are stored in an unlinked file next to the results folder. This file
 * disappears when the program ends, even if the program fails. Nothing is recorded until Start() is
 * called. This class works only on a single rank.
 */
class FlowStream : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Starts recording. Call this before NICs are watched.
    /// @param folder the results folder; the rows are stored next to it. If empty, no rows are
    /// written.
    void Start(const std::string& folder);

    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;

  private:
    void NotifyReceived(const FlowRecord& record);
    void NotifySignals(uint64_t flow, const FlowSignals& signals);
    void NotifyAcknowledged(const FlowRecord& record);
    /// Writes flows.csv.
    void Copy(std::ostream& os) const;

    Ptr<FlowGroups> m_groups; ///< owner of the lookup of flows; null until a NIC is watched
    /// The unacknowledged flows that have arrived or had retransmissions, by ID.
    std::unordered_map<uint64_t, FlowRow> m_open;
    std::string m_path; ///< path of the file before it was unlinked
    mutable std::fstream m_file;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_STREAM_H */
