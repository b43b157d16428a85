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

/// The extent to which a scheme prevents losses due to a lack of buffer space.
enum class Promise : uint8_t
{
    NOTHING,          ///< the scheme prevents no losses
    LOSSLESS_CLASSES, ///< the scheme prevents losses in the classes under flow control
    ALL_CLASSES,      ///< the scheme prevents losses in all classes
};

/**
 * @ingroup lossless
 * A flow control scheme that `--scheme` can select. Its type is the scheme's subclass of
 * SwitchNode. The members are properties that cannot be queried from the scheme's switches.
 */
struct SchemeInfo : public PartInfo
{
    /// The name of the default buffer policy.
    std::string policy{"Unlimited"};

    /// Whether the scheme keeps its promise with every HeadroomBufferPolicy, so that the user can
    /// choose the policy. Otherwise, the policy is part of the scheme, and `--buffer-policy`
    /// refuses other policies. A program can still set another policy, but the result is then a
    /// different scheme or does not work.
    bool takesOtherPolicies{false};

    /// The name of the scheme that differs from this one only in that the user can choose the
    /// policy; empty if there is no such scheme.
    std::string general{};

    bool hasOwnQueues{false}; ///< whether the scheme creates its own egress queues, so that the
                              ///< user cannot choose their type
    bool needsOnePath{false}; ///< whether all frames of a flow must take the same path
    bool stopsFlows{false};   ///< whether the scheme stops individual flows, identified by their
                              ///< source ports
    bool keepsOrder{true};    ///< whether frames of a flow that take the same path arrive in order
    bool mayLock{false};      ///< whether switches can wait for each other even without a cycle of
                              ///< links
    Promise promise{Promise::LOSSLESS_CLASSES}; ///< the losses that the scheme prevents

    /// @return the buffer policies with which the scheme keeps its promise; the default comes first
    std::vector<BufferPolicyInfo> GetPolicies() const;
};

/// Registers a scheme. @tparam SWITCH the scheme's subclass of SwitchNode
template <typename SWITCH>
using RegisterScheme = RegisterPart<SWITCH, SchemeInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_REGISTRY_H */
