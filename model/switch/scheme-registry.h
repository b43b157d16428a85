// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SCHEME_REGISTRY_H
#define LOSSLESS_SCHEME_REGISTRY_H

#include "ns3/buffer-policy.h"
#include "ns3/part-registry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What a scheme does not lose for want of buffer.
enum class Promise : uint8_t
{
    NOTHING,          ///< frames of any class may be lost
    LOSSLESS_CLASSES, ///< frames of the classes under flow control are not lost
    ALL_CLASSES,      ///< no frame is lost
};

/**
 * @ingroup lossless
 * A flow control scheme, which `--scheme` names and whose type is its subclass of SwitchNode: what
 * its switches cannot tell by themselves.
 */
struct SchemeInfo : public PartInfo
{
    /// Name of the buffer policy that its switches have.
    std::string policy{"Unlimited"};

    /// It keeps its promise over every HeadroomBufferPolicy, so that the policy can be chosen.
    /// Otherwise its own is a part of the scheme: `--buffer-policy` refuses the others, and whoever
    /// sets one in a program has another scheme, unless it cannot run.
    bool takesOtherPolicies{false};

    /// The scheme that is the same with a policy of one's choice; empty: there is none.
    std::string general{};

    bool hasOwnQueues{false}; ///< its switches have egress queues of their own: none can be chosen
    bool needsOnePath{false}; ///< all frames of a flow must take one path
    bool stopsFlows{false};   ///< single flows are stopped, which hosts know by their source port
    bool keepsOrder{true};    ///< frames of a flow that takes one path arrive in order
    bool mayLock{false};      ///< switches may wait for each other without a cycle of links
    Promise promise{Promise::LOSSLESS_CLASSES}; ///< what it does not lose

    /// @return the buffer policies under which it keeps its promise, that of its switches first
    std::vector<BufferPolicyInfo> GetPolicies() const;
};

/// Registers a scheme. @tparam SWITCH its subclass of SwitchNode
template <typename SWITCH>
using RegisterScheme = RegisterPart<SWITCH, SchemeInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_REGISTRY_H */
