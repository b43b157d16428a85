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
struct PartOf; // declared in part-registry.h

/// The properties of a switch that a policy needs.
struct SwitchShape
{
    uint64_t bufferBytes{0};     ///< the size of the packet memory, in bytes
    uint32_t cellBytes{1};       ///< the allocation unit, in bytes
    std::vector<PortLink> ports; ///< the link of each port
    PrioritySet lossless{0};     ///< the classes under flow control; frames of other classes can be
                                 ///< lost
    bool keepsPath{true};        ///< the return value of Forwarding::KeepsPath()

    /// @return the number of lossless classes (Nq in DSH)
    uint32_t CountLossless() const;
};

/// The levels, in bytes, that determine when the neighbour of an ingress queue or port is stopped
/// and resumed.
struct Thresholds
{
    uint64_t xoff{0}; ///< above this shared occupancy, the neighbour is stopped
    uint64_t xon{0};  ///< below this shared occupancy, the neighbour is resumed

    /// Whether headroom is in use. If so, the neighbour is stopped, or remains stopped, regardless
    /// of the shared occupancy. A frame in the headroom requires a PAUSE (DSH, Sec. II-C, case 3),
    /// and all headroom must be free before a resumed neighbour is paused again.
    bool headroomInUse{false};
};

/// The result of an admission check.
enum class AdmissionOutcome : uint8_t
{
    ADMIT,  ///< the frame is stored
    REFUSE, ///< the frame is lost
    WAIT,   ///< the frame waits until another frame has left and is then considered again
};

/// States whether a frame can be stored and, if so, in which segments.
struct Admission
{
    AdmissionOutcome outcome{AdmissionOutcome::ADMIT}; ///< the decision
    DropReason reason{DropReason::BUFFER_FULL};        ///< the reason for a refusal
    SegmentBytes segments;                             ///< the division of the frame's bytes among
                                                       ///< the segments

    /// @return an admission into these segments
    static Admission Into(const SegmentBytes& segments)
    {
        return {AdmissionOutcome::ADMIT, DropReason::BUFFER_FULL, segments};
    }

    /// @return a refusal
    static Admission Refuse(DropReason reason)
    {
        return {AdmissionOutcome::REFUSE, reason, {}};
    }

    /// @return a result that requires the frame to wait
    static Admission Wait()
    {
        return {AdmissionOutcome::WAIT, DropReason::BUFFER_FULL, {}};
    }

    /// @return whether the frame can be stored
    bool IsAdmitted() const
    {
        return outcome == AdmissionOutcome::ADMIT;
    }
};

/**
 * @ingroup lossless
 * The rules of the memory management unit. They determine which frames are admitted, which segment
 * of the buffer stores them, and at which occupancy a neighbour must be stopped.
 *
 * A policy consists only of parameters. It bases its decisions on the buffer accounting and stores
 * neither frames nor counters.
 */
class BufferPolicy : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Called once, before the first frame.
    /// @return an error message with the relevant numbers if the configuration is impossible
    virtual std::optional<std::string> Configure(const SwitchShape& shape) = 0;

    /// Determines whether the packet memory admits a frame at the ingress, where frames cannot
    /// wait.
    /// @param buffer the buffer accounting, which does not count the frame yet
    /// @param item the frame, whose egress port is not set if the switch has a PacketProcessor
    virtual Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const = 0;

    /// Determines whether the egress queue admits a frame. By default, every frame is admitted. The
    /// frame can wait only in a PacketProcessor.
    /// @param buffer the buffer accounting, which does not count the frame at the egress yet
    /// @param item the routed frame
    virtual Admission AdmitEgress(const SharedBuffer& /* buffer */,
                                  const SwitchItem& /* item */) const
    {
        return {};
    }

    /// @return the limit on each egress queue of a lossless class, in bytes; by default, there is
    /// no limit
    virtual std::optional<uint64_t> GetEgressRoom() const
    {
        return std::nullopt;
    }

    /// @return whether the egress side has its own memory; see SharedBuffer; false by default
    virtual bool IsTwoSided() const
    {
        return false;
    }

    /// @param queue an ingress queue of a lossless class
    /// @return the current levels for the queue's shared occupancy; unset if its neighbour is never
    /// stopped
    virtual std::optional<Thresholds> GetThresholds(const SharedBuffer& /* buffer */,
                                                    QueueId /* queue */) const
    {
        return std::nullopt;
    }

    /// @param port an ingress port
    /// @return the current levels for the total shared occupancy of the port's lossless queues;
    /// unset if the neighbour is never stopped for all classes
    virtual std::optional<Thresholds> GetPortThresholds(const SharedBuffer& /* buffer */,
                                                        PortId /* port */) const
    {
        return std::nullopt;
    }
};

/// Describes a buffer policy that `--buffer-policy` can select.
using BufferPolicyInfo = PartOf<BufferPolicy>;

} // namespace ns3::lossless

#endif /* LOSSLESS_BUFFER_POLICY_H */
