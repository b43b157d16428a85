// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_REASON_H
#define LOSSLESS_DROP_REASON_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::lossless
{

/// Why a frame was lost. Every loss in the module fires a trace with one of these, or with one that
/// a part has registered, see RegisterDropReason.
enum class DropReason : uint8_t
{
    BUFFER_FULL,     ///< the shared buffer has no room left
    HEADROOM_FULL,   ///< a paused ingress queue or port has used up its headroom
    EGRESS_LIMIT,    ///< an egress queue holds all it may (a lossy class, PABO's normal queue)
    BOUNCE_LIMIT,    ///< neither the way forward nor the way back has room (PABO)
    NO_ROUTE,        ///< the forwarding table has no port for the destination
    LINK_DOWN,       ///< the link is down, or went down while the frame was queued or under way
    RECEIVE_ERROR,   ///< the receive error model of the device corrupted the frame
    NOT_ADDRESSED,   ///< no receiver for the frame at this host
    UNKNOWN_CONTROL, ///< a MAC control frame that is malformed, or of a kind not known here
};

/// How many reasons there can be, the registered ones included: tables have a column for each.
inline constexpr std::size_t MAX_DROP_REASONS = 24;

/// Which queue a switch has lost a frame at, as drops.csv counts it.
enum class DropPlace : uint8_t
{
    INGRESS, ///< that of its port of arrival
    EGRESS,  ///< that of the port by which it was to leave
};

/// What is known of a reason.
struct DropReasonInfo
{
    std::string name;                    ///< as results files print it
    DropPlace place{DropPlace::INGRESS}; ///< where a switch loses a frame for it
    bool isCongestion{false};            ///< for want of buffer
};

/// @return the number of reasons, the registered ones included; the values are those below it
std::size_t GetNumDropReasons();

/// @param reason why a frame was lost @return its name as results files print it
const char* ToString(DropReason reason);

/// @param reason why a frame was lost @return whether for want of buffer, which flow control is to
/// prevent in lossless classes; the other losses are none of its business
bool IsCongestionLoss(DropReason reason);

/// @param reason why a switch has lost a frame @return whether it counts at the egress queue
bool IsEgressLoss(DropReason reason);

/**
 * Registers a reason, see RegisterDropReason. A name which is taken, or is not made of lower-case
 * letters, digits and hyphens, stops the program, and so does one more than MAX_DROP_REASONS.
 * @param reason what is known of it
 */
void AddDropReason(const DropReasonInfo& reason);

/// @param name of a registered reason; another one stops the program @return its value
DropReason FindDropReason(const std::string& name);

/**
 * @ingroup lossless
 * A reason of a part that the module does not know (a watchdog, a retry of the link), as a constant
 * in the part's source file, of the module or of a program:
 *
 *     const RegisterDropReason STORM({"pfc-storm", DropPlace::EGRESS});
 *     ...
 *     node.Discard(queue, STORM);
 *
 * Registered reasons are numbered behind those of the module and in the order of their names, so
 * that results do not depend on the order in which source files are linked. So none may be added
 * once one is in use: that stops the program.
 */
class RegisterDropReason
{
  public:
    /// @param reason what is known of it
    explicit RegisterDropReason(const DropReasonInfo& reason);

    /// @return its value; not before main(), when all are registered
    operator DropReason() const;

  private:
    std::string m_name; ///< of the reason
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_REASON_H */
