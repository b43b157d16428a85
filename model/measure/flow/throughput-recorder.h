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
 * Measures what switches send, by egress port or from one host to another, in windows of equal
 * length and in bounded memory.
 *
 * A frame counts in the window in which it starts to leave, with all its bits on the wire, so that
 * a busy port reaches the rate of its link. At MAX_WINDOWS, each two windows become one, for
 * everything that is measured.
 */
class ThroughputRecorder : public RankedRecord
{
  public:
    /// Most windows of a port or flow.
    static constexpr std::size_t MAX_WINDOWS = 10000;

    /// @param window initial length of a window, above zero
    explicit ThroughputRecorder(Time window);

    /// Windows begin at this time, and earlier frames are not counted. To be called before the
    /// first frame.
    void SetStart(Time start);

    /// @return present length of a window
    Time GetWindow() const;

    /// Measures a port; a second time ends the program.
    void WatchPort(const std::string& name, Ptr<SwitchNode> node, PortId port);
    /// Measures the frames from one host to another, all of which pass a switch once; a second time
    /// ends the program.
    /// @param name of the flow
    /// @param node with all its ports
    void WatchFlow(const std::string& name,
                   Ptr<SwitchNode> node,
                   Ipv4Address source,
                   Ipv4Address destination);

    /// @return port-throughput.csv: the ports in the order of WatchPort(), each with a row per
    /// completed window, at the time of its end
    ResultTable GetPortTable() const;
    /// @return throughput.csv: the flows in the order of WatchFlow(), likewise
    ResultTable GetFlowTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Source and destination, as frames have them.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// What a port has sent, or what was sent of a flow.
    struct Series
    {
        uint32_t rank{0};           ///< of the switch
        std::string name;           ///< of the switch or flow
        std::optional<PortId> port; ///< nothing: it is a flow
        std::vector<uint64_t> bits; ///< by window, up to the latest frame
    };

    /// All series; the switches keep it alive, so that a recorder may go first.
    struct Ledger : public SimpleRefCount<Ledger>
    {
        /// Counts the bits of a frame that starts to leave now. @param number of the series
        void Add(std::size_t number, uint64_t bits);
        /// Merges each two windows.
        void Double();
        /// Does so until at most MAX_WINDOWS have ended.
        void Bound();
        /// @return number of the present window
        std::size_t GetCurrent() const;

        Ticks start{0}; ///< of the first window
        Time window;    ///< length of a window
        std::vector<Series> series;
    };

    /// What is measured of a switch.
    struct View : public SimpleRefCount<View>
    {
        static constexpr std::size_t NONE = SIZE_MAX;

        std::vector<std::size_t> ports;  ///< by port: number of its series, or NONE
        std::vector<uint32_t> overheads; ///< by port: bytes of a frame on the wire besides its own
        std::map<Pair, std::size_t> flows; ///< number of the series
    };

    View& GetView(Ptr<SwitchNode> node);
    /// @return the number of a new series
    std::size_t AddSeries(const Series& series);
    /// Adds a row for each window of a series. @param label the cells between time and rate
    void AddRows(const Series& series, const ResultTable::Row& label, ResultTable& table) const;

    Ptr<Ledger> m_ledger; ///< never null
    std::map<const SwitchNode*, Ptr<View>> m_views;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_THROUGHPUT_RECORDER_H */
