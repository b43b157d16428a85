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

/// Finds a type by name. An unknown name, or one that is not derived from `base`, stops the program
/// with a message that lists the allowed ones. (ns-3 itself, built without asserts, accepts any
/// name and crashes when it makes the object.)
TypeId RequireType(const std::string& name, TypeId base);

/// Checks a text for an attribute before ns-3 reads it: ns-3 crashes on a wrong name of an
/// enumeration and on an invalid object for a pointer. The latter stops the program with a message.
/// @return what the text must be; empty if it is valid
std::string CheckName(const std::string& text, const AttributeChecker& checker);

/// @param factory as text, "type[name=value|name=value]"
/// @return its names and values in order; a name without an equals sign has no value
std::vector<std::pair<std::string, std::optional<std::string>>> SplitSettings(
    const std::string& factory);

/// @tparam T need not be registered yet
template <typename T>
ObjectFactory
MakeFactory()
{
    ObjectFactory factory;
    factory.SetTypeId(T::GetTypeId());
    return factory;
}

/// An ObjectFactoryValue that checks a text before ns-3 reads it. The empty text, which ns-3 can
/// neither read nor write, is a factory without a type.
class FactoryValue : public ObjectFactoryValue
{
  public:
    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override;
};

/// @return the type that a factory attribute must make; nothing if the checker is not from
/// MakeFactoryChecker()
std::optional<TypeId> FindFactoryBase(const AttributeChecker& checker);

/// Whether an attribute may hold a factory without a type.
enum class FactoryNeed : uint8_t
{
    REQUIRED,
    OPTIONAL,
};

/// Makes a checker for an ObjectFactory. It accepts values such as
/// "ns3::lossless::RedMarker[MinBytes=400000]"; any other stops the program with a message.
/// @param base type that the factory must make
Ptr<const AttributeChecker> MakeFactoryChecker(TypeId base,
                                               FactoryNeed need = FactoryNeed::REQUIRED);

} // namespace ns3::lossless

#endif /* LOSSLESS_FACTORY_ATTRIBUTE_H */
