// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_THROUGHPUT_RECORDER_H
#define LOSSLESS_THROUGHPUT_RECORDER_H

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Measures what a switch forwards from one host to another, in windows of equal length from the
 * start of the simulation on.
 *
 * A frame counts in the window in which it starts to leave, with all the bits that it costs on the
 * wire, so that a flow which has a link to itself reaches the link's rate.
 */
class ThroughputRecorder : public RankedRecord
{
  public:
    /// @param window length of a window, above zero
    explicit ThroughputRecorder(Time window);

    /**
     * Follows the frames between two hosts; no pair may be added twice.
     * @param name what results call them
     * @param source address of the sender
     * @param destination address of the receiver
     */
    void AddFlow(const std::string& name, Ipv4Address source, Ipv4Address destination);

    /// @param node the switch, with all its ports, which every frame of the flows passes once
    void Watch(Ptr<SwitchNode> node);

    /// @param name a flow that was added @return bits on the wire in each window that has ended
    std::vector<uint64_t> GetBits(const std::string& name) const;

    /// @return all flows in the order in which they were added, as throughput.csv shows them: a row
    /// for each window, by its end
    ResultTable GetTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Source and destination, as frames show them.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// What the switch has told; kept alive by it, so that a recorder may go first.
    struct Log : public SimpleRefCount<Log>
    {
        /// @param item a frame which starts to leave
        void Count(const SwitchItem& item);

        Time m_window;                     ///< length of a window
        std::vector<uint32_t> m_overheads; ///< by egress port: bytes that a frame has on the wire
                                           ///< besides its own; empty: no switch is watched
        std::map<Pair, std::vector<uint64_t>>
            m_bits; ///< by flow and window, up to the latest frame
    };

    /// @param pair a flow that was added @return see the public one
    std::vector<uint64_t> GetBits(const Pair& pair) const;

    Ptr<Log> m_log;                                    ///< never null
    std::vector<std::pair<std::string, Pair>> m_names; ///< in the order of AddFlow()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_THROUGHPUT_RECORDER_H */
