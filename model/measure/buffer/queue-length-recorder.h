// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_LENGTH_RECORDER_H
#define LOSSLESS_QUEUE_LENGTH_RECORDER_H

#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Records the exact time averages of the lengths of egress queues (OFC, Fig. 5, 7 and 8). A frame
 * counts from the time at which it joins its queue until its last bit leaves. The departure time of
 * the last bit is known when the first bit leaves. Sampling would miss queues that exist only
 * briefly, and the buffer accounting is updated late while no neighbour is paused.
 *
 * At a RoceNic, the frames of a flow count from the start of the flow, so the port's queue includes
 * the frames that have not been sent yet, as in simulators whose hosts enqueue whole flows at once
 * (NetBench without a window). Only first transmissions of data packets count.
 */
class QueueLengthRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// The results of an egress port that has had frames.
    struct Row
    {
        std::string node;    ///< the name of the switch or host
        PortId port;         ///< the port number
        double meanBytes{0}; ///< the mean number of bytes of all classes, including the frame on
                             ///< the wire
        uint64_t frames{0};  ///< the number of frames that have joined the port's queues
    };

    /// Creates a recorder. The averaging period starts at the current time.
    QueueLengthRecorder();

    /// @param node a switch that does not store any frames yet
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    /// @param nic a NIC at which no flow has started
    void WatchNic(const WatchedNic& nic) override;

    /// @return the means up to the current time, sorted by node (in the order of the Watch calls)
    /// and then by port; empty if no time has passed
    std::vector<Row> GetRows() const;

    /// @return the contents of queue-means.csv
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The total length of an egress port's queues over time.
    struct Course
    {
        /// Updates the integral up to the given time.
        void Advance(Time now);
        /// Records that a frame starts to leave. The frame counts until its last bit has left.
        void Leave(uint64_t size, Time wireTime);

        Time updated;        ///< the time at which the integral was last updated
        double area{0};      ///< the integral of `bytes`, in byte-nanoseconds
        uint64_t bytes{0};   ///< the number of bytes in the queues and on the wire
        uint64_t leaving{0}; ///< the number of bytes of the frame on the wire
        Time lastBit;        ///< the departure time of the last bit of the frame on the wire
        uint64_t frames{0};  ///< the number of frames that have joined

        auto Tie()
        {
            return std::tie(updated, area, bytes, leaving, lastBit, frames);
        }
    };

    /// The queues of a switch or host. The node's traces hold a reference to this object.
    struct Log : public SimpleRefCount<Log>
    {
        /// @return the record of an egress port, updated to the current time
        Course& GetCourse(PortId port);

        auto Tie()
        {
            return std::tie(m_courses);
        }

        std::string m_name;                 ///< the name of the node
        uint32_t m_rank{0};                 ///< the rank of the node
        Time m_begin;                       ///< the start of the averaging period; see
                                            ///< QueueLengthRecorder()
        std::map<PortId, Course> m_courses; ///< the record of each egress port
    };

    /// @return a new log for a node
    Ptr<Log> AddLog(const std::string& name, const Node& node);

    Time m_begin;                 ///< the start of the averaging period
    std::vector<Ptr<Log>> m_logs; ///< one log per node
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_LENGTH_RECORDER_H */
