// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BOUNCE_RECORDER_H
#define LOSSLESS_BOUNCE_RECORDER_H

#include "ns3/nstime.h"
#include "ns3/pabo-flow-control.h"
#include "ns3/pabo-host.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Use of one sub-queue of PABO over time.
 */
struct SubQueueUse
{
    double mean{0};    ///< utilization, averaged over time
    double above{0};   ///< share of the time in which it was above theta
    double largest{0}; ///< largest utilization
};

/**
 * @ingroup lossless
 * Measures PABO: which switches send frames back, how far, and how full the sub-queues are.
 */
class BounceRecorder : public RankedRecord
{
  public:
    /// The path of a delivered frame, by its counters.
    struct Journey
    {
        uint8_t maxDistance; ///< farthest hop back
        uint16_t hops;       ///< switches passed, plus retransmissions by the source

        /// @return whether this journey comes first
        bool operator<(const Journey& other) const
        {
            return maxDistance != other.maxDistance ? maxDistance < other.maxDistance
                                                    : hops < other.hops;
        }

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(maxDistance, hops);
        }
    };

    /// One egress queue of a switch.
    struct Queue
    {
        std::string node;    ///< name of the switch
        QueueId queue;       ///< egress queue
        SubQueueUse normal;  ///< frames never sent back
        SubQueueUse bounced; ///< frames sent back
    };

    BounceRecorder();

    /// @param node a switch whose flow control is PaboFlowControl
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node);
    /// Follows a host that takes part in PABO.
    void WatchHost(Ptr<PaboHost> host);

    /// @return frames sent back, by name of the switch
    std::map<std::string, uint64_t> GetBounces() const;

    /// @return frames delivered, by their journey
    const std::map<Journey, uint64_t>& GetDelivered() const
    {
        return m_hosts->m_delivered;
    }

    /// @return frames that came back to their source
    uint64_t GetReturned() const
    {
        return m_hosts->m_returned;
    }

    /// @return all egress queues that were ever used, from the start until now
    std::vector<Queue> GetQueues() const;

    /// @return GetBounces() as bounces.csv shows it
    ResultTable GetBounceTable() const;
    /// @return GetDelivered() as delivered.csv shows it
    ResultTable GetDeliveryTable() const;
    /// @return GetQueues() as utilization.csv shows it, a row for each sub-queue
    ResultTable GetQueueTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Integral over time of one sub-queue's utilization.
    struct Integral
    {
        double value{0};     ///< present utilization
        Time since;          ///< last change
        double area{0};      ///< integral until `since`, in seconds
        double aboveArea{0}; ///< seconds above theta until `since`
        double largest{0};   ///< largest value

        /// Adds the time since the last change.
        void Advance(double theta);
        /// @return the use until now
        SubQueueUse GetUse(double theta) const;

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(value, since, area, aboveArea, largest);
        }
    };

    /// Records of one switch, which keeps this alive.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(m_bounces, m_queues);
        }

        std::string m_name;                                      ///< of the switch
        uint32_t m_rank{0};                                      ///< of the switch
        double m_theta{0};                                       ///< of its flow control
        uint64_t m_bounces{0};                                   ///< frames sent back
        std::map<std::size_t, std::array<Integral, 2>> m_queues; ///< by Index(QueueId)
    };

    /// Records of the hosts, which keep this alive.
    struct HostLog : public SimpleRefCount<HostLog>
    {
        std::map<Journey, uint64_t> m_delivered; ///< frames delivered
        uint64_t m_returned{0};                  ///< frames that came back
    };

    std::vector<Ptr<SwitchLog>> m_switches; ///< in the order of WatchSwitch()
    Ptr<HostLog> m_hosts;                   ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BOUNCE_RECORDER_H */
