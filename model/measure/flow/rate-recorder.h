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
 * Measures the transmission rates of hosts' ports and the rates at which flows are acknowledged, in
 * windows of equal length and in bounded memory. It also records the rates and windows that
 * congestion controls allow.
 *
 * Sample() reads the counters of devices and NICs, so there is no cost per packet. The end of each
 * flow is traced, so that the flow's bits add up to its payload. If all flows together have more
 * than MAX_POINTS points (one per flow and window), or a port has more than MAX_WINDOWS windows,
 * adjacent windows are merged in pairs.
 */
class RateRecorder : public RankedRecord
{
  public:
    /// The maximum number of points of all flows together.
    static constexpr std::size_t MAX_POINTS = 1000000;
    /// The maximum number of windows of a port.
    static constexpr std::size_t MAX_WINDOWS = ThroughputRecorder::MAX_WINDOWS;

    /// @param window the initial length of a window, which must be positive
    explicit RateRecorder(Time window);

    /// Sets the start of the first window. Transmissions before this time are not counted.
    void SetStart(Time start);
    /// @return the current length of a window
    Time GetWindow() const;

    /// Measures the transmission rate of a host's port.
    /// @param name the name of the host
    void WatchPort(const std::string& name, PortId port, Ptr<LosslessNetDevice> device);
    /// Selects the flows to measure. By default, no flow is measured.
    /// @param wants a function that takes the ID of a flow and returns whether to measure the flow
    void SetFlows(std::function<bool(uint64_t)> wants);
    /// Measures the selected flows that a NIC sends.
    void WatchNic(Ptr<RoceNic> nic);

    /// Reads all counters. Call this function in an event without a node.
    /// @param spacing the current time between samples, which is the minimum length of a window
    void Sample(Time spacing);

    /// @return the contents of port-throughput.csv. The ports are in the order of the WatchPort()
    /// calls. Each port has one row per completed window. A row starts with the end time of its
    /// window.
    ResultTable GetPortTable() const;
    /// @return the contents of flow-throughput.csv. The flows are in order of their IDs. Each flow
    /// has one row for each completed window in which the flow ended or at the end of which it was
    /// still active. A row includes the latest rate and window allowed by the congestion control.
    ResultTable GetFlowTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The number of bytes in each window, keyed by the index of the window.
    using Series = std::map<uint64_t, uint64_t>;

    /// The rate and window allowed by the congestion control of a flow. A member is unset if the
    /// congestion control does not set it.
    struct Allowance
    {
        std::optional<uint64_t> rate;   ///< the rate in bit/s on the wire
        std::optional<uint64_t> window; ///< the window in bytes of payload, or 0 for no limit

        auto Tie()
        {
            return std::tie(rate, window);
        }
    };

    /// The data of a flow in a window.
    struct Point
    {
        uint64_t bytes{0}; ///< the number of bytes acknowledged in the window
        Allowance allowed; ///< the last allowance in the window

        auto Tie()
        {
            return std::tie(bytes, allowed);
        }
    };

    /// A port of a host.
    struct Port
    {
        std::string name; ///< the name of the host
        PortId port{0};   ///< the port of the host
        uint32_t rank{0}; ///< the rank of the host
        uint64_t sent{0}; ///< the value of the byte counter at the last sample
        Series bytes;     ///< the number of bytes sent in each window
    };

    /// The records of flows and ports. The NICs hold references to this object, so it must not
    /// refer to an object that holds a NIC, such as a device.
    struct Ledger : public SimpleRefCount<Ledger>
    {
        void NotifyAcknowledged(const FlowRecord& record);
        /// Records the acknowledged bytes of a flow.
        /// @param window the index of the window
        void Note(uint64_t id, uint64_t bytes, uint64_t window);
        /// Merges adjacent windows in pairs.
        void Double();
        /// @param time a time at or after the start
        /// @return the index of the window at this time
        uint64_t GetNumber(Time time) const;

        Time start;                                            ///< the start of the first window
        Time window;                                           ///< the length of a window
        Time latest;                                           ///< the time of the last reading
        std::vector<Port> ports;                               ///< the ports of hosts
        bool isOn{false};                                      ///< whether sampling has started
        std::function<bool(uint64_t)> wants;                   ///< selects the flows to measure;
                                                               ///< empty if no flow is measured
        std::unordered_map<uint64_t, uint64_t> before;         ///< the number of bytes acknowledged
                                                               ///< until the last reading, keyed by
                                                               ///< flow ID
        std::unordered_map<uint64_t, Allowance> allowed;       ///< the current allowances, keyed by
                                                               ///< flow ID
        std::map<std::pair<uint64_t, uint64_t>, Point> points; ///< the points, keyed by flow ID and
                                                               ///< window
    };

    /// Reads all counters.
    void Read() const;
    bool HasTooManyPoints() const;
    /// Reads the counters one last time unless sampling has ended.
    void ReadRest() const;
    /// Records the bytes sent by ports since the last reading.
    /// @param window the index of the window
    void SamplePorts(uint64_t window) const;
    /// Records the acknowledged bytes of active flows.
    /// @param window the index of the window
    void SampleFlows(uint64_t window) const;
    /// @return the number of completed windows
    uint64_t CountEnded() const;
    Time GetEnd(uint64_t window) const;
    /// @return the rate, in bit/s, that corresponds to the number of bytes in a window
    int64_t GetRate(uint64_t bytes) const;

    Ptr<Ledger> m_ledger;                              ///< the records; never null
    std::vector<Ptr<LosslessNetDevice>> m_portDevices; ///< the device of each port in the ledger
    std::vector<Ptr<RoceNic>> m_nics;                  ///< the NICs of this rank
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_RECORDER_H */
