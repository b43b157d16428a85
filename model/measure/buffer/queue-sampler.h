// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_SAMPLER_H
#define LOSSLESS_QUEUE_SAMPLER_H

#include "ns3/event-id.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/// The part of a switch that is sampled.
enum class QueueSide : uint8_t
{
    INGRESS, ///< an ingress queue
    EGRESS,  ///< an egress queue, including the frame on the wire
    BUFFER,  ///< the whole packet memory
};

/// @return the name of a QueueSide in results files
const char* ToString(QueueSide side);

/// One row of samples: the number of bytes in one part of a switch at one time.
struct QueueSample
{
    Time time;                         ///< the time of the sample
    std::string node;                  ///< the name of the switch
    QueueSide side{QueueSide::BUFFER}; ///< the sampled part
    QueueId queue{};                   ///< the sampled queue; unused for the whole buffer
    uint64_t bytes{0};                 ///< the number of bytes in the sampled part
    uint64_t shared{0};                ///< the part of `bytes` in the shared segment; unused
                                       ///< for egress queues
    uint64_t headroom{0};              ///< the part of `bytes` in headroom; unused for egress
                                       ///< queues
};

/**
 * @ingroup lossless
 * Samples the lengths of queues and buffers periodically, in bounded memory.
 *
 * When another sample would exceed the limit of "MaxSamples" rows, every second sample is dropped
 * and the period doubles. The samples are thus equally spaced, regardless of the length of the run.
 *
 * Sampling begins at "StartTime" or at the time of the first Watch call, whichever is later. It
 * ends at "StopTime" or when no other events remain. A run has one sampler for all switches,
 * because two samplers would keep each other running.
 */
class QueueSampler : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    ~QueueSampler() override;

    /// Samples an ingress queue.
    void WatchIngress(const std::string& name, Ptr<SwitchNode> node, QueueId queue);
    /// Samples an egress queue.
    void WatchEgress(const std::string& name, Ptr<SwitchNode> node, QueueId queue);
    /// Samples the whole packet memory.
    void WatchBuffer(const std::string& name, Ptr<SwitchNode> node);
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @param listener a function that is called after each sample, in an event without a node; its
    /// argument is the time between samples
    void SetListener(std::function<void(Time)> listener)
    {
        m_listener = std::move(listener);
    }

    /// @return the rows, sorted by time and then in the order of the Watch calls
    std::vector<QueueSample> GetSamples() const;

    /// @return the current time between samples. Initially, it is "Period"; it doubles each time
    /// samples are dropped.
    Time GetSpacing() const
    {
        return m_spacing;
    }

    /// @return the contents of queues.csv
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// A part of a switch that is sampled.
    struct Target
    {
        std::string name;     ///< the name of the switch
        Ptr<SwitchNode> node; ///< the switch
        QueueSide side;       ///< the sampled part
        QueueId queue;        ///< the sampled queue
    };

    /// The occupancy of one queue or switch at one time, in bytes.
    struct Bytes
    {
        uint64_t total{0};
        uint64_t shared{0};   ///< the number of bytes in the shared segment
        uint64_t headroom{0}; ///< the number of bytes in headroom

        auto Tie()
        {
            return std::tie(total, shared, headroom);
        }
    };

    void SetPeriod(Time period);

    Time GetPeriod() const
    {
        return m_period;
    }

    void Watch(const Target& target);
    /// Schedules the first sample if there is anything to sample.
    void Arm();
    /// Takes a sample unless it is too early, and schedules the next sample.
    void Sample();
    /// @return the current numbers of bytes; all zero for a switch on another rank
    static Bytes Read(const Target& target);
    /// Drops every second sample and doubles the period.
    void Thin();

    Time m_startTime;                     ///< the earliest time of a sample
    Time m_period;                        ///< the initial time between samples
    Time m_spacing;                       ///< the current time between samples
    Time m_stopTime;                      ///< the latest time of a sample; 0 for no limit
    uint64_t m_maxSamples{0};             ///< the maximum number of rows
    std::vector<Target> m_targets;        ///< the sampled parts
    std::vector<Time> m_times;            ///< the times of the samples
    std::vector<Bytes> m_bytes;           ///< one element for each time and target, in this order
    EventId m_next;                       ///< the event that takes the next sample
    std::function<void(Time)> m_listener; ///< see SetListener(); can be empty
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_SAMPLER_H */
