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
 * Options, their help, command-line completion, documentation and test suites take their lists from
 * here, so a part of the module or of a user's program is described only next to its class, see
 * RegisterPart.
 */
struct PartInfo
{
    std::string name{};            ///< value of the option
    std::string type{};            ///< name of its TypeId
    uint32_t position{UINT32_MAX}; ///< ascending order in lists; equal positions by name
    std::string what{};            ///< one-line description
};

/// Description of a part without further properties. @tparam BASE class of its kind
template <typename BASE>
struct PartOf : public PartInfo
{
};

/// @tparam INFO PartOf the base class, or a description derived from it
/// @return all parts of a kind; created when the first is registered
template <typename INFO>
std::vector<INFO>&
PartList()
{
    static std::vector<INFO> parts;
    return parts;
}

/// @return all parts of a kind
template <typename INFO>
const std::vector<INFO>&
GetParts()
{
    return PartList<INFO>();
}

/// @param name in any case
template <typename INFO>
std::optional<INFO>
FindPart(const std::string& name)
{
    return FindByName(GetParts<INFO>(), name);
}

/// @return a list of all parts, "name: what; ...", for `--help`
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

/// @return the name of the first part of a type; that of the type if there is none
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

/// Records the class that a registered type must make. Two classes of one type stop the program.
void AddClass(const PartInfo& part, std::type_index owner);

/// Stops the program if the object's class differs from the one registered with its type, i.e. has
/// no GetTypeId() of its own.
void RequireOwnClass(const Object& object);

/**
 * @ingroup lossless
 * Registers a part of the module or of a program, as a constant next to its class.
 *
 * @code
 * const RegisterPart<MyPolicy, BufferPolicyInfo> g_mine("Mine", 1000, [](BufferPolicyInfo& part) {
 *     part.what = "half of the memory for all";
 * });
 * @endcode
 *
 * @tparam CLASS has a GetTypeId() of its own
 * @tparam INFO description of its kind
 */
template <typename CLASS, typename INFO>
struct RegisterPart
{
    /// A duplicate name stops the program.
    /// @param position in lists; the module's are below 1000
    /// @param describe sets the other members; may be null
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
