// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_MESSAGES_H
#define LOSSLESS_CBFC_MESSAGES_H

#include "ns3/packet.h"
#include "ns3/typed-header.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lossless
{

/// The counter of a virtual channel.
struct CbfcCount
{
    uint8_t channel{0};  ///< the virtual channel
    uint32_t credits{0}; ///< the 20-bit counter of the channel, which wraps around
};

/// Creates a CF_Update. As specified by SAI, it is a control ordered set of 8 bytes with the freed
/// credits of one channel ("carrying R_CF_vc[i]"). Ultra Ethernet's encoding is not public. In this
/// model, the ordered set consists of an unused code, the message type, the channel (8 bits), the
/// counter (24 bits) and zeros.
/// @param count the channel and its freed credits
Ptr<Packet> MakeCfUpdate(const CbfcCount& count);

/// Parses a CF_Update. Returns an empty optional if the packet is not a CF_Update.
std::optional<CbfcCount> ParseCfUpdate(const Packet& packet);

/**
 * @ingroup lossless
 * The body of a CC_Update, which reports the consumed credits of the channels in use. It is sent in
 * a MAC control frame of 64 bytes including FCS. The opcode is followed by the number of channels
 * (8 bits) and, for each channel, its number (8 bits) and counter (24 bits). The encoding is not
 * public, and IEEE has not assigned the opcode. The eight classes of a port fit into one frame.
 */
class CcUpdateHeader : public TypedHeader<CcUpdateHeader>
{
  public:
    static constexpr uint16_t OPCODE = 0xffe8; ///< the opcode of the MAC control frame

    std::vector<CbfcCount> counts; ///< the counters of at most eight channels

    /// @return the TypeId of this class
    static TypeId GetTypeId();
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_MESSAGES_H */
