// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RATE_RECORDER_H
#define LOSSLESS_RATE_RECORDER_H

#include "ns3/flow-record.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/port-throughput-recorder.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/roce-nic.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Measures what ports of hosts send and how much of flows is acknowledged, in windows of equal
 * length, in bounded memory.
 *
 * It reads the counters of devices and NICs when Sample() is called, which costs packets nothing.
 * The end of a flow is heard of, so that the bits of a flow add up to its payload. When there are
 * MAX_POINTS of flows, or MAX_WINDOWS of ports, each two windows become one.
 */
class RateRecorder : public RankedRecord
{
  public:
    /// Most points of flows.
    static constexpr std::size_t MAX_POINTS = 1000000;
    /// Most windows of a port.
    static constexpr std::size_t MAX_WINDOWS = PortThroughputRecorder::MAX_WINDOWS;

    /// @param window length of a window at first, above zero
    explicit RateRecorder(Time window);

    /// Windows begin at a time, and nothing before it counts. @param start the time
    void SetStart(Time start);
    /// @return length of a window by now
    Time GetWindow() const;

    /// Follows what a port sends. @param name name of the host @param port of it
    /// @param device its device
    void WatchPort(const std::string& name, PortId port, Ptr<LosslessNetDevice> device);
    /// Tells which flows are followed: at first, none. @param wants whether one is, by its id
    void SetFlows(std::function<bool(uint64_t)> wants);
    /// Follows flows of a NIC, those of SetFlows(). @param nic sends them
    void WatchNic(Ptr<RoceNic> nic);

    /// Reads all counters, in an event of no node. @param spacing of the samples by now, by which
    /// a window is at least as long
    void Sample(Time spacing);

    /// @return ports in the order in which they were given: a row for each window that has ended,
    /// by its end, as port-throughput.csv shows them
    ResultTable GetPortTable() const;
    /// @return flows by id, as flow-throughput.csv shows them: a row for each window that has ended
    /// and in which the flow was under way when it began or ended, or had something acknowledged
    ResultTable GetFlowTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Bytes by window.
    using Series = std::map<uint64_t, uint64_t>;

    /// A port of a host.
    struct Port
    {
        std::string name; ///< of the host
        PortId port{0};   ///< of it
        uint32_t rank{0}; ///< of the host
        uint64_t sent{0}; ///< counter at the latest sample, bytes
        Series bytes;     ///< sent, by window
    };

    /// All that is known of flows and ports. The NICs keep it alive, so it must not hold what keeps
    /// a NIC alive, such as a device.
    struct Ledger : public SimpleRefCount<Ledger>
    {
        /// @param record a flow that is acknowledged in full
        void NotifyAcknowledged(const FlowRecord& record);
        /// Notes how much of a flow is acknowledged. @param id of the flow @param bytes so far
        /// @param window number of the one in which that was
        void Note(uint64_t id, uint64_t bytes, uint64_t window);
        /// Makes one window of each two.
        void Double();
        /// @param time not before the start @return number of its window
        uint64_t GetNumber(Time time) const;

        Time start;                                    ///< of the first window
        Time window;                                   ///< length of a window
        Time latest;                                   ///< latest reading
        std::vector<Port> ports;                       ///< ports of hosts
        bool isOn{false};                              ///< the first sample was taken
        std::function<bool(uint64_t)> wants;           ///< empty: no flow is followed
        std::unordered_map<uint64_t, uint64_t> before; ///< acknowledged at the latest note
        std::map<std::pair<uint64_t, uint64_t>, uint64_t> bytes; ///< by id and window
    };

    /// Reads all counters.
    void Read() const;
    /// @return whether flows have more points than one table shall have
    bool HasTooManyPoints() const;
    /// Reads what has happened since the latest sample, unless there were no more samples.
    void ReadRest() const;
    /// Notes what ports have sent since the latest reading. @param window number of it
    void SamplePorts(uint64_t window) const;
    /// Notes what of open flows was acknowledged. @param window number of it
    void SampleFlows(uint64_t window) const;
    /// @return number of windows that have ended
    uint64_t CountEnded() const;
    /// @param window number of it @return its end
    Time GetEnd(uint64_t window) const;
    /// @param bytes in a window @return bit/s
    int64_t GetRate(uint64_t bytes) const;

    Ptr<Ledger> m_ledger;                              ///< never null
    std::vector<Ptr<LosslessNetDevice>> m_portDevices; ///< by port of the ledger
    std::vector<Ptr<RoceNic>> m_nics;                  ///< of this rank
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_RECORDER_H */
