// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SELECTION_H
#define LOSSLESS_PATH_SELECTION_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// The fate of a packet that was sent with an entropy value.
enum class PathOutcome : uint8_t
{
    ARRIVED, ///< acknowledged without a mark
    MARKED,  ///< acknowledged with a mark, "congestion experienced"
    TRIMMED, ///< a switch on its path, other than the last one, cut off its payload
    LOST,    ///< had to be sent again for an unknown reason
};

/// Returns the name of an outcome, for logs.
const char* ToString(PathOutcome outcome);

/**
 * @ingroup lossless
 * Chooses the path of each packet of one sending queue pair, as far as an end can: by an entropy
 * value, which switches hash with the rest of the five-tuple.
 *
 * The entropy value is carried in the UDP source port, as in RoCEv2 and in Ultra Ethernet over UDP:
 * value e of a flow with source port p is port 49152 + (p - 49152 + e) mod 16384, one of the
 * dynamic ports; so value 0 is the flow's port unless that is not dynamic. An answer has the port
 * of the packet that it answers, which returns the value and spreads answers, too.
 *
 * The NIC makes one object per flow. An algorithm implements DoChoose() and learns by DoNotify()
 * what became of packets. Draws come from the flow's own generator, seeded by RngSeed, RngRun and
 * the flow: they do not depend on other flows or on ranks.
 */
class PathSelection : public Object
{
  public:
    /// Maximum number of entropy values: the dynamic ports.
    static constexpr uint32_t MAX_ENTROPY_VALUES = 16384;
    /// Number of latest packets whose values are remembered.
    static constexpr uint32_t REMEMBERED = 1024;

    /// @return the type
    static TypeId GetTypeId();

    /// The flow begins.
    /// @param flow number of the flow
    /// @param sourcePort its UDP source port
    void Start(uint64_t flow, uint16_t sourcePort);

    /// A packet leaves; returns its UDP source port. One that leaves again was lost with its former
    /// value, unless it was reported as trimmed.
    /// @param psn its packet sequence number, 24 bits
    uint16_t Choose(uint32_t psn, Time now);

    /// A packet is acknowledged.
    /// @param port UDP source port of the answer
    /// @param isMarked whether the packet was marked
    void NotifyAck(uint16_t port, bool isMarked, Time now);

    /// A trimmed packet has arrived.
    /// @param port UDP source port of the answer that reports it
    /// @param psn its packet sequence number
    /// @param isLastHop trimmed by the last switch, which is on all paths: no news about this one
    /// @param isMarked whether it was marked before
    void NotifyTrimmed(uint16_t port, uint32_t psn, bool isLastHop, bool isMarked, Time now);

    /// Number of entropy values.
    uint32_t GetEntropyValues() const
    {
        return m_values;
    }

  protected:
    /// Only subclasses are instantiated.
    PathSelection() = default;

    /// Returns a random number below `count`, which must be above 0.
    uint32_t Draw(uint32_t count);

  private:
    /// The flow begins: Draw() and GetEntropyValues() are valid.
    virtual void DoStart();
    /// Chooses the entropy value of the next packet, below GetEntropyValues().
    virtual uint32_t DoChoose(Time now) = 0;
    /// Handles the outcome of a packet with an entropy value.
    virtual void DoNotify(uint32_t value, PathOutcome outcome, Time now);
    /// Whether DoNotify() needs losses.
    virtual bool WantsLosses() const;

    /// Converts a UDP source port to its value and calls DoNotify().
    void Notify(uint16_t port, PathOutcome outcome, Time now);

    struct Sent
    {
        uint32_t psn{NOBODY}; ///< the packet
        uint32_t value{0};    ///< the entropy value
    };

    static constexpr uint32_t NOBODY = UINT32_MAX; ///< not a PSN, which has 24 bits

    uint32_t m_values{0};     ///< number of entropy values
    uint16_t m_firstPort{0};  ///< of entropy value 0
    uint64_t m_state{0};      ///< of the generator
    std::vector<Sent> m_sent; ///< by PSN modulo REMEMBERED, no longer than flows need; empty if
                              ///< losses are not needed
};

/// @ingroup lossless
/// All packets of a flow take one path. The NIC creates no object of this type: its queue pairs
/// have no path selection and no cost.
class FlowPath : public PathSelection
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    uint32_t DoChoose(Time now) override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_SELECTION_H */
