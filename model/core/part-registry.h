// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PART_REGISTRY_H
#define LOSSLESS_PART_REGISTRY_H

#include "named-choices.h"

#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A part of a run that programs choose by name: a scheme, a buffer policy, a congestion control.
 * Options, their help, command-line completion, documentation and test suites have their lists from
 * here, so that a part, of the module or of a user's program, is described beside its class and
 * nowhere else, see RegisterPart.
 */
struct PartInfo
{
    std::string name{};            ///< what its option takes
    std::string type{};            ///< TypeId that is made
    uint32_t position{UINT32_MAX}; ///< in lists: ascending, and by name where it is the same
    std::string what{};            ///< a line about it
};

/// The description of a part of which there is nothing else to say. @tparam BASE class of its kind
template <typename BASE>
struct PartOf : public PartInfo
{
};

/// @return the parts of a kind; made when the first of them is registered
/// @tparam INFO PartOf the class of the kind, or a description of its own that derives from it
template <typename INFO>
std::vector<INFO>&
PartList()
{
    static std::vector<INFO> parts;
    return parts;
}

/// @tparam INFO of the kind @return the parts of a kind
template <typename INFO>
const std::vector<INFO>&
GetParts()
{
    return PartList<INFO>();
}

/// @tparam INFO of the kind @param name in any case @return the part; nothing if there is none
template <typename INFO>
std::optional<INFO>
FindPart(const std::string& name)
{
    return FindByName(GetParts<INFO>(), name);
}

/// @tparam INFO of the kind @return a line about each part, "name: what; ...", for `--help`
template <typename INFO>
std::string
DescribeParts()
{
    std::string text;
    for (const INFO& part : GetParts<INFO>())
    {
        text += (text.empty() ? "" : "; ") + part.name + ": " + part.what;
    }
    return text;
}

/// @tparam INFO of the kind @param type of an object @return the name of the first part of that
/// type; that of the type if there is none
template <typename INFO>
std::string
GetPartName(TypeId type)
{
    for (const INFO& part : GetParts<INFO>())
    {
        if (part.type == type.GetName())
        {
            return part.name;
        }
    }
    return type.GetName();
}

/// Notes the class whose objects a registered type is to make; two classes of one type stop the
/// program. @param part registered @param owner the class
void AddClass(const PartInfo& part, std::type_index owner);

/// Stops the program if an object is of another class than the one that is registered with its
/// type: that one has no GetTypeId() of its own. @param object a part
void RequireOwnClass(const Object& object);

/**
 * @ingroup lossless
 * Registers a part, as a constant beside its class, of the module or of a program.
 *
 * @code
 * const RegisterPart<MyPolicy, BufferPolicyInfo> g_mine("Mine", 1000, [](BufferPolicyInfo& part) {
 *     part.what = "half of the memory for everybody";
 * });
 * @endcode
 *
 * @tparam CLASS that of the part, with a GetTypeId() of its own
 * @tparam INFO of its kind
 */
template <typename CLASS, typename INFO>
struct RegisterPart
{
    /// A name that is taken stops the program.
    /// @param name what the option takes @param position in lists; the module's are below 1000
    /// @param describe sets the other members; null: they stay as they are
    explicit RegisterPart(const std::string& name,
                          uint32_t position = UINT32_MAX,
                          void (*describe)(INFO& part) = nullptr)
    {
        INFO part;
        part.name = name;
        part.type = CLASS::GetTypeId().GetName();
        part.position = position;
        if (describe)
        {
            describe(part);
        }
        AddClass(part, typeid(CLASS));
        AddChoice(PartList<INFO>(), part);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PART_REGISTRY_H */
