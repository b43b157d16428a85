// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_COUNTERS_H
#define LOSSLESS_PABO_COUNTERS_H

#include "ns3/lossless-frame.h"
#include "ns3/trailer.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What PABO writes into each frame (PABO, Sec. II-F and III).
 *
 * Switches and hosts keep it in Frame::schemeData. On the wire it costs nothing, as in the paper's
 * simulations, or is a PaboTrailer.
 */
struct PaboCounters
{
    // Counters saturate.

    uint16_t bounces{0};    ///< how often a switch has sent the frame back (n_p, bouncedHop)
    uint8_t distance{0};    ///< hops back from where it was first sent back (bouncedDistance)
    uint8_t maxDistance{0}; ///< largest value of `distance` so far (maxBouncedDistance)
    uint16_t hops{0};       ///< switches passed and retransmissions by the source (totalHop)
    bool onWire{false};     ///< the frame ends in a PaboTrailer

    /// Returns a frame's counters; zero if no PABO switch has seen it.
    static PaboCounters Of(const Frame& frame);
    /// Writes the counters into a frame, and if on the wire into its own copy of the bytes.
    /// @param frame grows by PaboTrailer::BYTES when its trailer is new
    void WriteTo(Frame& frame) const;

    /// A switch or the frame's source forwards the frame.
    void CountHop();
    /// The frame is sent back by one hop.
    void CountBounce();
    /// The frame moves on towards its destination.
    void CountForward();
};

/// @ingroup lossless
/// The counters after the payload, where Ethernet's padding is: receivers that do not know them
/// ignore them, as an IPv4 header has the packet's length. Eight bytes, big-endian: two reserved,
/// bounces (two), distance, largest distance, hops (two).
class PaboTrailer : public Trailer
{
  public:
    /// Size of the trailer.
    static constexpr uint32_t BYTES = 8;

    /// @return the type
    static TypeId GetTypeId();

    /// Makes a trailer with all counters zero.
    PaboTrailer() = default;
    /// Makes a trailer with these counters.
    explicit PaboTrailer(const PaboCounters& counters);

    /// Returns the counters.
    const PaboCounters& GetCounters() const
    {
        return m_counters;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator end) const override;
    uint32_t Deserialize(Buffer::Iterator end) override;
    void Print(std::ostream& os) const override;

  private:
    PaboCounters m_counters; ///< see GetCounters()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_COUNTERS_H */
