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
 * The use of a sub-queue of PABO over time.
 */
struct SubQueueUse
{
    double mean{0};    ///< the utilization averaged over time
    double above{0};   ///< the fraction of time during which the utilization was above PABO's
                       ///< threshold theta
    double largest{0}; ///< the largest utilization
};

/**
 * @ingroup lossless
 * Records how many frames each PABO switch sends back, how far these frames travel back, and how
 * the sub-queues are used.
 */
class BounceRecorder : public RankedRecord
{
  public:
    /// The journey of a delivered frame, according to its counters.
    struct Journey
    {
        uint8_t maxDistance; ///< the largest distance that the frame was sent back, in hops
        uint16_t hops;       ///< the number of switches passed, plus the number of retransmissions
                             ///< by the source

        /// @return whether this journey is sorted before the other
        bool operator<(const Journey& other) const
        {
            return maxDistance != other.maxDistance ? maxDistance < other.maxDistance
                                                    : hops < other.hops;
        }

        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(maxDistance, hops);
        }
    };

    /// One egress queue of a switch.
    struct Queue
    {
        std::string node;    ///< the name of the switch
        QueueId queue;       ///< the egress queue
        SubQueueUse normal;  ///< the use of the sub-queue for frames that were never sent back
        SubQueueUse bounced; ///< the use of the sub-queue for frames that were sent back
    };

    BounceRecorder();

    /// @param node a switch whose flow control is PaboFlowControl
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node);
    /// Starts recording a host that takes part in PABO.
    void WatchHost(Ptr<PaboHost> host);

    /// @return the number of frames that each switch has sent back, keyed by the name of the switch
    std::map<std::string, uint64_t> GetBounces() const;

    /// @return the number of delivered frames for each journey
    const std::map<Journey, uint64_t>& GetDelivered() const
    {
        return m_hosts->m_delivered;
    }

    /// @return the number of frames that returned to their source
    uint64_t GetReturned() const
    {
        return m_hosts->m_returned;
    }

    /// @return the use, up to the current time, of each egress queue that has had frames
    std::vector<Queue> GetQueues() const;

    /// @return the contents of bounces.csv
    ResultTable GetBounceTable() const;
    /// @return the contents of delivered.csv
    ResultTable GetDeliveryTable() const;
    /// @return the contents of utilization.csv, with one row for each sub-queue
    ResultTable GetQueueTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The integral of a sub-queue's utilization over time.
    struct Integral
    {
        double value{0};     ///< the current utilization
        Time since;          ///< the time of the last update
        double area{0};      ///< the integral until `since`, in seconds
        double aboveArea{0}; ///< the time above theta until `since`, in seconds
        double largest{0};   ///< the largest utilization

        /// Updates the integral to the current time.
        void Advance(double theta);
        /// @return the use of the sub-queue up to the current time
        SubQueueUse GetUse(double theta) const;

        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(value, since, area, aboveArea, largest);
        }
    };

    /// The records of one switch. The switch's traces hold a reference to this object.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(m_bounces, m_queues);
        }

        std::string m_name;                                      ///< the name of the switch
        uint32_t m_rank{0};                                      ///< the rank of the switch
        double m_theta{0};                                       ///< the threshold theta of the
                                                                 ///< flow control
        uint64_t m_bounces{0};                                   ///< the number of frames sent back
        std::map<std::size_t, std::array<Integral, 2>> m_queues; ///< the integrals of each egress
                                                                 ///< queue's two sub-queues, keyed
                                                                 ///< by Index(QueueId)
    };

    /// The records of the hosts. The hosts' traces hold references to this object.
    struct HostLog : public SimpleRefCount<HostLog>
    {
        std::map<Journey, uint64_t> m_delivered; ///< the number of delivered frames for each
                                                 ///< journey
        uint64_t m_returned{0};                  ///< the number of frames that returned to their
                                                 ///< source
    };

    std::vector<Ptr<SwitchLog>> m_switches; ///< the switches, in the order of the WatchSwitch()
                                            ///< calls
    Ptr<HostLog> m_hosts;                   ///< the records of the hosts; never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BOUNCE_RECORDER_H */
