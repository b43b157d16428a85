// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_CONDITION_H
#define LOSSLESS_ATTRIBUTE_CONDITION_H

#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Comparison of an attribute with a value.
enum class Where : uint8_t
{
    IS,     ///< equal
    IS_NOT, ///< different
};

/**
 * @ingroup lossless
 * Condition under which an attribute has an effect: the value of another attribute. Programs refuse
 * an attribute without an effect, see StrictCommandLine::RequireEffect().
 */
struct AttributeCondition
{
    std::string other; ///< name of the other attribute, as "Period"; its full name if it belongs to
                       ///< another class, as "ns3::lossless::SwitchNode::BufferPolicy"
    Where where{Where::IS}; ///< how its value must compare
    std::string value;      ///< the value as text; the type for an object or a factory

    /// @return whether a value of the other attribute, as text, meets the condition
    bool Allows(const std::string& held) const;
};

/// @return all conditions of an attribute; empty if it always has an effect
std::vector<AttributeCondition> FindConditions(const std::string& type,
                                               const std::string& attribute);

/// Adds a condition to each of the attributes. An attribute that the type does not declare stops
/// the program.
void AddCondition(TypeId type,
                  const std::vector<std::string>& attributes,
                  const AttributeCondition& condition);

/**
 * @ingroup lossless
 * Registers a condition as a constant in the source file of a class.
 * @tparam CLASS declares the attributes
 */
template <typename CLASS>
struct RegisterCondition
{
    /// @param attributes have an effect only under the condition
    /// @param other see AttributeCondition
    /// @param where how it must compare
    /// @param value as text
    RegisterCondition(const std::vector<std::string>& attributes,
                      const std::string& other,
                      Where where,
                      const std::string& value)
    {
        AddCondition(CLASS::GetTypeId(), attributes, {other, where, value});
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_CONDITION_H */
