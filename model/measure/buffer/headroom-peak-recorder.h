// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_PEAK_RECORDER_H
#define LOSSLESS_HEADROOM_PEAK_RECORDER_H

#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Records how much headroom ingress ports really need: the local maxima of the bytes in the
 * headroom of a port, all classes together (DSH, Sec. III-B, Fig. 6).
 *
 * A maximum is the level from which the headroom in use falls after it has risen; a port that
 * drains by several frames in a row has one.
 */
class HeadroomPeakRecorder : public Recorder
{
  public:
    /// A level of headroom in use.
    struct Level
    {
        uint64_t bytes;    ///< in the headroom of a port
        uint64_t capacity; ///< headroom of that port, bytes

        /// @return whether this level comes first
        bool operator<(const Level& other) const
        {
            return std::tie(bytes, capacity) < std::tie(other.bytes, other.capacity);
        }

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(bytes, capacity);
        }
    };

    /// Numbers of local maxima, by level.
    using Peaks = std::map<Level, uint64_t>;

    /// @return the type
    static TypeId GetTypeId();

    HeadroomPeakRecorder();

    /// Follows all ports of a switch. A buffer policy without headroom ends the program.
    /// @param node with its final buffer policy
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return the local maxima of all ports so far
    const Peaks& GetPeaks() const
    {
        return *m_peaks;
    }

    /// @return GetPeaks() as headroom-peaks.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    std::shared_ptr<Peaks> m_peaks; ///< never null; switches keep it alive
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_PEAK_RECORDER_H */
