// SPDX-License-Identifier: GPL-2.0-only
#include "factory-attribute.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <cstddef>
#include <sstream>

namespace ns3::lossless
{

namespace
{

bool
IsKindOf(TypeId type, TypeId base)
{
    return type == base || type.IsChildOf(base);
}

/// Returns whether a factory for objects of type `base` can make objects of the given type.
bool
IsMadeAs(TypeId type, TypeId base)
{
    return type.HasConstructor() && IsKindOf(type, base);
}

/// Returns the names of all registered types that a factory for `base` can make.
std::string
ListTypes(TypeId base)
{
    std::string names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (IsMadeAs(type, base))
        {
            names += (names.empty() ? "" : ", ") + type.GetName();
        }
    }
    return names;
}

/// @return a list of the allowed names of an enumeration, such as "one of A, B"
std::string
DescribeNames(const AttributeChecker& checker)
{
    std::string names = checker.GetUnderlyingTypeInformation(); // "Fifo|Fair"
    for (std::size_t bar = 0; (bar = names.find('|', bar)) != std::string::npos;)
    {
        names.replace(bar, 1, ", ");
    }
    return "one of " + names;
}

/// @param names the names in the format of DescribeNames()
bool
IsAmong(const std::string& text, const std::string& names)
{
    return (names + ",").find(" " + text + ",") != std::string::npos;
}

/// Stops the program if a factory string (see SplitSettings()) sets an attribute that the type does
/// not have or assigns an invalid value to an attribute.
void
RequireSettings(const std::string& factory, TypeId type)
{
    for (const auto& [name, value] : SplitSettings(factory))
    {
        NS_ABORT_MSG_IF(!value,
                        "\"" << name << "\" sets no attribute of " << type.GetName()
                             << "; it must be written Name=value");
        TypeId::AttributeInformation info;
        NS_ABORT_MSG_IF(!type.LookupAttributeByName(name, &info),
                        type.GetName() << " has no attribute \"" << name << "\"");
        const std::string allowed = CheckName(*value, *info.checker);
        NS_ABORT_MSG_IF(!allowed.empty(),
                        "\"" << *value << "\" is not a value of " << type.GetName() << "::" << name
                             << "; it must be " << allowed);
    }
}

/// Stops the program with a message unless a string describes a factory for `base`, as in
/// "ns3::lossless::RedMarker[MinBytes=400000]".
void
RequireFactory(const std::string& text, TypeId base)
{
    const std::size_t bracket = text.find('[');
    const TypeId type = RequireType(text.substr(0, bracket), base);
    if (bracket != std::string::npos)
    {
        NS_ABORT_MSG_IF(text.find(']') != text.size() - 1,
                        "\"" << text << "\" must end with its only \"]\"");
        RequireSettings(text, type);
    }
}

class FactoryChecker : public ObjectFactoryChecker
{
  public:
    FactoryChecker(TypeId base, FactoryNeed need)
        : m_base(base),
          m_need(need)
    {
    }

    bool IsOptional() const
    {
        return m_need == FactoryNeed::OPTIONAL;
    }

    TypeId GetBase() const
    {
        return m_base;
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* factory = dynamic_cast<const ObjectFactoryValue*>(&value);
        if (!factory)
        {
            return false;
        }
        if (!factory->Get().IsTypeIdSet() && IsOptional())
        {
            return true;
        }
        NS_ABORT_MSG_IF(!factory->Get().IsTypeIdSet(),
                        "an ObjectFactory makes no registered type; it must make one of "
                            << ListTypes(m_base));
        RequireType(factory->Get().GetTypeId().GetName(), m_base);
        return true;
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::ObjectFactoryValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "ns3::ObjectFactory";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<FactoryValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const ObjectFactoryValue*>(&source);
        auto* to = dynamic_cast<ObjectFactoryValue*>(&destination);
        if (!from || !to)
        {
            return false;
        }
        *to = *from;
        return true;
    }

  private:
    TypeId m_base;      ///< the base type of the objects
    FactoryNeed m_need; ///< whether the factory may lack a type
};

} // namespace

std::optional<TypeId>
FindFactoryBase(const AttributeChecker& checker)
{
    const auto* factory = dynamic_cast<const FactoryChecker*>(&checker);
    return factory ? std::optional(factory->GetBase()) : std::nullopt;
}

Ptr<AttributeValue>
FactoryValue::Copy() const
{
    return Create<FactoryValue>(*this);
}

std::string
FactoryValue::SerializeToString(Ptr<const AttributeChecker> checker) const
{
    return Get().IsTypeIdSet() ? ObjectFactoryValue::SerializeToString(checker) : "";
}

bool
FactoryValue::DeserializeFromString(std::string text, Ptr<const AttributeChecker> checker)
{
    const auto factory = DynamicCast<const FactoryChecker>(checker);
    if (text.empty() && factory->IsOptional())
    {
        Set(ObjectFactory());
        return true;
    }
    RequireFactory(text, factory->GetBase());
    return ObjectFactoryValue::DeserializeFromString(text, checker);
}

TypeId
RequireType(const std::string& name, TypeId base)
{
    TypeId type;
    const bool isKind = TypeId::LookupByNameFailSafe(name, &type) && IsKindOf(type, base);
    NS_ABORT_MSG_IF(!isKind || !type.HasConstructor(),
                    "\"" << name << "\" "
                         << (isKind ? "has no constructor (TypeId::AddConstructor)"
                                    : "is not an " + base.GetName())
                         << "; it must be one of " << ListTypes(base));
    return type;
}

std::string
CheckName(const std::string& text, const AttributeChecker& checker)
{
    const std::string type = checker.GetValueTypeName();
    if (type.find("EnumValue") != std::string::npos)
    {
        const std::string names = DescribeNames(checker);
        return IsAmong(text, names) ? "" : names;
    }
    if (const auto* pointer = dynamic_cast<const PointerChecker*>(&checker))
    {
        RequireFactory(text, pointer->GetPointeeTypeId());
        return "";
    }
    if (checker.CreateValidValue(StringValue(text)))
    {
        return "";
    }
    return DynamicCast<BooleanValue>(checker.Create()) ? "true or false" : "a value of " + type;
}

std::vector<std::pair<std::string, std::optional<std::string>>>
SplitSettings(const std::string& factory)
{
    const std::size_t bracket = factory.find('[');
    if (bracket == std::string::npos)
    {
        return {};
    }
    std::istringstream list(factory.substr(bracket + 1, factory.rfind(']') - bracket - 1));
    std::vector<std::pair<std::string, std::optional<std::string>>> settings;
    for (std::string setting; std::getline(list, setting, '|');)
    {
        const std::size_t equal = setting.find('=');
        settings.emplace_back(
            setting.substr(0, equal),
            equal == std::string::npos ? std::nullopt : std::optional(setting.substr(equal + 1)));
    }
    return settings;
}

Ptr<const AttributeChecker>
MakeFactoryChecker(TypeId base, FactoryNeed need)
{
    return Create<FactoryChecker>(base, need);
}

} // namespace ns3::lossless
