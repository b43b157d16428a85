// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SELECTION_H
#define LOSSLESS_PATH_SELECTION_H

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// What became of a packet that was sent with an entropy value.
enum class PathOutcome : uint8_t
{
    ARRIVED, ///< acknowledged, and not marked on its way
    MARKED,  ///< acknowledged, and marked "congestion experienced" on its way
    TRIMMED, ///< a switch of its path cut its payload off, but not the switch before its receiver
    LOST,    ///< it had to be sent again, and nobody has said why
};

/// @param outcome an outcome @return its name, for logs
const char* ToString(PathOutcome outcome);

/**
 * @ingroup lossless
 * Chooses the path of each packet of one sending queue pair, as far as an end can: by an entropy
 * value, which switches hash with the rest of the five-tuple.
 *
 * The entropy value is carried in the UDP source port, where RoCEv2 has it and Ultra Ethernet over
 * UDP as well: value e of a flow with source port p is port 49152 + (p - 49152 + e) mod 16384, one
 * of the dynamic ports; so value 0 is the port of the flow unless that is not dynamic. The receiver
 * answers with the port of the packet that it answers, which tells the value back, and sends the
 * answer by another path than that of another packet's.
 *
 * The NIC makes one object per flow. An algorithm answers DoChoose() and hears by DoNotify() what
 * became of packets. Draws are of a generator of the flow's own, which follows from RngSeed, RngRun
 * and the flow: they do not depend on other flows, nor on ranks.
 */
class PathSelection : public Object
{
  public:
    /// Number of entropy values there can be: the dynamic ports.
    static constexpr uint32_t MAX_ENTROPY_VALUES = 16384;
    /// Of so many of the latest packets it is known by which value they went.
    static constexpr uint32_t REMEMBERED = 1024;

    /// @return the type
    static TypeId GetTypeId();

    /// The flow begins. @param flow number of the flow @param sourcePort its UDP source port
    void Start(uint64_t flow, uint16_t sourcePort);

    /**
     * A packet leaves. One that leaves again was lost with its former value, unless that has been
     * told to be trimmed.
     * @param psn its packet sequence number, 24 bits
     * @param now the time
     * @return its UDP source port
     */
    uint16_t Choose(uint32_t psn, Time now);

    /// A packet is acknowledged. @param port UDP source port of the answer @param isMarked whether
    /// the packet was marked @param now the time
    void NotifyAck(uint16_t port, bool isMarked, Time now);

    /**
     * A trimmed packet has arrived.
     * @param port UDP source port of the answer that tells it
     * @param psn its packet sequence number
     * @param isLastHop whether the switch before the receiver has trimmed it, to which all paths
     * lead: that says nothing about this one
     * @param isMarked whether it was marked before
     * @param now the time
     */
    void NotifyTrimmed(uint16_t port, uint32_t psn, bool isLastHop, bool isMarked, Time now);

    /// @return the entropy values that there are
    uint32_t GetEntropyValues() const
    {
        return m_values;
    }

  protected:
    /// Only algorithms are created.
    PathSelection() = default;

    /// @param count a number above 0 @return a random number below it
    uint32_t Draw(uint32_t count);

  private:
    /// The flow begins: Draw() and GetEntropyValues() are valid.
    virtual void DoStart();
    /// @param now the time @return the entropy value of the next packet, below GetEntropyValues()
    virtual uint32_t DoChoose(Time now) = 0;
    /// @param value the entropy value of a packet @param outcome what became of it
    /// @param now the time
    virtual void DoNotify(uint32_t value, PathOutcome outcome, Time now);
    /// @return whether DoNotify() has to hear of losses
    virtual bool WantsLosses() const;

    /// @param port a UDP source port @param outcome of a packet with it @param now the time
    void Notify(uint16_t port, PathOutcome outcome, Time now);

    /// With which value a packet went.
    struct Sent
    {
        uint32_t psn{NOBODY}; ///< the packet
        uint32_t value{0};    ///< the entropy value
    };

    static constexpr uint32_t NOBODY = UINT32_MAX; ///< no PSN, which have 24 bits

    uint32_t m_values{0};     ///< entropy values
    uint16_t m_firstPort{0};  ///< of the entropy value 0
    uint64_t m_state{0};      ///< of the generator
    std::vector<Sent> m_sent; ///< by PSN modulo REMEMBERED, no longer than flows need; empty if
                              ///< nobody wants losses
};

/**
 * @ingroup lossless
 * All packets of a flow take one path. A NIC makes no such object: with this type, its queue pairs
 * do without, and cost nothing.
 */
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
