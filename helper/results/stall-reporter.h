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
 * Says on standard error, while a run is under way, which flows have had no acknowledgement for
 * long (RoceNic::StallTime), with their state, and which are given up (RoceNic::RetryLimit): so
 * that nobody waits for a run that gets nowhere.
 */
class StallReporter : public Recorder
{
  public:
    static constexpr uint32_t MOST = 10; ///< lines

    /// @return the type
    static TypeId GetTypeId();

    /// @param nic a NIC, which keeps this alive
    void WatchNic(const WatchedNic& nic) override;

  private:
    /// @param record a flow @param since when the latest progress was @param state of its sender
    void NotifyStalled(const FlowRecord& record, Time since, const std::string& state);
    /// @param record a flow that is given up @param limit the retries that it had
    void NotifyGivenUp(const FlowRecord& record, uint64_t limit);
    /// @param record a flow @param what is said of it
    void Say(const FlowRecord& record, const std::string& what);

    /// @param address of a NIC @return its host's name; the address if it is not watched
    std::string GetName(Ipv4Address address) const;

    std::map<Ipv4Address, std::string> m_names; ///< of hosts, by the addresses of their NICs
    uint32_t m_lines{0};                        ///< said so far
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STALL_REPORTER_H */
