// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_CONDITION_H
#define LOSSLESS_ATTRIBUTE_CONDITION_H

#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// How an attribute's value must compare with a given value.
enum class Where : uint8_t
{
    IS,     ///< the values must be equal
    IS_NOT, ///< the values must differ
};

/**
 * @ingroup lossless
 * A condition on another attribute's value. If the condition is not met, the dependent attribute
 * has no effect. Programs refuse to set an attribute that has no effect; see
 * StrictCommandLine::RequireEffect().
 */
struct AttributeCondition
{
    std::string other; ///< the name of the other attribute, such as "Period", or its full name if
                       ///< it belongs to another class, such as
                       ///< "ns3::lossless::SwitchNode::BufferPolicy"
    Where where{Where::IS}; ///< how the other attribute's value must compare with `value`
    std::string value;      ///< the value as a string; for an object or a factory, the name of the
                            ///< type

    /// @return whether a value of the other attribute, given as a string, meets the condition
    bool Allows(const std::string& held) const;
};

/// @return all conditions of an attribute; empty if the attribute always has an effect
std::vector<AttributeCondition> FindConditions(const std::string& type,
                                               const std::string& attribute);

/// Adds a condition to each of the attributes. The program stops unless the type itself declares
/// all of them and, if it is not a full name, `condition.other`.
void AddCondition(TypeId type,
                  const std::vector<std::string>& attributes,
                  const AttributeCondition& condition);

/**
 * @ingroup lossless
 * Registers a condition. Define an object of this type as a constant in the source file of the
 * class.
 * @tparam CLASS the class that declares the attributes
 */
template <typename CLASS>
struct RegisterCondition
{
    /// @param attributes the attributes that have an effect only under the condition
    /// @param other the name of the other attribute; see AttributeCondition
    /// @param where how the other attribute's value must compare with `value`
    /// @param value the value as a string
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
