// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STALL_REPORTER_H
#define LOSSLESS_STALL_REPORTER_H

#include "ns3/flow-record.h"
#include "ns3/ptr.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * During the run, reports to standard error which flows have received no acknowledgement for a long
 * time (RoceNic::StallTime), together with their state, and which flows have been aborted
 * (RoceNic::RetryLimit). This allows users to stop a run that makes no progress.
 */
class StallReporter : public Recorder
{
  public:
    static constexpr uint32_t MOST = 10; ///< maximum number of reports before a final notice

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param nic the NIC, which keeps this object alive
    void WatchNic(const WatchedNic& nic) override;

    /// Suppresses all further reports.
    void Silence();

  private:
    /// @param record the flow
    /// @param since the time of the last progress
    /// @param state the state of the sender
    void NotifyStalled(const FlowRecord& record, Time since, const std::string& state);
    /// @param limit the maximum number of retries
    void NotifyGivenUp(const FlowRecord& record, uint64_t limit);
    void Say(const FlowRecord& record, const std::string& what);

    /// @param address the address of a NIC
    /// @return the name of the NIC's host, or the address if the NIC is not observed
    std::string GetName(Ipv4Address address) const;

    std::map<Ipv4Address, std::string> m_names; ///< host names by NIC address
    uint32_t m_lines{0};                        ///< number of reports so far, including suppressed
                                                ///< ones
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STALL_REPORTER_H */
