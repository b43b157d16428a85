// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_POLICY_H
#define LOSSLESS_BUFFER_POLICY_H

#include "shared-buffer.h"

#include "ns3/data-rate.h"
#include "ns3/drop-reason.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What a policy must know of a port: the link by which its neighbour sends.
struct PortLink
{
    DataRate rate;                      ///< rate of the link
    Time delay;                         ///< its propagation delay, the largest jitter included
    uint32_t mtu{0};                    ///< largest payload of a frame on it, bytes
    std::optional<DataRate> sendRate{}; ///< of the switch itself on it; nothing: the same rate
    Time jitter{};                      ///< how much shorter than that the delay can be

    /// @return the rate at which the switch itself sends
    DataRate GetSendRate() const
    {
        return sendRate.value_or(rate);
    }
};

/// What a policy must know of its switch.
struct SwitchShape
{
    uint64_t bufferBytes{0};     ///< size of the packet memory
    uint32_t cellBytes{1};       ///< its allocation unit
    std::vector<PortLink> ports; ///< by port
    PrioritySet lossless{0};     ///< classes under flow control; the others may be dropped

    /// @return number of lossless classes, Nq of DSH
    uint32_t CountLossless() const;
};

/// Levels of an ingress queue or port at which its neighbour is stopped and restarted, in bytes.
struct Thresholds
{
    uint64_t xoff{0}; ///< stop when the shared occupancy is above
    uint64_t xon{0};  ///< restart when it is below

    /// Headroom is in use: stop, and do not restart, whatever the shared occupancy is. A frame in
    /// the headroom asks for a PAUSE (DSH, Sec. II-C, case 3), and a neighbour that restarts must
    /// find all of the headroom free at its next PAUSE.
    bool headroomInUse{false};
};

/// What becomes of a frame that asks for admission.
enum class AdmissionOutcome : uint8_t
{
    ADMIT,  ///< it is stored
    REFUSE, ///< it is lost
    WAIT,   ///< it stays where it is, and asks again when a frame has left
};

/// Whether a frame may be stored, and where.
struct Admission
{
    AdmissionOutcome outcome{AdmissionOutcome::ADMIT}; ///< whether so
    DropReason reason{DropReason::BUFFER_FULL};        ///< of a refusal
    SegmentBytes segments; ///< at the ingress: where its bytes are counted

    /// @param segments where the bytes go @return an admission
    static Admission Into(const SegmentBytes& segments);
    /// @param reason why not @return a refusal
    static Admission Refuse(DropReason reason);
    /// @return that the frame has to wait
    static Admission Wait();

    /// @return whether the frame may be stored
    bool IsAdmitted() const
    {
        return outcome == AdmissionOutcome::ADMIT;
    }
};

/**
 * @ingroup lossless
 * The memory management unit's rules: which frames are admitted, into which segment of the
 * buffer, and at which occupancy a neighbour must be stopped.
 *
 * A policy holds parameters and decides from the ledger alone; it stores no frames and counts
 * nothing.
 */
class BufferPolicy : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * Called once, before the first frame.
     * @param shape what the switch is like
     * @return a sentence with the numbers if the configuration is impossible
     */
    virtual std::optional<std::string> Configure(const SwitchShape& shape) = 0;

    /**
     * Admission at the ingress: does the packet memory take the frame? It may not wait here.
     * @param buffer the ledger, which does not count the frame yet
     * @param item the frame, whose egress port is not known
     * @return whether it may be stored, and where
     */
    virtual Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const = 0;

    /**
     * Admission at the egress: does the egress queue take the frame? Only a PacketProcessor can let
     * it wait.
     * @param buffer the ledger, which does not count the frame at the egress yet
     * @param item the frame, routed
     * @return whether it may join the queue (default: it may)
     */
    virtual Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// @return what an egress queue of a lossless class may hold at most, bytes (default: nothing
    /// limits it)
    virtual std::optional<uint64_t> GetEgressRoom() const;

    /// @return whether the egress side has a memory of its own, see SharedBuffer (default: no)
    virtual bool IsTwoSided() const;

    /**
     * @param buffer the ledger
     * @param queue an ingress queue of a lossless class
     * @return its levels now, compared with its shared occupancy; nothing if it is never stopped
     */
    virtual std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                                    QueueId queue) const;

    /**
     * @param buffer the ledger
     * @param port an ingress port
     * @return its levels now, compared with the shared occupancy of all its lossless queues;
     * nothing if the port is never stopped as a whole
     */
    virtual std::optional<Thresholds> GetPortThresholds(const SharedBuffer& buffer,
                                                        PortId port) const;
};

/**
 * Headroom for one lossless class behind one link: what can still arrive after a PAUSE was
 * decided (DSH, Eq. 1).
 *
 * The 3840 B are 60 pause quanta, the response that Eq. 1 grants the neighbour. They are more if
 * TransmitGate::ResponseQuanta has a larger default, and what IEEE 802.3 grants at the speed of the
 * link if TransmitGate::StandardResponse is true by default.
 * @param link the link
 * @return 2 (C D + MTU) + 3840, in bytes
 */
uint64_t GetHeadroomBytes(const PortLink& link);

/**
 * Headroom which is enough whatever arrives. What can arrive after the decision was sent in the
 * time that a full frame on the way back, the PAUSE, the response and both ways take, and ends with
 * a full frame: Eq. 1 of DSH, whose MTU leaves out the framing of the two frames (2 x 38 B on the
 * wire) and the PAUSE itself (84 B); and more yet where the way back is slower than the way in.
 * Where the shared buffer can be full, the frame that finds it so takes headroom as well before it
 * triggers the PAUSE: one more full frame. All of it occupies
 * whole cells, which are larger than the wire's bytes by a factor that is greatest for the smallest
 * frame, or for one that is a byte longer than its cells.
 *
 * One PAUSE is enough for up to seven classes that stop together. All eight take two, since a frame
 * for eight classes stops the port as a whole (PfcFlowControl).
 * @param link the link
 * @param cellBytes allocation unit of the buffer
 * @param classes number of lossless classes of the switch
 * @return bytes
 */
uint64_t GetWorstCaseHeadroomBytes(const PortLink& link, uint32_t cellBytes, uint32_t classes = 1);

} // namespace ns3::lossless

#endif /* LOSSLESS_BUFFER_POLICY_H */
