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

/**
 * Finds a type by its name; a name that is not registered, or that of another kind of object, ends
 * the program with a sentence that lists those which are allowed. (ns-3 itself, compiled without
 * asserts, takes any name and crashes when it makes the object.)
 * @param name of the type
 * @param base what the type must be, or be derived from
 * @return the type
 */
TypeId RequireType(const std::string& name, TypeId base);

/**
 * Judges a text for an attribute before ns-3 reads it, which crashes at a wrong name of an
 * enumeration and at a text for a pointer that makes no object.
 * @param text for the attribute; where it is to make an object and does not, the program ends with
 * a sentence
 * @param checker of the attribute
 * @return what the text must be; empty if it is
 */
std::string CheckName(const std::string& text, const AttributeChecker& checker);

/// @param factory as text, "type[name=value|name=value]"
/// @return names and values that it sets, in their order; no value without an equals sign
std::vector<std::pair<std::string, std::optional<std::string>>> SplitSettings(
    const std::string& factory);

/// @tparam T a type, which need not be registered yet @return a factory that makes it
template <typename T>
ObjectFactory
MakeFactory()
{
    ObjectFactory factory;
    factory.SetTypeId(T::GetTypeId());
    return factory;
}

/// An ObjectFactoryValue that judges a text before ns-3 reads it. The empty text, which ns-3 can
/// neither read nor write, is a factory without a type.
class FactoryValue : public ObjectFactoryValue
{
  public:
    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker) override;
};

/// @param checker of an attribute @return what the attribute's factory must make; nothing: it is no
/// MakeFactoryChecker()
std::optional<TypeId> FindFactoryBase(const AttributeChecker& checker);

/// Whether an attribute may hold a factory without a type.
enum class FactoryNeed : uint8_t
{
    REQUIRED,
    OPTIONAL,
};

/**
 * @param base what an ObjectFactory must make
 * @param need whether there must be one
 * @return a checker of an attribute that holds such an ObjectFactory, which accepts values as
 * "ns3::lossless::RedMarker[MinBytes=400000]" and ends the program with a sentence at any other
 */
Ptr<const AttributeChecker> MakeFactoryChecker(TypeId base,
                                               FactoryNeed need = FactoryNeed::REQUIRED);

} // namespace ns3::lossless

#endif /* LOSSLESS_FACTORY_ATTRIBUTE_H */
