// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_THROUGHPUT_RECORDER_H
#define LOSSLESS_THROUGHPUT_RECORDER_H

#include "ns3/ipv4-address.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Measures the throughput of switches, per egress port or from one host to another, in windows of
 * equal length and in bounded memory.
 *
 * A frame counts with its overhead on the wire, in the window in which its transmission starts, so
 * a busy port reaches the rate of its link. If a run has more than MAX_WINDOWS windows, adjacent
 * windows are merged in pairs for all ports and flows.
 */
class ThroughputRecorder : public RankedRecord
{
  public:
    /// The maximum number of windows of a port or flow.
    static constexpr std::size_t MAX_WINDOWS = 10000;

    /// @param window the initial length of a window, which must be positive
    explicit ThroughputRecorder(Time window);

    /// Sets the start of the first window. Frames sent before this time are not counted. Call this
    /// function before the first frame is sent.
    void SetStart(Time start);

    /// @return the current length of a window
    Time GetWindow() const;

    /// Measures a port. A second call for the same port stops the program.
    void WatchPort(const std::string& name, Ptr<SwitchNode> node, PortId port);
    /// Measures the frames from one host to another. Each of these frames must pass through the
    /// switch exactly once. A second call for the same flow stops the program.
    /// @param name the name of the flow
    /// @param node the switch, which must already have all its ports
    void WatchFlow(const std::string& name,
                   Ptr<SwitchNode> node,
                   Ipv4Address source,
                   Ipv4Address destination);

    /// @return the contents of port-throughput.csv. The ports are in the order of the WatchPort()
    /// calls. Each port has one row per completed window. A row starts with the end time of its
    /// window.
    ResultTable GetPortTable() const;
    /// @return the contents of throughput.csv. The flows are in the order of the WatchFlow() calls,
    /// with rows like those of ports.
    ResultTable GetFlowTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// A source and a destination address, as they appear in frames.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// The number of bits of a port or flow in each window.
    struct Series
    {
        uint32_t rank{0};           ///< the rank of the switch
        std::string name;           ///< the name of the switch or flow
        std::optional<PortId> port; ///< the port; unset for a flow
        std::vector<uint64_t> bits; ///< the number of bits in each window, up to the latest frame
    };

    /// The series of all ports and flows. The switches' traces hold references to this object,
    /// which can therefore outlive the recorder.
    struct Ledger : public SimpleRefCount<Ledger>
    {
        /// Counts the bits of a frame whose transmission starts now.
        /// @param number the index of the series
        void Add(std::size_t number, uint64_t bits);
        /// Merges adjacent windows in pairs.
        void Double();
        /// Merges adjacent windows until at most MAX_WINDOWS completed ones remain.
        void Bound();
        /// @return the index of the current window
        std::size_t GetCurrent() const;

        Ticks start{0}; ///< the start of the first window
        Time window;    ///< the length of a window
        std::vector<Series> series;
    };

    /// The series measured at a switch.
    struct View : public SimpleRefCount<View>
    {
        static constexpr std::size_t NONE = SIZE_MAX;

        std::vector<std::size_t> ports; ///< the series index of each port, or NONE
        /// For each port, the overhead of a frame on the wire, in bytes.
        std::vector<uint32_t> overheads;
        std::map<Pair, std::size_t> flows; ///< the series index of each flow
    };

    View& GetView(Ptr<SwitchNode> node);
    /// @return the index of the new series
    std::size_t AddSeries(const Series& series);
    /// Adds one row for each completed window of a series.
    /// @param label the cells between the time and the rate
    void AddRows(const Series& series, const ResultTable::Row& label, ResultTable& table) const;

    Ptr<Ledger> m_ledger; ///< the series; never null
    std::map<const SwitchNode*, Ptr<View>> m_views;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_THROUGHPUT_RECORDER_H */
