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
    // Counters stay at their largest value.

    uint16_t bounces{0};    ///< how often a switch has sent the frame back (n_p, bouncedHop)
    uint8_t distance{0};    ///< hops back from where it was first sent back (bouncedDistance)
    uint8_t maxDistance{0}; ///< largest value of `distance` so far (maxBouncedDistance)
    uint16_t hops{0};       ///< switches passed and times sent again by the source (totalHop)
    bool onWire{false};     ///< the frame ends in a PaboTrailer

    /// @param frame a frame @return its counters; zero if no switch of PABO has seen it
    static PaboCounters Of(const Frame& frame);
    /**
     * Writes the counters into a frame, and those on the wire into its bytes as well. Other copies
     * of the packet keep theirs.
     * @param frame the frame, which grows by PaboTrailer::BYTES when its trailer is new
     */
    void WriteTo(Frame& frame) const;

    /// A switch or the frame's source takes the frame on.
    void CountHop();
    /// The frame is sent back by one hop.
    void CountBounce();
    /// The frame goes on towards its destination.
    void CountForward();
};

/**
 * @ingroup lossless
 * The counters behind the payload, where Ethernet's padding is: whoever does not know them ignores
 * them, since the length of an IPv4 packet is in its header. Eight bytes: two of reserve, bounces
 * (two), distance, largest distance, hops (two); big-endian.
 */
class PaboTrailer : public Trailer
{
  public:
    /// Size of the trailer.
    static constexpr uint32_t BYTES = 8;

    /// @return the type
    static TypeId GetTypeId();

    /// All counters zero.
    PaboTrailer() = default;
    /// @param counters what it says
    explicit PaboTrailer(const PaboCounters& counters);

    /// @return what it says
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
    PaboCounters m_counters; ///< what it says
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_COUNTERS_H */
