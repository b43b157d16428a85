// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TELEMETRY_HEADER_H
#define LOSSLESS_TELEMETRY_HEADER_H

#include "byte-header.h"
#include "lossless-frame.h"

#include "ns3/data-rate.h"

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
 * The record that a switch adds to a departing packet. It contains the state of the egress port at
 * the time of departure, in the units used on the wire (see TelemetryHeader).
 *
 * All fields except the queue and the rate are counters that wrap around. Only differences modulo
 * the range are meaningful.
 */
struct TelemetryHop
{
    static constexpr uint32_t TIME_BITS = 24;  ///< the number of bits of `time`
    static constexpr uint32_t SENT_BITS = 20;  ///< the number of bits of `sent`
    static constexpr uint32_t QUEUE_BITS = 16; ///< the number of bits of `queue`
    static constexpr uint32_t SENT_UNIT = 128; ///< the unit of `sent`, in bytes
    static constexpr uint32_t QUEUE_UNIT = 80; ///< the unit of `queue`, in bytes

    uint8_t rateCode{0}; ///< the 4-bit code of the link's rate; see EncodeRate()
    uint32_t time{0};    ///< the departure time of the packet's first bit, in ns modulo 2^24
                         ///< (16.8 ms)
    uint32_t sent{0};    ///< the bytes previously sent by the port, in units of 128 B modulo 2^20
                         ///< (134 MB)
    uint32_t queue{0};   ///< the bytes that remain in the queue, in units of 80 B, at most 2^16 - 1

    /// @param rateCode the code of the rate; see EncodeRate()
    /// @param sentBytes the number of bytes that the port has sent on the wire
    /// @param queueBytes the number of bytes that wait at the port
    static TelemetryHop Encode(uint8_t rateCode, Time now, uint64_t sentBytes, uint64_t queueBytes);

    /// @return the code of a link's rate, or nullopt if the rate has no code
    static std::optional<uint8_t> EncodeRate(DataRate rate);
    /// @return a description, beginning with "has a rate of", of why telemetry cannot represent a
    /// link's rate; empty if the rate has a code
    static std::string DescribeMisfit(DataRate rate);

    /// @return the rate of the link in bit/s, or 0 for an unused code
    uint64_t GetRate() const;

    /// @param before an earlier record of the same port
    /// @return the time since that record in nanoseconds, modulo 2^24
    uint32_t GetTimeSince(const TelemetryHop& before) const
    {
        return (time - before.time) & Mask(TIME_BITS);
    }

    /// @param before an earlier record of the same port
    /// @return the number of bytes sent since that record, a multiple of SENT_UNIT, modulo
    /// 2^20 * SENT_UNIT
    uint64_t GetSentSince(const TelemetryHop& before) const
    {
        return static_cast<uint64_t>((sent - before.sent) & Mask(SENT_BITS)) * SENT_UNIT;
    }

    /// @return the number of bytes that remained in the queue, a multiple of QUEUE_UNIT
    uint64_t GetQueueBytes() const
    {
        return static_cast<uint64_t>(queue) * QUEUE_UNIT;
    }

    /// @return the largest value of a field with the given number of bits
    static constexpr uint32_t Mask(uint32_t bits)
    {
        return (1U << bits) - 1;
    }
};

/**
 * @ingroup lossless
 * In-band network telemetry with the records of the switches on a packet's path.
 *
 * The layout is that of HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
 * Sec. 4.1, Fig. 7), in network byte order:
 *
 * | field    | bits | meaning                                                             |
 * |----------|------|---------------------------------------------------------------------|
 * | hops     | 4    | switches that the packet has left, at most 15                       |
 * | path     | 12   | exclusive or of the lowest 12 bits of these switches' node IDs      |
 * | 5 times: |      | one record for each of the first five switches; zero if unused      |
 * | rate     | 4    | code of the link's rate                                             |
 * | time     | 24   | departure time of the first bit, in ns                              |
 * | sent     | 20   | bytes sent by the port earlier, in units of 128 B                   |
 * | queue    | 16   | bytes waiting at the port, in units of 80 B; limited to 2^16 - 1    |
 *
 * The widths are from the paper. The units are those of the authors' public simulator, in which the
 * queue field has one more bit and the rate code has one bit fewer. As in that simulator, the
 * sender reserves space for five switches (42 bytes), so packets do not grow along their path.
 * Additional switches are only counted.
 *
 * The header follows the base transport header in a data packet (see RoceHeader::HasTelemetry())
 * and the AETH in the acknowledgement that echoes it.
 */
class TelemetryHeader : public ByteHeader<TelemetryHeader>
{
  public:
    static constexpr uint32_t MAX_HOPS = 5;             ///< the maximum number of records
    static constexpr uint32_t BYTES = 2 + 8 * MAX_HOPS; ///< the size on the wire

    /// Creates a header without records.
    TelemetryHeader() = default;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Adds the record of a switch.
    void Push(uint32_t switchId, const TelemetryHop& hop);

    /// @return the number of switches that the packet has left, at most 15
    uint32_t GetHops() const;
    /// @return the number of records
    uint32_t GetRecorded() const;
    /// @return the exclusive or of the lowest 12 bits of the switches' node IDs
    uint16_t GetPath() const;
    /// @param index the index of a switch on the path, less than GetRecorded()
    /// @return the record of the switch
    TelemetryHop GetHop(uint32_t index) const;

    /// Writes BYTES bytes.
    /// @return the end of the written bytes
    uint8_t* WriteBytes(uint8_t* bytes) const
    {
        return std::copy(m_bytes.begin(), m_bytes.end(), bytes);
    }

    /// Reads the output of WriteBytes().
    /// @return the end of the bytes read
    const uint8_t* ReadBytes(const uint8_t* bytes)
    {
        std::copy_n(bytes, BYTES, m_bytes.begin());
        return bytes + BYTES;
    }

    void Print(std::ostream& os) const override;

  private:
    std::array<uint8_t, BYTES> m_bytes{}; ///< the header on the wire
};

/// Adds the record of a switch to the telemetry header of a frame. Other copies of the packet are
/// not affected.
/// @param frame a RoCE frame with telemetry
void StampTelemetry(Frame& frame, uint32_t switchId, const TelemetryHop& hop);

} // namespace ns3::lossless

#endif /* LOSSLESS_TELEMETRY_HEADER_H */
