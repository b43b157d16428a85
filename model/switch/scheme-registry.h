// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SCHEME_REGISTRY_H
#define LOSSLESS_SCHEME_REGISTRY_H

#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

namespace ns3::lossless
{

/// Parts of switches that programs choose by name.
enum class SwitchPart : uint8_t
{
    BUFFER_POLICY, ///< `--buffer-policy`
    EGRESS_QUEUE,  ///< `--egress-queue`
    FORWARDING,    ///< `--routing`
};

/// One of a kind of them.
struct SwitchPartChoice
{
    std::string name;              ///< what the option takes
    std::string type;              ///< TypeId of the part
    uint32_t position{UINT32_MAX}; ///< in lists: ascending, and by name where it is the same
};

/// What a scheme does not lose for want of buffer.
enum class Promise : uint8_t
{
    NOTHING,          ///< frames of any class may be lost
    LOSSLESS_CLASSES, ///< frames of the classes under flow control are not lost
    ALL_CLASSES,      ///< no frame is lost
};

/**
 * @ingroup lossless
 * A flow control scheme as programs name it: what its switches cannot tell by themselves. Command
 * lines, documentation and test suites have their schemes from here, so that a scheme is described
 * in one place, beside its subclass of SwitchNode, see RegisterScheme.
 */
struct SchemeInfo
{
    std::string name;              ///< what `--scheme` takes
    std::string switchType{};      ///< TypeId of its SwitchNode subclass
    uint32_t position{UINT32_MAX}; ///< in lists: ascending, and by name where it is the same
    std::string what{};            ///< a line about it, as in the documentation

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
    std::vector<SwitchPartChoice> GetPolicies() const;
};

/// Whether an object is of a class itself, and not of one that it inherits.
using IsOfClass = bool (*)(const Object& object);

/// Notes the class whose objects a registered type is to make; two classes of one type stop the
/// program. @param name under which it is registered @param type TypeId @param isOfClass tells
void AddClass(const std::string& name, const std::string& type, IsOfClass isOfClass);

/// Stops the program if an object is of another class than the one that is registered with its
/// type: that one has no GetTypeId() of its own. @param object a switch or a part of one
void RequireOwnClass(const Object& object);

/// @tparam CLASS a class @param object an object @return whether it is one of the class itself
template <typename CLASS>
bool
IsExactly(const Object& object)
{
    return typeid(object) == typeid(CLASS);
}

/// @return the schemes that are registered
const std::vector<SchemeInfo>& GetSchemes();

/// @param name a name, in any case @return the scheme; nothing if there is none of that name
std::optional<SchemeInfo> FindScheme(const std::string& name);

/// @param scheme to register; a name that is taken stops the program
void AddScheme(const SchemeInfo& scheme);

/// @param part a kind of parts @return those that are registered, by the names that its option
/// takes
const std::vector<SwitchPartChoice>& GetSwitchParts(SwitchPart part);

/// @param part a kind of parts @param choice to register; a name that is taken stops the program
void AddSwitchPart(SwitchPart part, const SwitchPartChoice& choice);

/**
 * @ingroup lossless
 * Registers a scheme, as a constant in the source file of its switch, of the module or of a
 * program.
 * @tparam SWITCH its subclass of SwitchNode
 */
template <typename SWITCH>
struct RegisterScheme
{
    /// @param name what `--scheme` takes @param position in lists; the module's are below 1000
    /// @param describe sets the members from `what` on
    RegisterScheme(const std::string& name, uint32_t position, void (*describe)(SchemeInfo& scheme))
    {
        SchemeInfo scheme{name, SWITCH::GetTypeId().GetName(), position};
        describe(scheme);
        AddScheme(scheme);
        AddClass(scheme.name, scheme.switchType, &IsExactly<SWITCH>);
    }
};

/**
 * @ingroup lossless
 * Registers a part of switches in the same way.
 * @tparam CLASS that of the part
 * @tparam PART its kind
 */
template <typename CLASS, SwitchPart PART>
struct RegisterSwitchPart
{
    /// @param name what the option takes @param position in lists; the module's are below 1000
    explicit RegisterSwitchPart(const std::string& name, uint32_t position = UINT32_MAX)
    {
        const std::string type = CLASS::GetTypeId().GetName();
        AddSwitchPart(PART, {name, type, position});
        AddClass(name, type, &IsExactly<CLASS>);
    }
};

/// For `--buffer-policy`. @tparam POLICY subclass of BufferPolicy
template <typename POLICY>
using RegisterBufferPolicy = RegisterSwitchPart<POLICY, SwitchPart::BUFFER_POLICY>;

/// For `--egress-queue`. @tparam QUEUE subclass of EgressQueue
template <typename QUEUE>
using RegisterEgressQueue = RegisterSwitchPart<QUEUE, SwitchPart::EGRESS_QUEUE>;

/// For `--routing`. @tparam FORWARDING subclass of Forwarding
template <typename FORWARDING>
using RegisterForwarding = RegisterSwitchPart<FORWARDING, SwitchPart::FORWARDING>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_REGISTRY_H */
