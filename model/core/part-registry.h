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
 * A component that programs choose by name, such as a scheme, a buffer policy or a congestion
 * control. Options, their help, command-line completion, documentation and test suites take their
 * lists from the registry of these components. A component of the module or of a user's program
 * therefore needs only one description, next to its class; see RegisterPart.
 */
struct PartInfo
{
    std::string name{};            ///< the value of the option that selects this part
    std::string type{};            ///< the name of the part's TypeId
    uint32_t position{UINT32_MAX}; ///< the position in lists; parts with equal positions are sorted
                                   ///< by name
    std::string what{};            ///< a one-line description
};

/// A description with only the members of PartInfo. @tparam BASE the base class of this kind of
/// part
template <typename BASE>
struct PartOf : public PartInfo
{
};

/// @tparam INFO PartOf<BASE>, where BASE is the base class, or a type derived from it
/// @return all parts of one kind; the first call creates the list
template <typename INFO>
std::vector<INFO>&
PartList()
{
    static std::vector<INFO> parts;
    return parts;
}

/// @return all parts of one kind
template <typename INFO>
const std::vector<INFO>&
GetParts()
{
    return PartList<INFO>();
}

/// @param name the name to find; FindByName() describes the comparison
template <typename INFO>
std::optional<INFO>
FindPart(const std::string& name)
{
    return FindByName(GetParts<INFO>(), name);
}

/// @return the list of all parts for `--help`, "name: what; ..."
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

/// @return the name of the first part of this type, or the name of the type if there is no such
/// part
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

/// Records the class of a registered type. Stops the program if two classes have the same type.
void AddClass(const PartInfo& part, std::type_index owner);

/// Stops the program if the object's class differs from the class registered for the object's
/// TypeId, because the object's class then lacks its own GetTypeId().
void RequireOwnClass(const Object& object);

/**
 * @ingroup lossless
 * Registers a part of the module or of a program. Define an object of this type as a constant next
 * to the class.
 *
 * @code
 * const RegisterPart<MyPolicy, BufferPolicyInfo> g_mine("Mine", 1000, [](BufferPolicyInfo& part) {
 *     part.what = "half of the memory for all";
 * });
 * @endcode
 *
 * @tparam CLASS the class of the part, which must define GetTypeId() itself
 * @tparam INFO the description type for this kind of part
 */
template <typename CLASS, typename INFO>
struct RegisterPart
{
    /// Registers the part. A duplicate name stops the program.
    /// @param position the position in lists; the module's parts have positions below 1000
    /// @param describe sets the other members of the description; can be null
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
