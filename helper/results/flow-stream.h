// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_STREAM_H
#define LOSSLESS_FLOW_STREAM_H

#include "flow-lookup.h"
#include "flow-row.h"

#include "ns3/flow-record.h"
#include "ns3/recorder.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <unordered_map>

namespace ns3::lossless
{

/**
 * Writes flows.csv while the run goes on, so that its rows need no memory. A row is written when
 * the sender has all acknowledgements, because its retransmissions are then known; the rows of
 * flows that have arrived but are not acknowledged are the last ones. Flows that have not arrived
 * have no row.
 *
 * Until the run ends, the rows are in a file without a name beside the result folder, of which
 * nothing is left if the program fails. It records nothing until Start() is called, and works on a
 * single rank only.
 */
class FlowStream : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    FlowStream();

    /// Starts the recording. Call this before NICs are watched.
    /// @param folder the result folder, beside which the rows are kept; no rows are written if it
    /// is empty
    void Start(const std::string& folder);

    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;

  private:
    /// The rows. The NICs keep this object alive.
    struct Log : public SimpleRefCount<Log>
    {
        void NotifyReceived(const FlowRecord& record);
        void NotifySignals(uint64_t flow, const FlowSignals& signals);
        void NotifyRetransmitted(const FlowRecord& record);
        void NotifyAcknowledged(const FlowRecord& record);
        /// Writes the row of a flow that has arrived.
        void Write(const FlowRow& row);

        FlowLookup lookup;
        /// Flows that have arrived or were retransmitted, and are not acknowledged, by id.
        std::unordered_map<uint64_t, FlowRow> open;
        std::string path; ///< path that the file had
        std::fstream file;
    };

    /// Writes flows.csv.
    void Copy(std::ostream& os) const;

    Ptr<Log> m_log; ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_STREAM_H */
