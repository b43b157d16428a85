// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MAC_CONTROL_HEADER_H
#define LOSSLESS_MAC_CONTROL_HEADER_H

#include "lossless-types.h"

#include "ns3/header.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3::lossless
{

/// EtherType of MAC control frames (IEEE 802.3, clause 31).
inline constexpr uint16_t ETHERTYPE_MAC_CONTROL = 0x8808;

/// Opcode of a priority-based flow control frame (IEEE 802.1Qbb).
inline constexpr uint16_t OPCODE_PFC = 0x0101;

/// Length of a pause quantum in bit times of the link.
inline constexpr uint32_t PAUSE_QUANTUM_BITS = 512;

/// Minimum size of an Ethernet frame, without its FCS (64 bytes with it).
inline constexpr uint32_t PFC_FRAME_BYTES = 60;

/**
 * @ingroup lossless
 * Body of a MAC control frame with the PFC opcode, behind the Ethernet header.
 *
 * MAC control opcodes which this module puts on the wire:
 *
 * | opcode | name | body behind the opcode                                                      |
 * |--------|------|-----------------------------------------------------------------------------|
 * | 0x0101 | PFC  | class-enable vector (16 bit), time[0..7] in quanta (16 bit each), zeros pad |
 *
 * A class takes part in the frame when its bit in the class-enable vector is set. Its time is
 * then the pause which begins now, in quanta of 512 bit times, or zero to resume the class. A
 * class whose bit is clear is left as it is (IEEE 802.1Q clause 36, IEEE 802.3 annex 31D).
 */
class PfcHeader : public Header
{
  public:
    /// Return value of GetOpcode() for a truncated body; reserved by 802.3.
    static constexpr uint16_t OPCODE_NONE = 0;

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// Enables a class and sets its pause time.
    /// @param quanta in units of PAUSE_QUANTUM_BITS; zero resumes the class
    void SetQuanta(Priority priority, uint16_t quanta);

    /// @return whether the frame addresses a class
    bool IsEnabled(Priority priority) const;

    /// @return pause time of a class in units of PAUSE_QUANTUM_BITS
    uint16_t GetQuanta(Priority priority) const;

    /// @return the class-enable vector as it is on the wire, bit p for class p
    uint16_t GetEnableVector() const
    {
        return m_enableVector;
    }

    /// @return the opcode; OPCODE_NONE after deserialising too few bytes for it or for PFC
    uint16_t GetOpcode() const
    {
        return m_opcode;
    }

    /// @return whether the deserialised bytes were a complete PFC body; true for a new header
    bool IsPfc() const;

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    uint16_t m_opcode{OPCODE_PFC};                   ///< MAC control opcode
    uint16_t m_enableVector{0};                      ///< bit p: class p is enabled
    std::array<uint16_t, NUM_PRIORITIES> m_quanta{}; ///< pause time per class
};

/// @return 01:80:C2:00:00:01, the group address of MAC control frames, which no bridge forwards
Mac48Address GetMacControlAddress();

/// Reads the opcode of a MAC control frame without removing anything.
/// @param frame from the Ethernet header on
/// @return the opcode; nullopt for any other frame
std::optional<uint16_t> PeekMacControlOpcode(const Packet& frame);

/// Builds a MAC control frame, padded to Ethernet's minimum size.
/// @param source address of the sending port
/// @param body from the opcode on
/// @return the frame from the Ethernet header on, without FCS
Ptr<Packet> MakeMacControlFrame(Mac48Address source, const Header& body);

/// @param frame from the Ethernet header on
/// @return whether it is sent to GetMacControlAddress()
bool IsForMacControl(const Packet& frame);

/// Reads the body of a MAC control frame without removing anything.
/// @tparam BODY a Header that begins with the opcode
/// @param frame from the Ethernet header on
/// @param opcode of such a body
/// @return the body; nullopt for any other frame, or one not sent to GetMacControlAddress()
template <typename BODY>
std::optional<BODY>
ParseMacControlFrame(const Packet& frame, uint16_t opcode)
{
    if (PeekMacControlOpcode(frame) != opcode || !IsForMacControl(frame))
    {
        return std::nullopt;
    }
    BODY body;
    frame.CreateFragment(ETHERNET_BYTES, frame.GetSize() - ETHERNET_BYTES)->PeekHeader(body);
    return body;
}

/// Builds a PFC frame of PFC_FRAME_BYTES bytes.
/// @param source address of the sending port
/// @return the frame from the Ethernet header on, without FCS
Ptr<Packet> MakePfcFrame(Mac48Address source, const PfcHeader& body);

/// Reads a PFC frame without removing anything.
/// @param frame from the Ethernet header on
/// @return the body; nullopt if the frame is not PFC, is truncated, is not sent to
/// GetMacControlAddress() or enables no class
std::optional<PfcHeader> ParsePfcFrame(Ptr<const Packet> frame);

} // namespace ns3::lossless

#endif /* LOSSLESS_MAC_CONTROL_HEADER_H */
