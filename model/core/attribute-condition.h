// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_CONDITION_H
#define LOSSLESS_ATTRIBUTE_CONDITION_H

#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// How an attribute stands to a value.
enum class Where : uint8_t
{
    IS,     ///< it has that value
    IS_NOT, ///< it has another one
};

/**
 * @ingroup lossless
 * What an attribute takes to have an effect: a value of another attribute. Programs refuse to be
 * given one that has none, see StrictCommandLine::RequireEffect().
 */
struct AttributeCondition
{
    std::string other; ///< name of the other attribute, as "Period"; of another class, its full
                       ///< name, as "ns3::lossless::SwitchNode::BufferPolicy"
    Where where{Where::IS}; ///< how that one has to stand to the value
    std::string value;      ///< the value, as text; of an object or a factory, the type

    /// @param held a value of the other attribute, as text @return whether it is a fitting one
    bool Allows(const std::string& held) const;
};

/// @param type that declares an attribute @param attribute its name
/// @return all that it takes; nothing: it has an effect whatever the others are
std::vector<AttributeCondition> FindConditions(const std::string& type,
                                               const std::string& attribute);

/// Notes a condition, beside those that there are; attributes that the type does not declare stop
/// the program. @param type that declares all of them @param attributes those that take it
/// @param condition what they take
void AddCondition(TypeId type,
                  const std::vector<std::string>& attributes,
                  const AttributeCondition& condition);

/**
 * @ingroup lossless
 * Notes a condition as a constant in the source file of a class.
 * @tparam CLASS that declares the attributes
 */
template <typename CLASS>
struct RegisterCondition
{
    /// @param attributes that have an effect only there @param other attribute, see
    /// AttributeCondition @param where how it stands to the value @param value as text
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
