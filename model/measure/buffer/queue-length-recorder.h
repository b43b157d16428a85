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
 * Exact mean lengths of egress queues over time (OFC, Fig. 5 and 7): a frame counts from the
 * instant at which it joins its queue to that at which its last bit leaves, which is known when its
 * first bit leaves. Sampling would miss short queues, and the ledger lags while nothing is paused.
 */
class QueueLengthRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// An egress port that has had frames.
    struct Row
    {
        std::string node;    ///< name of the switch
        PortId port;         ///< its number
        double meanBytes{0}; ///< all classes together, with the frame on the wire
        uint64_t frames{0};  ///< that have joined its queues
    };

    /// Means are taken from now on.
    QueueLengthRecorder();

    /// @param node a switch that holds no frame yet
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return means up to now, in the order of the switches and by port; none if no time has
    /// passed
    std::vector<Row> GetRows() const;

    /// @return GetRows() as queue-means.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The queues of an egress port over time.
    struct Course
    {
        /// Continues to an instant.
        void Advance(Time now);

        Time updated;        ///< latest instant that is covered
        double area{0};      ///< integral of `bytes`, byte-nanoseconds
        uint64_t bytes{0};   ///< in the queues and on the wire
        uint64_t leaving{0}; ///< of them, the frame on the wire
        Time lastBit;        ///< when that one has left
        uint64_t frames{0};  ///< that have joined

        auto Tie()
        {
            return std::tie(updated, area, bytes, leaving, lastBit, frames);
        }
    };

    /// The queues of a switch, which keeps this alive.
    struct Log : public SimpleRefCount<Log>
    {
        /// @return the course of the egress port of a frame, up to now
        Course& GetCourse(const SwitchItem& item);

        auto Tie()
        {
            return std::tie(m_courses);
        }

        std::string m_name;                 ///< of the switch
        uint32_t m_rank{0};                 ///< of the switch
        Time m_begin;                       ///< see QueueLengthRecorder()
        std::map<PortId, Course> m_courses; ///< by egress port
    };

    Time m_begin;                 ///< of the means
    std::vector<Ptr<Log>> m_logs; ///< one per switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_LENGTH_RECORDER_H */
