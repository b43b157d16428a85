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
 * Reports on standard error, during the run, flows that have had no acknowledgement for a long time
 * (RoceNic::StallTime), with their state, and flows that are given up (RoceNic::RetryLimit), so
 * that users need not wait for a run that gets nowhere.
 */
class StallReporter : public Recorder
{
  public:
    static constexpr uint32_t MOST = 10; ///< bound of the number of lines

    /// @return the type
    static TypeId GetTypeId();

    /// @param nic keeps this object alive
    void WatchNic(const WatchedNic& nic) override;

  private:
    /// @param since time of the last progress
    /// @param state of the sender
    void NotifyStalled(const FlowRecord& record, Time since, const std::string& state);
    /// @param limit number of retries that the flow had
    void NotifyGivenUp(const FlowRecord& record, uint64_t limit);
    void Say(const FlowRecord& record, const std::string& what);

    /// @param address of a NIC @return the name of its host; the address if it is not watched
    std::string GetName(Ipv4Address address) const;

    std::map<Ipv4Address, std::string> m_names; ///< of hosts, by the addresses of their NICs
    uint32_t m_lines{0};                        ///< written so far
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STALL_REPORTER_H */
