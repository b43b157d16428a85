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

/// Which losses due to a lack of buffer a scheme rules out.
enum class Promise : uint8_t
{
    NOTHING,          ///< none
    LOSSLESS_CLASSES, ///< those in the classes under flow control
    ALL_CLASSES,      ///< all
};

/**
 * @ingroup lossless
 * A flow control scheme for `--scheme`, whose type is its subclass of SwitchNode: properties that
 * its switches cannot provide.
 */
struct SchemeInfo : public PartInfo
{
    /// Name of its switches' default buffer policy.
    std::string policy{"Unlimited"};

    /// It keeps its promise with every HeadroomBufferPolicy, so the policy can be chosen. Otherwise
    /// the policy is part of the scheme: `--buffer-policy` refuses others, and a program that sets
    /// another one has a different scheme, or one that cannot run.
    bool takesOtherPolicies{false};

    /// The scheme that is the same with a freely chosen policy; empty if there is none.
    std::string general{};

    bool hasOwnQueues{false}; ///< its switches have their own egress queues: none can be chosen
    bool needsOnePath{false}; ///< all frames of a flow must take one path
    bool stopsFlows{false};   ///< it stops single flows, which hosts identify by source port
    bool keepsOrder{true};    ///< frames of a flow on one path arrive in order
    bool mayLock{false};      ///< switches may wait for each other without a cycle of links
    Promise promise{Promise::LOSSLESS_CLASSES}; ///< losses that it rules out

    /// @return the buffer policies with which it keeps its promise, the default first
    std::vector<BufferPolicyInfo> GetPolicies() const;
};

/// Registers a scheme. @tparam SWITCH its subclass of SwitchNode
template <typename SWITCH>
using RegisterScheme = RegisterPart<SWITCH, SchemeInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_REGISTRY_H */
