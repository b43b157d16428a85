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

/// What of a switch is sampled.
enum class QueueSide : uint8_t
{
    INGRESS, ///< an ingress queue
    EGRESS,  ///< an egress queue, the frame on the wire included
    BUFFER,  ///< the whole packet memory
};

/// @return the name in results files
const char* ToString(QueueSide side);

/// One row of samples: the bytes at one place at one instant.
struct QueueSample
{
    Time time;                         ///< when it was taken
    std::string node;                  ///< name of the switch
    QueueSide side{QueueSide::BUFFER}; ///< what was sampled
    QueueId queue{};                   ///< which queue; void for the whole buffer
    uint64_t bytes{0};                 ///< its length in the buffer
    uint64_t shared{0};                ///< of these, in the shared segment; void for egress queues
    uint64_t headroom{0};              ///< of these, in headroom; void for egress queues
};

/**
 * @ingroup lossless
 * Samples the lengths of queues and buffers at a fixed period, in bounded memory.
 *
 * When "MaxSamples" rows are stored, every second sample is dropped and the period doubles, so that
 * samples of a run of any length are equally spaced.
 *
 * Sampling begins at "StartTime", or with the next event after the first Watch if that is later. It
 * ends at "StopTime", or when there is nothing else to simulate; two samplers would keep each other
 * going, so a run has one, for all switches.
 */
class QueueSampler : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    ~QueueSampler() override;

    /// Samples an ingress queue.
    void WatchIngress(const std::string& name, Ptr<SwitchNode> node, QueueId queue);
    /// Samples an egress queue.
    void WatchEgress(const std::string& name, Ptr<SwitchNode> node, QueueId queue);
    /// Samples the whole packet memory.
    void WatchBuffer(const std::string& name, Ptr<SwitchNode> node);
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @param listener called after each sample with the time between samples, in an event without
    /// a node
    void SetListener(std::function<void(Time)> listener);

    /// @return the rows, sorted by time and then in the order of the Watch calls
    std::vector<QueueSample> GetSamples() const;

    /// @return present time between samples: "Period", doubled each time "MaxSamples" was reached
    Time GetSpacing() const
    {
        return m_spacing;
    }

    /// @return GetSamples() as queues.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// What is sampled.
    struct Target
    {
        std::string name;     ///< of the switch
        Ptr<SwitchNode> node; ///< the switch
        QueueSide side;       ///< what of it
        QueueId queue;        ///< which queue
    };

    /// One row of a sample.
    struct Bytes
    {
        uint64_t total{0};
        uint64_t shared{0};   ///< in the shared segment
        uint64_t headroom{0}; ///< in headroom

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
    /// Schedules the first sample if there is something to sample.
    void Arm();
    /// Takes a sample, unless it is too early, and schedules the next one.
    void Sample();
    /// @return the present bytes; void for a switch of another rank
    static Bytes Read(const Target& target);
    /// Drops every second sample and doubles the period.
    void Thin();

    Time m_startTime;                     ///< no sample before it
    Time m_period;                        ///< between samples, as it was set
    Time m_spacing;                       ///< between samples, after all doublings
    Time m_stopTime;                      ///< no sample after; 0: no such time
    uint64_t m_maxSamples{0};             ///< bound of the number of rows
    std::vector<Target> m_targets;        ///< what is sampled
    std::vector<Time> m_times;            ///< instants of the samples
    std::vector<Bytes> m_bytes;           ///< for each instant, one per target
    EventId m_next;                       ///< next sample
    std::function<void(Time)> m_listener; ///< see SetListener(); may be empty
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_SAMPLER_H */
