// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FACTORY_ATTRIBUTE_H
#define LOSSLESS_FACTORY_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// Finds a type by name. If the type is unknown, is neither `base` nor derived from it, or has no
/// constructor, the program stops with a message that lists the allowed names. (Without asserts,
/// ns-3 accepts any name and crashes when it creates the object.)
TypeId RequireType(const std::string& name, TypeId base);

/// Checks the string value of an attribute before ns-3 parses it, because ns-3 crashes on an
/// invalid enumerator name and on an invalid object description for a pointer. An invalid object
/// description stops the program with a message.
/// @return a description of the valid values; empty if the string is valid
std::string CheckName(const std::string& text, const AttributeChecker& checker);

/// @param factory the factory as a string, "type[name=value|name=value]"
/// @return the name-value pairs in order; a value is unset if its name is not followed by an equals
/// sign
std::vector<std::pair<std::string, std::optional<std::string>>> SplitSettings(
    const std::string& factory);

/// @tparam T the type of the objects to create; the type need not be registered yet
template <typename T>
ObjectFactory
MakeFactory()
{
    ObjectFactory factory;
    factory.SetTypeId(T::GetTypeId());
    return factory;
}

/// An ObjectFactoryValue that checks a string before ns-3 parses it. The empty string, which ns-3
/// can neither read nor write, represents a factory without a type.
class FactoryValue : public ObjectFactoryValue
{
  public:
    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override;
};

/// @return the base type of the objects that the factory of an attribute makes; unset if the
/// checker was not made by MakeFactoryChecker()
std::optional<TypeId> FindFactoryBase(const AttributeChecker& checker);

/// Whether the factory of an attribute must have a type.
enum class FactoryNeed : uint8_t
{
    REQUIRED,
    OPTIONAL,
};

/// Makes a checker for an ObjectFactory. The checker accepts values such as
/// "ns3::lossless::RedMarker[MinBytes=400000]" and stops the program with a message if a value is
/// invalid.
/// @param base the base type of the objects that the factory makes
Ptr<const AttributeChecker> MakeFactoryChecker(TypeId base,
                                               FactoryNeed need = FactoryNeed::REQUIRED);

} // namespace ns3::lossless

#endif /* LOSSLESS_FACTORY_ATTRIBUTE_H */
