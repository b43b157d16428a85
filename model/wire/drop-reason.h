// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_REASON_H
#define LOSSLESS_DROP_REASON_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::lossless
{

/// The reason for the loss of a frame. Every loss in the module fires a trace with one of these
/// reasons or with a registered one; see RegisterDropReason.
enum class DropReason : uint8_t
{
    BUFFER_FULL,     ///< the shared buffer is full
    HEADROOM_FULL,   ///< the headroom of a paused ingress queue or port is exhausted
    EGRESS_LIMIT,    ///< an egress queue has reached its limit (in a lossy class, or the normal
                     ///< queue of PABO)
    BOUNCE_LIMIT,    ///< there is no buffer space to forward the frame or to send it back (PABO)
    NO_ROUTE,        ///< the forwarding table has no port for the destination
    LINK_DOWN,       ///< the link is down, or went down while the frame was queued or on the cable
    RECEIVE_ERROR,   ///< the device's receive error model corrupted the frame
    NOT_ADDRESSED,   ///< this host has no receiver for the frame
    UNKNOWN_CONTROL, ///< the frame is a malformed or unknown MAC control frame
};

/// The maximum number of reasons, including registered ones. Arrays indexed by reason have this
/// size.
inline constexpr std::size_t MAX_DROP_REASONS = 24;

/// The queue of a switch to which drops.csv attributes a loss.
enum class DropPlace : uint8_t
{
    INGRESS, ///< the queue at the frame's ingress port
    EGRESS,  ///< the queue at the frame's egress port
};

/// The description of a reason.
struct DropReasonInfo
{
    std::string name;                    ///< the name in results files
    DropPlace place{DropPlace::INGRESS}; ///< the queue of a switch to which the loss is attributed
    bool isCongestion{false};            ///< whether the loss is due to a lack of buffer space
};

/// @return the number of reasons, including registered ones; the value of each reason is smaller
/// than this number
std::size_t GetNumDropReasons();

/// @return the name of a reason, as used in results files
const char* ToString(DropReason reason);

/// @return whether the loss is due to a lack of buffer space. In lossless classes, flow control is
/// expected to prevent such losses, but not losses for other reasons.
bool IsCongestionLoss(DropReason reason);

/// @return whether a switch attributes the loss to the egress queue
bool IsEgressLoss(DropReason reason);

/// Registers a reason; see RegisterDropReason. Stops the program if the name is empty, is already
/// registered or contains characters other than lowercase letters, digits and hyphens, if there are
/// already MAX_DROP_REASONS reasons, or if a registered reason has already been used.
void AddDropReason(const DropReasonInfo& reason);

/// @return the value of a registered reason; any other name stops the program
DropReason FindDropReason(const std::string& name);

/**
 * @ingroup lossless
 * A drop reason that is not in DropReason, such as one for a PFC watchdog or for link retry. Define
 * it as a constant in the component's source file, in the module or in a program:
 *
 *     const RegisterDropReason STORM({"pfc-storm", DropPlace::EGRESS});
 *     ...
 *     node.Discard(queue, STORM);
 *
 * Registered reasons are numbered after the module's own reasons, in the order of their names, so
 * that results do not depend on the order in which source files are linked. Adding a reason after a
 * registered one has been used could change these numbers and therefore stops the program.
 */
class RegisterDropReason
{
  public:
    /// Registers the reason.
    explicit RegisterDropReason(const DropReasonInfo& reason);

    /// @return the value of the reason; available in main(), when all reasons are registered
    operator DropReason() const;

  private:
    std::string m_name;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_REASON_H */
