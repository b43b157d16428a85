// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RATE_RECORDER_H
#define LOSSLESS_RATE_RECORDER_H

#include "ns3/flow-record.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/roce-nic.h"
#include "ns3/simple-ref-count.h"
#include "ns3/throughput-recorder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Measures what ports of hosts send and how much of flows is acknowledged, in windows of equal
 * length and in bounded memory, and notes what the congestion controls of flows allow.
 *
 * Sample() reads the counters of devices and NICs, which costs nothing per packet. The end of a
 * flow is traced, so that the bits of a flow add up to its payload. With more than MAX_POINTS of
 * flows, or MAX_WINDOWS of ports, each two windows become one.
 */
class RateRecorder : public RankedRecord
{
  public:
    /// Most points of flows.
    static constexpr std::size_t MAX_POINTS = 1000000;
    /// Most windows of a port.
    static constexpr std::size_t MAX_WINDOWS = ThroughputRecorder::MAX_WINDOWS;

    /// @param window initial length of a window, above zero
    explicit RateRecorder(Time window);

    /// Windows begin at this time, and nothing before it counts.
    void SetStart(Time start);
    /// @return present length of a window
    Time GetWindow() const;

    /// Measures what a port of a host sends. @param name of the host
    void WatchPort(const std::string& name, PortId port, Ptr<LosslessNetDevice> device);
    /// Chooses the flows that are measured; initially, none. @param wants called with an id
    void SetFlows(std::function<bool(uint64_t)> wants);
    /// Measures the chosen flows that a NIC sends.
    void WatchNic(Ptr<RoceNic> nic);

    /// Reads all counters, in an event without a node.
    /// @param spacing present time between samples, the least length of a window
    void Sample(Time spacing);

    /// @return port-throughput.csv: the ports in the order of WatchPort(), each with a row per
    /// completed window, at the time of its end
    ResultTable GetPortTable() const;
    /// @return flow-throughput.csv: the flows by id, with a row for each window that has ended if
    /// the flow was under way when it began or ended, or had bytes acknowledged in it; with what
    /// its control allowed last in the window
    ResultTable GetFlowTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Bytes by window.
    using Series = std::map<uint64_t, uint64_t>;

    /// What the congestion control of a flow allows; nothing: it has none.
    struct Allowance
    {
        std::optional<uint64_t> rate;   ///< bit/s on the wire
        std::optional<uint64_t> window; ///< payload, bytes; 0: any

        auto Tie()
        {
            return std::tie(rate, window);
        }
    };

    /// A flow in a window.
    struct Point
    {
        uint64_t bytes{0}; ///< acknowledged in it
        Allowance allowed; ///< last

        auto Tie()
        {
            return std::tie(bytes, allowed);
        }
    };

    /// A port of a host.
    struct Port
    {
        std::string name; ///< of the host
        PortId port{0};   ///< of it
        uint32_t rank{0}; ///< of the host
        uint64_t sent{0}; ///< counter at the last sample, bytes
        Series bytes;     ///< sent, by window
    };

    /// Records of flows and ports. The NICs keep it alive, so it must not hold what keeps a NIC
    /// alive, such as a device.
    struct Ledger : public SimpleRefCount<Ledger>
    {
        void NotifyAcknowledged(const FlowRecord& record);
        /// Notes how many bytes of a flow are acknowledged. @param window number of the window
        void Note(uint64_t id, uint64_t bytes, uint64_t window);
        /// Merges each two windows.
        void Double();
        /// @param time not before the start @return number of its window
        uint64_t GetNumber(Time time) const;

        Time start;                                            ///< of the first window
        Time window;                                           ///< length of a window
        Time latest;                                           ///< last reading
        std::vector<Port> ports;                               ///< ports of hosts
        bool isOn{false};                                      ///< the first sample was taken
        std::function<bool(uint64_t)> wants;                   ///< empty: no flow is measured
        std::unordered_map<uint64_t, uint64_t> before;         ///< acknowledged at the last note
        std::unordered_map<uint64_t, Allowance> allowed;       ///< at present
        std::map<std::pair<uint64_t, uint64_t>, Point> points; ///< by id and window
    };

    /// Reads all counters.
    void Read() const;
    bool HasTooManyPoints() const;
    /// Reads what has happened since the last sample, unless sampling has ended.
    void ReadRest() const;
    /// Notes what ports have sent since the last reading. @param window number of the window
    void SamplePorts(uint64_t window) const;
    /// Notes what was acknowledged of open flows. @param window number of the window
    void SampleFlows(uint64_t window) const;
    /// @return number of windows that have ended
    uint64_t CountEnded() const;
    Time GetEnd(uint64_t window) const;
    /// @return bytes of a window in bit/s
    int64_t GetRate(uint64_t bytes) const;

    Ptr<Ledger> m_ledger;                              ///< never null
    std::vector<Ptr<LosslessNetDevice>> m_portDevices; ///< by port of the ledger
    std::vector<Ptr<RoceNic>> m_nics;                  ///< of this rank
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_RECORDER_H */
