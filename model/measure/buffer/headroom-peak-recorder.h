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
 * Records the headroom that ingress ports use. The results are the local maxima of the number of
 * bytes in a port's headroom, summed over all classes (DSH, Sec. III-B, Fig. 6).
 *
 * A local maximum is the level at which the headroom in use stops rising and begins to fall.
 * Several frames released in a row therefore yield a single maximum.
 */
class HeadroomPeakRecorder : public Recorder
{
  public:
    /// A level of the headroom in use.
    struct Level
    {
        uint64_t bytes;    ///< the number of bytes in the headroom of a port
        uint64_t capacity; ///< the size of the port's headroom, in bytes

        /// @return whether this level is sorted before the other
        bool operator<(const Level& other) const
        {
            return std::tie(bytes, capacity) < std::tie(other.bytes, other.capacity);
        }

        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(bytes, capacity);
        }
    };

    /// The number of local maxima at each level.
    using Peaks = std::map<Level, uint64_t>;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    HeadroomPeakRecorder();

    /// Starts recording all ports of a switch. The program stops if the buffer policy has no
    /// headroom.
    /// @param node a switch with its final buffer policy
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return the contents of headroom-peaks.csv
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    std::shared_ptr<Peaks> m_peaks; ///< never null; shared with the traces of the switches
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_PEAK_RECORDER_H */
