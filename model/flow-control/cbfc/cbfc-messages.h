// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_MESSAGES_H
#define LOSSLESS_CBFC_MESSAGES_H

#include "ns3/header.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lossless
{

/// A counter of a virtual channel.
struct CbfcCount
{
    uint8_t channel{0};  ///< virtual channel
    uint32_t credits{0}; ///< 20 bits, wraps around
};

/// Makes a CF_Update: a control ordered set of 8 bytes with the freed credits of one channel, as
/// SAI has it ("carrying R_CF_vc[i]"). Ultra Ethernet's encoding is not public; here the set has an
/// unused code and the kind of the message, then channel (8 bit), counter (24 bit) and zeros.
/// @param count the channel and its credits freed
Ptr<Packet> MakeCfUpdate(const CbfcCount& count);

/// Parses a CF_Update; returns nothing if the packet is not one.
std::optional<CbfcCount> ParseCfUpdate(const Packet& packet);

/**
 * @ingroup lossless
 * Body of a CC_Update: the credits consumed of the channels in use, in a MAC control frame of 64
 * bytes with FCS. After the opcode: number of channels (8 bit), then channel (8 bit) and counter
 * (24 bit) of each. The encoding is not public, and the opcode is one that IEEE leaves free; the
 * eight classes of a port fit into one frame.
 */
class CcUpdateHeader : public Header
{
  public:
    static constexpr uint16_t OPCODE = 0xffe8; ///< of the MAC control frame

    std::vector<CbfcCount> counts; ///< at most eight

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /// Whether the deserialized bytes were complete.
    bool IsComplete() const
    {
        return m_isComplete;
    }

  private:
    bool m_isComplete{true}; ///< see IsComplete()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_MESSAGES_H */
