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
 * The counters that PABO writes into each frame (PABO, Sec. II-F and III).
 *
 * Switches and hosts store the counters in Frame::schemeData. On the wire, they either take no
 * space, as in the paper's simulations, or are carried in a PaboTrailer.
 */
struct PaboCounters
{
    // The counters saturate at the maximum values of their types.

    /// The number of times that switches have sent the frame back (n_p, bouncedHop).
    uint16_t bounces{0};
    /// The current distance, in hops, of the frame from the switch that first sent it back
    /// (bouncedDistance).
    uint8_t distance{0};
    uint8_t maxDistance{0}; ///< the largest value of `distance` so far (maxBouncedDistance)
    uint16_t hops{0};       ///< the number of switches passed, plus the number of retransmissions
                            ///< by the source (totalHop)
    bool onWire{false};     ///< whether the frame ends with a PaboTrailer

    /// Returns the counters of a frame. They are zero if the frame has not passed a PABO switch.
    static PaboCounters Of(const Frame& frame);
    /// Writes the counters into a frame and, if they are on the wire, into its trailer.
    /// @param frame the frame, which grows by PaboTrailer::BYTES if it has no trailer yet
    void WriteTo(Frame& frame) const;

    /// Counts the forwarding of a frame by a switch or its retransmission by the source.
    void CountHop();
    /// Counts a hop back.
    void CountBounce();
    /// Counts a hop towards the destination.
    void CountForward();
};

/// @ingroup lossless
/// A trailer that contains the counters. It follows the payload in place of Ethernet's padding.
/// Receivers that do not support the trailer ignore it, because the IPv4 header contains the packet
/// length. Its eight bytes are two reserved bytes, bounces (two bytes), distance, maximum distance,
/// and hops (two bytes), in big-endian order.
class PaboTrailer : public Trailer
{
  public:
    /// The size of the trailer in bytes.
    static constexpr uint32_t BYTES = 8;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Creates a trailer with all counters set to zero.
    PaboTrailer() = default;
    /// Creates a trailer with the given counters.
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
