// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_TRIMMER_H
#define LOSSLESS_PACKET_TRIMMER_H

#include "ns3/object.h"
#include "ns3/switch-item.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Truncates a frame that a switch cannot store (see "TrimBytes") and moves it to a separate class
 * (Ultra Ethernet 1.0, packet trimming; SAI, "Packet Trimming"). See trimming.h for the DSCPs of
 * trimmed packets.
 *
 * Only data packets of RoCE queue pairs are trimmed, and only once. All other frames are dropped,
 * as they would be without a trimmer. A trimmed packet is subject to admission like any frame of
 * its class and is dropped if there is no room.
 */
class PacketTrimmer : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @param item a frame that cannot be stored. If it is trimmed, SwitchItem::frame is updated,
    /// but SwitchItem::bufferBytes is not.
    /// @param isLastHop whether the frame's egress port leads directly to its receiver
    /// @return the number of bytes removed, or 0 if the frame is not trimmed
    uint32_t Trim(SwitchItem& item, bool isLastHop) const;

    /// @return the class of trimmed packets
    Priority GetClass() const
    {
        return Priority{m_class};
    }

    /// @return the share of a port's rate that trimmed packets receive while one other class has
    /// frames to send
    double GetShare() const
    {
        return m_share;
    }

  private:
    uint32_t m_bytes{0}; ///< the maximum size of a trimmed frame, in bytes
    uint8_t m_class{0};  ///< see GetClass()
    double m_share{0};   ///< see GetShare()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_TRIMMER_H */
