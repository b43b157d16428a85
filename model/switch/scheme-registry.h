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

/// The losses due to a lack of buffer that a scheme prevents.
enum class Promise : uint8_t
{
    NOTHING,          ///< no losses
    LOSSLESS_CLASSES, ///< losses in the classes under flow control
    ALL_CLASSES,      ///< all losses
};

/**
 * @ingroup lossless
 * A flow control scheme for `--scheme`. Its type is the scheme's subclass of SwitchNode. The
 * members are properties that the scheme's switches cannot provide.
 */
struct SchemeInfo : public PartInfo
{
    /// The name of the default buffer policy.
    std::string policy{"Unlimited"};

    /// Whether the scheme keeps its promise with every HeadroomBufferPolicy, so that the user can
    /// choose the policy. Otherwise, the policy is part of the scheme. `--buffer-policy` then
    /// refuses other policies, and a program that sets another policy has a different scheme or one
    /// that does not work.
    bool takesOtherPolicies{false};

    /// The name of the same scheme with a policy of the user's choice; empty if there is none.
    std::string general{};

    bool hasOwnQueues{false}; ///< whether its egress queues cannot be chosen
    bool needsOnePath{false}; ///< whether all frames of a flow must take one path
    bool stopsFlows{false};   ///< whether it stops single flows, identified by source port
    bool keepsOrder{true};    ///< whether frames of a flow on one path arrive in order
    bool mayLock{false};      ///< whether switches can wait for each other without a cycle of links
    Promise promise{Promise::LOSSLESS_CLASSES}; ///< the losses that it prevents

    /// @return the buffer policies with which the scheme keeps its promise, with the default first
    std::vector<BufferPolicyInfo> GetPolicies() const;
};

/// Registers a scheme. @tparam SWITCH the scheme's subclass of SwitchNode
template <typename SWITCH>
using RegisterScheme = RegisterPart<SWITCH, SchemeInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_REGISTRY_H */
