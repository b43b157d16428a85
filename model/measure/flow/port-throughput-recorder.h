// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PORT_THROUGHPUT_RECORDER_H
#define LOSSLESS_PORT_THROUGHPUT_RECORDER_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-item.h"
#include "ns3/switch-node.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Measures what ports of switches send, in windows of equal length from the start of the simulation
 * on, in bounded memory.
 *
 * A frame counts in the window in which it starts to leave, with all the bits that it costs on the
 * wire, so that a busy port reaches the rate of its link. When a port has MAX_WINDOWS of them, each
 * two become one and the length doubles, for all ports.
 */
class PortThroughputRecorder : public RankedRecord
{
  public:
    /// Most windows of a port.
    static constexpr std::size_t MAX_WINDOWS = 10000;

    /// @param window length of a window at first, above zero
    explicit PortThroughputRecorder(Time window);

    /// Windows begin at a time, and frames before it are not counted. To be called before the first
    /// frame. @param start the time
    void SetStart(Time start);

    /// @return length of a window by now
    Time GetWindow() const
    {
        m_ledger->Bound();
        return m_ledger->window;
    }

    /// Follows a port; once. @param name name of the switch @param node the switch, with all its
    /// ports @param port one of them
    void Watch(const std::string& name, Ptr<SwitchNode> node, PortId port);

    /// @return all ports in the order in which they were given, as port-throughput.csv shows them:
    /// a row for each window that has ended, by its end
    ResultTable GetTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// What one port has sent.
    struct PortBits
    {
        uint32_t rank{0};           ///< of the switch
        std::string node;           ///< name of the switch
        PortId port{0};             ///< port
        uint32_t overhead{0};       ///< bytes that a frame has on the wire besides its own
        std::vector<uint64_t> bits; ///< by window, up to the latest frame
    };

    /// All ports.
    struct Ledger : public SimpleRefCount<Ledger>
    {
        /// @param number of a port @param frameBytes of a frame that starts to leave it now
        void Add(std::size_t number, uint32_t frameBytes);
        /// Makes one window of each two.
        void Double();
        /// Does so until at most MAX_WINDOWS are over.
        void Bound();
        /// @return number of the window that is not over
        std::size_t GetCurrent() const;

        Ticks start{0};              ///< of the first window
        Time window;                 ///< length of a window
        std::vector<PortBits> ports; ///< by number
    };

    /// By port: its number in the ledger and 1; 0: not followed.
    using Numbers = std::vector<std::size_t>;

    /// @param node a switch @return the numbers of its ports
    Numbers& GetNumbers(Ptr<SwitchNode> node);

    Ptr<Ledger>
        m_ledger; ///< never null; kept alive by the switches, so that a recorder may go first
    std::map<const SwitchNode*, std::shared_ptr<Numbers>> m_numbers; ///< of those that are followed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PORT_THROUGHPUT_RECORDER_H */
