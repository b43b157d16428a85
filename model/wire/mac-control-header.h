// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MAC_CONTROL_HEADER_H
#define LOSSLESS_MAC_CONTROL_HEADER_H

#include "lossless-types.h"
#include "typed-header.h"

#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3::lossless
{

/// The EtherType of MAC control frames (IEEE 802.3, clause 31).
inline constexpr uint16_t ETHERTYPE_MAC_CONTROL = 0x8808;

/// The opcode of priority-based flow control frames (IEEE 802.1Qbb).
inline constexpr uint16_t OPCODE_PFC = 0x0101;

/// The duration of a pause quantum, in bit times of the link.
inline constexpr uint32_t PAUSE_QUANTUM_BITS = 512;

/// The size of a PFC frame without FCS, in bytes. It is the minimum size of an Ethernet frame,
/// which is 64 bytes with FCS.
inline constexpr uint32_t PFC_FRAME_BYTES = 60;

/**
 * @ingroup lossless
 * The body of a MAC control frame with the PFC opcode. It follows the Ethernet header.
 *
 * The layout on the wire is:
 *
 * | opcode | name | body after the opcode                                                       |
 * |--------|------|-----------------------------------------------------------------------------|
 * | 0x0101 | PFC  | class-enable vector (16 bits), 8 times in quanta (16 bits each), zero bytes |
 *
 * The frame applies to a class if the bit of the class in the class-enable vector is set. The time
 * of the class is the duration of a pause that begins immediately, in quanta of 512 bit times. A
 * time of zero resumes the class. Classes whose bit is clear are not affected
 * (IEEE 802.1Q clause 36, IEEE 802.3 annex 31D).
 */
class PfcHeader : public TypedHeader<PfcHeader>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Enables a class and sets its pause time.
    /// @param quanta the pause time in units of PAUSE_QUANTUM_BITS; zero resumes the class
    void SetQuanta(Priority priority, uint16_t quanta);

    /// Enables several classes and sets their pause times to the same value.
    /// @param quanta the pause time in units of PAUSE_QUANTUM_BITS; zero resumes the classes
    void SetQuanta(PrioritySet classes, uint16_t quanta);

    /// @return whether the frame enables a class
    bool IsEnabled(Priority priority) const;

    /// @return the pause time of a class in units of PAUSE_QUANTUM_BITS
    uint16_t GetQuanta(Priority priority) const;

    /// @return the class-enable vector as sent on the wire, with bit p for class p
    uint16_t GetEnableVector() const
    {
        return m_enableVector;
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_enableVector{0};                      ///< bit p is set if class p is enabled
    std::array<uint16_t, NUM_PRIORITIES> m_quanta{}; ///< the pause time of each class
};

/// @return 01:80:C2:00:00:01, the group address of MAC control frames, which no bridge forwards
Mac48Address GetMacControlAddress();

/// Reads the opcode of a MAC control frame without removing bytes.
/// @param frame the frame with its Ethernet header
/// @return the opcode, or nullopt if the frame is not a MAC control frame
std::optional<uint16_t> PeekMacControlOpcode(const Packet& frame);

/// Builds a MAC control frame, padded to Ethernet's minimum size.
/// @param source the address of the sending port
/// @param body the body, beginning with the opcode
/// @return the frame with its Ethernet header, without FCS
Ptr<Packet> MakeMacControlFrame(Mac48Address source, const Header& body);

/// @param frame the frame with its Ethernet header
/// @return whether the frame's destination is GetMacControlAddress()
bool IsForMacControl(const Packet& frame);

/// Reads the body of a MAC control frame without removing bytes.
/// @tparam BODY a Header that begins with the opcode and whose Deserialize() returns 0 if there are
/// too few bytes or they are not such a body
/// @param frame the frame with its Ethernet header
/// @param opcode the opcode of BODY
/// @return the body, or nullopt if the frame has another opcode, is not sent to
/// GetMacControlAddress() or contains no complete body
template <typename BODY>
std::optional<BODY>
ParseMacControlFrame(const Packet& frame, uint16_t opcode)
{
    if (PeekMacControlOpcode(frame) != opcode || !IsForMacControl(frame))
    {
        return std::nullopt;
    }
    BODY body;
    const auto bytes = frame.CreateFragment(ETHERNET_BYTES, frame.GetSize() - ETHERNET_BYTES);
    return bytes->PeekHeader(body) > 0 ? std::optional(body) : std::nullopt;
}

/// Builds a PFC frame of PFC_FRAME_BYTES bytes.
/// @param source the address of the sending port
/// @return the frame with its Ethernet header, without FCS
Ptr<Packet> MakePfcFrame(Mac48Address source, const PfcHeader& body);

/// Reads a PFC frame without removing bytes.
/// @param frame the frame with its Ethernet header
/// @return the body, or nullopt if the frame is not PFC, is truncated, is not sent to
/// GetMacControlAddress() or enables no class
std::optional<PfcHeader> ParsePfcFrame(Ptr<const Packet> frame);

} // namespace ns3::lossless

#endif /* LOSSLESS_MAC_CONTROL_HEADER_H */
