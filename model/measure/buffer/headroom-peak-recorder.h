// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_PEAK_RECORDER_H
#define LOSSLESS_HEADROOM_PEAK_RECORDER_H

#include "ns3/ranked-record.h"
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
 * Counts how much headroom ingress ports really need: the local maxima of what is stored in the
 * headroom of a port, all classes together (DSH, Sec. III-B, Fig. 6).
 *
 * A maximum is the level from which the headroom in use falls after it had risen; a port that
 * drains by several frames in a row has one.
 */
class HeadroomPeakRecorder : public RankedRecord
{
  public:
    /// A level of headroom in use.
    struct Level
    {
        uint64_t bytes;    ///< in the headroom of a port
        uint64_t capacity; ///< set aside for that port, bytes

        /// @param other another one @return whether it comes before this one
        bool operator<(const Level& other) const
        {
            return std::tie(bytes, capacity) < std::tie(other.bytes, other.capacity);
        }

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(bytes, capacity);
        }
    };

    /// Local maxima by their level, and how many there were.
    using Peaks = std::map<Level, uint64_t>;

    HeadroomPeakRecorder();

    /**
     * Follows all ports of a switch; one whose policy has no headroom stops the program.
     * @param node the switch, with its final buffer policy
     */
    void Watch(Ptr<SwitchNode> node);

    /// @return the local maxima of all ports of all switches so far
    const Peaks& GetPeaks() const
    {
        return *m_peaks;
    }

    /// @return GetPeaks() as headroom-peaks.csv shows it
    ResultTable GetTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    std::shared_ptr<Peaks>
        m_peaks; ///< never null; switches have it, too, so that this may go first
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_PEAK_RECORDER_H */
