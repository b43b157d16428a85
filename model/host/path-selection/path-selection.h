// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SELECTION_H
#define LOSSLESS_PATH_SELECTION_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/source-port.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// The outcome of a packet that was sent with an entropy value.
enum class PathOutcome : uint8_t
{
    ARRIVED, ///< the packet was acknowledged without a mark
    MARKED,  ///< the packet was acknowledged with the mark "congestion experienced"
    TRIMMED, ///< a switch on the path, other than the last one, removed the payload
    LOST,    ///< the packet was retransmitted for an unknown reason
};

/**
 * @ingroup lossless
 * Chooses the path of each packet of a sending queue pair by means of an entropy value, which
 * switches hash together with the rest of the five-tuple.
 *
 * The entropy value is carried in the UDP source port, as in RoCEv2 and in Ultra Ethernet over UDP.
 * Value e of a flow with source port p is mapped to port 49152 + (p - 49152 + e) mod 16384, which
 * is one of the dynamic ports. Value 0 is thus the flow's own port, unless that port is not
 * dynamic. An answer uses the port of the packet that it acknowledges, so the sender learns the
 * value, and the answers are also spread over the paths.
 *
 * The NIC creates one object per flow. An algorithm implements DoChoose() and is notified of the
 * outcome of packets by DoNotify(). Each flow has its own random number generator, which is seeded
 * with RngSeed, RngRun and the ID of the flow. The random numbers therefore depend neither on other
 * flows nor on ranks.
 */
class PathSelection : public Object
{
  public:
    /// The maximum number of entropy values, which is the number of dynamic ports.
    static constexpr uint32_t MAX_ENTROPY_VALUES = DYNAMIC_PORTS;
    /// The maximum number of recent packets whose values are remembered.
    static constexpr uint32_t REMEMBERED = 1024;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Handles the start of the flow.
    /// @param flow the ID of the flow
    /// @param sourcePort the UDP source port of the flow
    void Start(uint64_t flow, uint16_t sourcePort);

    /// Returns the UDP source port for a packet that is about to be sent. If the packet has been
    /// sent before, its former value is considered to have lost the packet unless the packet was
    /// reported as trimmed.
    /// @param psn the 24-bit packet sequence number
    uint16_t Choose(uint32_t psn, Time now);

    /// Handles the acknowledgement of a packet.
    /// @param port the UDP source port of the answer
    /// @param isMarked whether the packet was marked
    void NotifyAck(uint16_t port, bool isMarked, Time now);

    /// Handles a report of a trimmed packet.
    /// @param port the UDP source port of the answer that reports it
    /// @param psn the packet sequence number
    /// @param isLastHop whether the last switch trimmed the packet; this does not affect the choice
    /// of a path, because the last switch is on all paths
    /// @param isMarked whether the packet had been marked before it was trimmed
    void NotifyTrimmed(uint16_t port, uint32_t psn, bool isLastHop, bool isMarked, Time now);

    /// Returns the number of entropy values.
    uint32_t GetEntropyValues() const
    {
        return m_values;
    }

  protected:
    /// Constructor for subclasses.
    PathSelection() = default;

    /// Returns a random number below `count`, which must be above 0.
    uint32_t Draw(uint32_t count);

  private:
    /// Handles the start of the flow. Draw() and GetEntropyValues() can already be called.
    virtual void DoStart()
    {
    }

    /// Chooses the entropy value of the next packet. The value must be below GetEntropyValues().
    virtual uint32_t DoChoose(Time now) = 0;

    /// Handles the outcome of a packet with an entropy value.
    virtual void DoNotify(uint32_t /* value */, PathOutcome /* outcome */, Time /* now */)
    {
    }

    /// Returns whether DoNotify() must be called for losses.
    virtual bool WantsLosses() const
    {
        return false;
    }

    /// Converts a UDP source port to its entropy value and calls DoNotify() if the value is valid.
    void Notify(uint16_t port, PathOutcome outcome, Time now);

    struct Sent
    {
        uint32_t psn{NOBODY}; ///< the sequence number of the packet
        uint32_t value{0};    ///< the entropy value
    };

    static constexpr uint32_t NOBODY = UINT32_MAX; ///< an invalid PSN, which needs more than
                                                   ///< 24 bits

    uint32_t m_values{0};     ///< the number of entropy values
    uint16_t m_firstPort{0};  ///< the UDP port of entropy value 0
    uint64_t m_state{0};      ///< the state of the random generator
    std::vector<Sent> m_sent; ///< the values of recent packets, indexed by PSN modulo REMEMBERED;
                              ///< empty if not needed
};

/// @ingroup lossless
/// Sends all packets of a flow over one path. The NIC does not create objects of this type, so
/// queue pairs without path selection have no extra cost.
class FlowPath : public PathSelection
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

  private:
    uint32_t DoChoose(Time /* now */) override
    {
        return 0;
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_SELECTION_H */
