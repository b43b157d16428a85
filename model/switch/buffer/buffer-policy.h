// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BUFFER_POLICY_H
#define LOSSLESS_BUFFER_POLICY_H

#include "headroom.h"
#include "shared-buffer.h"

#include "ns3/drop-reason.h"
#include "ns3/object.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

template <typename BASE>
struct PartOf; // part-registry.h

/// What a policy must know of its switch.
struct SwitchShape
{
    uint64_t bufferBytes{0};     ///< size of the packet memory
    uint32_t cellBytes{1};       ///< its allocation unit
    std::vector<PortLink> ports; ///< by port
    PrioritySet lossless{0};     ///< classes under flow control; the others may be dropped
    bool keepsPath{true};        ///< Forwarding::KeepsPath()

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

/// Of a buffer policy, for `--buffer-policy`.
using BufferPolicyInfo = PartOf<BufferPolicy>;

} // namespace ns3::lossless

#endif /* LOSSLESS_BUFFER_POLICY_H */
