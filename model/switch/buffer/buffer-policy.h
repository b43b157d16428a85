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
    uint64_t bufferBytes{0};     ///< packet memory
    uint32_t cellBytes{1};       ///< allocation unit
    std::vector<PortLink> ports; ///< by port
    PrioritySet lossless{0};     ///< classes under flow control; the others may be dropped
    bool keepsPath{true};        ///< Forwarding::KeepsPath()

    /// @return number of lossless classes, Nq of DSH
    uint32_t CountLossless() const;
};

/// Levels of an ingress queue or port at which its neighbour is stopped and resumed, in bytes.
struct Thresholds
{
    uint64_t xoff{0}; ///< stop when the shared occupancy is above
    uint64_t xon{0};  ///< resume when it is below

    /// Headroom is in use: stop, and do not resume, whatever the shared occupancy. A frame in the
    /// headroom requires a PAUSE (DSH, Sec. II-C, case 3), and a resumed neighbour must find the
    /// whole headroom free at its next PAUSE.
    bool headroomInUse{false};
};

/// Result of a request for admission.
enum class AdmissionOutcome : uint8_t
{
    ADMIT,  ///< stored
    REFUSE, ///< lost
    WAIT,   ///< remains where it is and requests again when a frame has left
};

/// Whether and where a frame may be stored.
struct Admission
{
    AdmissionOutcome outcome{AdmissionOutcome::ADMIT}; ///< the decision
    DropReason reason{DropReason::BUFFER_FULL};        ///< of a refusal
    SegmentBytes segments;                             ///< where its bytes count at the ingress

    /// @return an admission into these segments
    static Admission Into(const SegmentBytes& segments);
    /// @return a refusal
    static Admission Refuse(DropReason reason);
    /// @return that the frame must wait
    static Admission Wait();

    /// @return whether the frame may be stored
    bool IsAdmitted() const
    {
        return outcome == AdmissionOutcome::ADMIT;
    }
};

/**
 * @ingroup lossless
 * The rules of the memory management unit: which frames are admitted, into which segment of the
 * buffer, and at which occupancy a neighbour must be stopped.
 *
 * A policy holds parameters and decides from the ledger alone; it has no frames or counters.
 */
class BufferPolicy : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the first frame.
    /// @return an error message with the numbers if the configuration is impossible
    virtual std::optional<std::string> Configure(const SwitchShape& shape) = 0;

    /// Admission at the ingress: decides whether the packet memory takes the frame, which cannot
    /// wait here.
    /// @param buffer the ledger, which does not count the frame yet
    /// @param item the frame; its egress port is unknown
    virtual Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const = 0;

    /// Admission at the egress: decides whether the egress queue takes the frame (default: yes).
    /// Only a PacketProcessor can let it wait.
    /// @param buffer the ledger, which does not count the frame at the egress yet
    /// @param item the frame, routed
    virtual Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// @return the limit of an egress queue of a lossless class in bytes (default: none)
    virtual std::optional<uint64_t> GetEgressRoom() const;

    /// @return whether the egress side has its own memory, see SharedBuffer (default: no)
    virtual bool IsTwoSided() const;

    /// @param queue an ingress queue of a lossless class
    /// @return its present levels, to be compared with its shared occupancy; none if it is never
    /// stopped
    virtual std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                                    QueueId queue) const;

    /// @param port an ingress port
    /// @return its present levels, to be compared with the shared occupancy of all its lossless
    /// queues; none if it is never stopped as a whole
    virtual std::optional<Thresholds> GetPortThresholds(const SharedBuffer& buffer,
                                                        PortId port) const;
};

/// A buffer policy, for `--buffer-policy`.
using BufferPolicyInfo = PartOf<BufferPolicy>;

} // namespace ns3::lossless

#endif /* LOSSLESS_BUFFER_POLICY_H */
