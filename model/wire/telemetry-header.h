// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TELEMETRY_HEADER_H
#define LOSSLESS_TELEMETRY_HEADER_H

#include "lossless-frame.h"

#include "ns3/data-rate.h"
#include "ns3/header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Record of a switch in a packet that leaves it: the state of the egress port at that moment, in
 * the units on the wire (see TelemetryHeader).
 *
 * All fields except queue and rate are counters that wrap: only differences modulo their range are
 * meaningful.
 */
struct TelemetryHop
{
    static constexpr uint32_t TIME_BITS = 24;  ///< of `time`
    static constexpr uint32_t SENT_BITS = 20;  ///< of `sent`
    static constexpr uint32_t QUEUE_BITS = 16; ///< of `queue`
    static constexpr uint32_t SENT_UNIT = 128; ///< bytes
    static constexpr uint32_t QUEUE_UNIT = 80; ///< bytes

    uint8_t rateCode{0}; ///< rate of the link, see EncodeRate(); 4 bits
    uint32_t time{0};    ///< when the first bit leaves, in ns modulo 2^24 (16.8 ms)
    uint32_t sent{0};    ///< bytes sent earlier, in units of 128 B modulo 2^20 (134 MB)
    uint32_t queue{0};   ///< bytes waiting behind the packet, in units of 80 B; at most 2^16 - 1

    /// @param rateCode see EncodeRate()
    /// @param sentBytes bytes that the port has sent on the wire
    /// @param queueBytes bytes that wait at the port
    static TelemetryHop Encode(uint8_t rateCode, Time now, uint64_t sentBytes, uint64_t queueBytes);

    /// @return code of a link's rate; nullopt if it has none
    static std::optional<uint8_t> EncodeRate(DataRate rate);
    /// @return why telemetry cannot represent a link's rate, as "has a rate of ..."; empty if it
    /// can
    static std::string DescribeMisfit(DataRate rate);

    /// @return rate of the link, bit/s; 0 for an unused code
    uint64_t GetRate() const;

    /// @param before an earlier record of the same port
    /// @return nanoseconds since then, modulo 2^24
    uint32_t GetTimeSince(const TelemetryHop& before) const
    {
        return (time - before.time) & Mask(TIME_BITS);
    }

    /// @param before an earlier record of the same port
    /// @return bytes sent since then, modulo 2^20 units
    uint64_t GetSentSince(const TelemetryHop& before) const
    {
        return static_cast<uint64_t>((sent - before.sent) & Mask(SENT_BITS)) * SENT_UNIT;
    }

    /// @return bytes that waited
    uint64_t GetQueueBytes() const
    {
        return static_cast<uint64_t>(queue) * QUEUE_UNIT;
    }

    /// @return largest value of a field
    static constexpr uint32_t Mask(uint32_t bits)
    {
        return (1U << bits) - 1;
    }
};

/**
 * @ingroup lossless
 * In-band network telemetry: the records of the switches on a packet's path.
 *
 * The layout is that of HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
 * Sec. 4.1, Fig. 7), in network byte order:
 *
 * | field    | bits | meaning                                                             |
 * |----------|------|---------------------------------------------------------------------|
 * | hops     | 4    | switches that the packet has left, at most 15                       |
 * | path     | 12   | exclusive or of the lowest 12 bits of these switches' node ids      |
 * | 5 times: |      | one for each of the first five switches, in order; zero if unused   |
 * | rate     | 4    | code of the link's rate                                             |
 * | time     | 24   | when the first bit leaves, ns                                       |
 * | sent     | 20   | bytes sent by the port earlier, in units of 128 B                   |
 * | queue    | 16   | bytes waiting at the port, in units of 80 B; the maximum: or more   |
 *
 * The paper gives the widths. The units are those of the authors' public simulator, whose queue
 * field has a bit more and whose rate code a bit less. As there, the sender reserves space for five
 * switches, 42 bytes, so that packets do not grow under way; further switches are only counted.
 *
 * It follows the base transport header in a data packet (see RoceHeader::HasTelemetry()) and the
 * AETH in the acknowledgement that echoes it.
 */
class TelemetryHeader : public Header
{
  public:
    static constexpr uint32_t MAX_HOPS = 5;             ///< switches with a record
    static constexpr uint32_t BYTES = 2 + 8 * MAX_HOPS; ///< on the wire

    /// Without records.
    TelemetryHeader() = default;

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// @param at offset of the header in the packet
    /// @return the header
    static TelemetryHeader Peek(const Packet& packet, uint32_t at);

    /// Adds the record of a switch.
    void Push(uint32_t switchId, const TelemetryHop& hop);

    /// @return switches that the packet has left, at most 15
    uint32_t GetHops() const;
    /// @return number of records
    uint32_t GetRecorded() const;
    /// @return exclusive or of the switches' node ids, 12 bits
    uint16_t GetPath() const;
    /// @param index of a switch on the path, below GetRecorded()
    /// @return its record
    TelemetryHop GetHop(uint32_t index) const;

    /// Writes BYTES. @return their end
    uint8_t* WriteBytes(uint8_t* bytes) const
    {
        return std::copy(m_bytes.begin(), m_bytes.end(), bytes);
    }

    /// Reads what WriteBytes() has written. @return its end
    const uint8_t* ReadBytes(const uint8_t* bytes)
    {
        std::copy_n(bytes, BYTES, m_bytes.begin());
        return bytes + BYTES;
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    std::array<uint8_t, BYTES> m_bytes{}; ///< the header on the wire
};

/// Adds the record of a switch to the telemetry header of a frame, in its bytes. Other copies of
/// the packet stay.
/// @param frame a RoCE frame with telemetry
void StampTelemetry(Frame& frame, uint32_t switchId, const TelemetryHop& hop);

} // namespace ns3::lossless

#endif /* LOSSLESS_TELEMETRY_HEADER_H */
