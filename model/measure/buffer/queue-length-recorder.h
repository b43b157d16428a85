// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_LENGTH_RECORDER_H
#define LOSSLESS_QUEUE_LENGTH_RECORDER_H

#include "ns3/ranked-record.h"
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
 * Mean lengths of egress queues over time (OFC, Fig. 5 and 7), exact: a frame counts from the
 * instant at which it joins its queue to that at which its last bit leaves, which is known when its
 * first one does. Sampling would miss short queues, and the ledger is late while nothing is paused.
 */
class QueueLengthRecorder : public RankedRecord
{
  public:
    /// Of an egress port by which frames have left or are to leave.
    struct Row
    {
        std::string node;    ///< name of the switch
        PortId port;         ///< the port
        double meanBytes{0}; ///< all classes together, frame on the wire included
        uint64_t frames{0};  ///< that have joined its queues
    };

    /// The time that is averaged over begins now.
    QueueLengthRecorder();

    /// @param name name of the switch @param node the switch, in which no frame is yet
    void Watch(const std::string& name, Ptr<SwitchNode> node);

    /// @return means up to now, in the order of Watch() and by port; none if no time has passed
    std::vector<Row> GetRows() const;

    /// @return GetRows() as queue-means.csv shows it
    ResultTable GetTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// What is known of an egress port.
    struct Course
    {
        /// Goes on to an instant. @param now the instant, not before the last one
        void Advance(Time now);

        Time updated;        ///< the instant up to which it is known
        double area{0};      ///< integral of `bytes`, byte-nanoseconds
        uint64_t bytes{0};   ///< in the queues and on the wire
        uint64_t leaving{0}; ///< of them, the frame on the wire
        Time lastBit;        ///< when that has left
        uint64_t frames{0};  ///< that have joined

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(updated, area, bytes, leaving, lastBit, frames);
        }
    };

    /// What a switch has told; kept alive by it, so that a recorder may go first.
    struct Log : public SimpleRefCount<Log>
    {
        /// @param item a frame @return the course of its egress port, up to now
        Course& GetCourse(const SwitchItem& item);

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(m_courses);
        }

        std::string m_name;                 ///< of the switch
        uint32_t m_rank{0};                 ///< of the switch
        Time m_begin;                       ///< see QueueLengthRecorder()
        std::map<PortId, Course> m_courses; ///< by egress port
    };

    Time m_begin;                 ///< of the time that is averaged over
    std::vector<Ptr<Log>> m_logs; ///< in the order of Watch()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_LENGTH_RECORDER_H */
