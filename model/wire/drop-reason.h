// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_REASON_H
#define LOSSLESS_DROP_REASON_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::lossless
{

/// Why a frame was lost. Every loss in the module fires a trace with one of these or with a
/// registered one, see RegisterDropReason.
enum class DropReason : uint8_t
{
    BUFFER_FULL,     ///< the shared buffer is full
    HEADROOM_FULL,   ///< a paused ingress queue or port has exhausted its headroom
    EGRESS_LIMIT,    ///< an egress queue is at its limit (a lossy class, PABO's normal queue)
    BOUNCE_LIMIT,    ///< no buffer either forwards or backwards (PABO)
    NO_ROUTE,        ///< the forwarding table has no port for the destination
    LINK_DOWN,       ///< the link is down, or went down while the frame was queued or under way
    RECEIVE_ERROR,   ///< the receive error model of the device corrupted the frame
    NOT_ADDRESSED,   ///< no receiver at this host
    UNKNOWN_CONTROL, ///< a MAC control frame that is malformed or of an unknown kind
};

/// Maximum number of reasons, including registered ones: tables have a column for each.
inline constexpr std::size_t MAX_DROP_REASONS = 24;

/// Queue of a switch at which a loss counts in drops.csv.
enum class DropPlace : uint8_t
{
    INGRESS, ///< at the port of arrival
    EGRESS,  ///< at the port by which the frame was to leave
};

/// Description of a reason.
struct DropReasonInfo
{
    std::string name;                    ///< as in results files
    DropPlace place{DropPlace::INGRESS}; ///< where it counts at a switch
    bool isCongestion{false};            ///< due to a lack of buffer
};

/// @return the number of reasons, including registered ones; values are below it
std::size_t GetNumDropReasons();

/// @return name of a reason in results files
const char* ToString(DropReason reason);

/// @return whether frames are lost due to a lack of buffer, which flow control is to prevent in
/// lossless classes; other losses are not its concern
bool IsCongestionLoss(DropReason reason);

/// @return whether a switch counts the loss at the egress queue
bool IsEgressLoss(DropReason reason);

/// Registers a reason, see RegisterDropReason. The program stops if the name is taken or contains
/// anything but lower-case letters, digits and hyphens, or if there are more than MAX_DROP_REASONS.
void AddDropReason(const DropReasonInfo& reason);

/// @return value of a registered reason; another name stops the program
DropReason FindDropReason(const std::string& name);

/**
 * @ingroup lossless
 * A drop reason of a part that the module does not know (a watchdog, a link retry), as a constant
 * in the part's source file, of the module or of a program:
 *
 *     const RegisterDropReason STORM({"pfc-storm", DropPlace::EGRESS});
 *     ...
 *     node.Discard(queue, STORM);
 *
 * Registered reasons are numbered behind the module's own in order of their names, so results do
 * not depend on the order in which source files are linked. Adding one after any is in use
 * therefore stops the program.
 */
class RegisterDropReason
{
  public:
    /// Registers the reason.
    explicit RegisterDropReason(const DropReasonInfo& reason);

    /// @return its value; not before main(), when all are registered
    operator DropReason() const;

  private:
    std::string m_name;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_REASON_H */
