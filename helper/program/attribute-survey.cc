// SPDX-License-Identifier: GPL-2.0-only
#include "attribute-survey.h"

#include "option-names.h"

#include "ns3/application.h"
#include "ns3/attribute-condition.h"
#include "ns3/factory-attribute.h"
#include "ns3/link-retry.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/mac48-address.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pabo-host.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/pointer.h"
#include "ns3/slow-receiver.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

namespace
{

bool
IsOurs(TypeId type)
{
    return type.GetGroupName() == "Lossless";
}

std::string
Describe(const AttributeValue& value, const TypeId::AttributeInformation& info)
{
    if (dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
    {
        // Use the type of the object, because the object's address differs from run to run.
        if (const auto* text = dynamic_cast<const StringValue*>(&value))
        {
            return text->Get().substr(0, text->Get().find('['));
        }
        const auto* pointer = dynamic_cast<const PointerValue*>(&value);
        Ptr<Object> object = pointer ? pointer->GetObject() : nullptr;
        return object ? object->GetInstanceTypeId().GetName() : "";
    }
    const auto valid = info.checker->CreateValidValue(value);
    return valid ? valid->SerializeToString(info.checker) : "";
}

/// @param factory the factory, serialized
/// @return the attributes that the factory sets, by name
std::map<std::string, std::string>
GetSettings(const std::string& factory)
{
    std::map<std::string, std::string> settings;
    for (const auto& [name, value] : SplitSettings(factory))
    {
        settings[name] = value.value_or("");
    }
    return settings;
}

/// @return true if both strings are equal, or if both are factories of the same type and the first
/// one sets all attributes of the second one to the same values
bool
Fulfils(const std::string& held, const std::string& wanted)
{
    const std::size_t bracket = wanted.find('[');
    if (bracket == std::string::npos || held.compare(0, bracket + 1, wanted, 0, bracket + 1) != 0)
    {
        return held == wanted;
    }
    const auto settings = GetSettings(held);
    const auto needed = GetSettings(wanted);
    return std::includes(settings.begin(), settings.end(), needed.begin(), needed.end());
}

/// @return true if the attribute is the gate of an uninitialized device. Such a device does not
/// have the scheme's gate yet, and devices of other ranks are never initialized.
bool
IsGateUnset(Ptr<const Object> object, const std::string& attribute)
{
    return attribute == "Gate" && !object->IsInitialized();
}

} // namespace

void
AttributeSurvey::AddDefaults()
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t j = 0; IsOurs(type) && j < type.GetAttributeN(); ++j)
        {
            const auto info = type.GetAttribute(j);
            Entry& entry = GetEntry(type, info);
            entry.changedDefault = Describe(*info.initialValue, info);
        }
    }
}

void
AttributeSurvey::AddObject(Ptr<const Object> object)
{
    if (!object || !m_visited.insert(PeekPointer(object)).second)
    {
        return;
    }
    const TypeId instanceType = object->GetInstanceTypeId();
    TypeId type = instanceType;
    for (bool more = true; more; more = type.HasParent(), type = type.GetParent())
    {
        m_types.insert(type);
        // The attributes that this module's classes inherit from ns-3 (Node, NetDevice) are not
        // settings.
        const bool counts = IsOurs(type) || !IsOurs(instanceType);
        for (std::size_t i = 0; counts && i < type.GetAttributeN(); ++i)
        {
            AddAttribute(object, type, type.GetAttribute(i));
        }
    }
}

void
AttributeSurvey::AddPart(Ptr<const Object> part)
{
    AddObject(part);
    TypeId kind = part->GetInstanceTypeId();
    while (kind.GetParent() != Object::GetTypeId())
    {
        kind = kind.GetParent();
    }
    m_places.insert(kind);
}

void
AttributeSurvey::AddSimulation()
{
    m_areFactoriesObjects = true;
    m_places.insert({LinkRetry::GetTypeId(), // types to which no attributes point
                     PaboHost::GetTypeId(),
                     PauseStorm::GetTypeId(),
                     PfcWatchdog::GetTypeId(),
                     SlowReceiver::GetTypeId()});
    for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
    {
        Ptr<Node> node = NodeList::GetNode(i);
        AddAggregate(node);
        for (uint32_t j = 0; j < node->GetNDevices(); ++j)
        {
            AddAggregate(node->GetDevice(j));
            if (auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(j)))
            {
                AddObject(device->GetChannel());
                AddObject(device->GetRetry());
            }
        }
        for (uint32_t j = 0; j < node->GetNApplications(); ++j)
        {
            AddAggregate(node->GetApplication(j));
        }
    }
}

void
AttributeSurvey::AddAggregate(Ptr<Object> object)
{
    AddObject(object);
    for (auto it = object->GetAggregateIterator(); it.HasNext();)
    {
        AddObject(it.Next());
    }
}

void
AttributeSurvey::AddFactory(const ObjectFactory& factory)
{
    if (!factory.IsTypeIdSet())
    {
        return;
    }
    std::ostringstream text;
    text << factory;
    const auto settings = GetSettings(text.str());
    TypeId type = factory.GetTypeId();
    for (bool more = true; more; more = type.HasParent(), type = type.GetParent())
    {
        m_types.insert(type);
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto info = type.GetAttribute(i);
            const auto own = settings.find(info.name);
            GetEntry(type, info)
                .values.insert(own == settings.end() ? Describe(*info.initialValue, info)
                                                     : Describe(StringValue(own->second), info));
        }
    }
}

std::set<std::string>
AttributeSurvey::GetValues(const std::string& attribute) const
{
    const std::size_t split = attribute.rfind("::");
    const auto found = m_entries.find({attribute.substr(0, split), attribute.substr(split + 2)});
    if (found == m_entries.end())
    {
        return {};
    }
    const Entry& entry = found->second;
    return entry.values.empty() ? std::set<std::string>{entry.changedDefault} : entry.values;
}

bool
AttributeSurvey::IsInForce(const std::string& attribute, const std::string& value) const
{
    const auto checker = FindAttribute(attribute);
    const bool isObject = dynamic_cast<const PointerChecker*>(PeekPointer(checker));
    const std::string type = value.substr(0, value.find('['));
    const std::string wanted = isObject ? type : value; // for an object, only the type is stored
    const auto values = GetValues(attribute);
    const bool isHeld =
        std::any_of(values.begin(), values.end(), [&wanted](const std::string& held) {
            return Fulfils(held, wanted);
        });
    return isHeld && (!isObject || AreInForce(type, GetSettings(value)));
}

bool
AttributeSurvey::AreInForce(const std::string& type,
                            const std::map<std::string, std::string>& settings) const
{
    const TypeId id = TypeId::LookupByName(type);
    return std::all_of(settings.begin(), settings.end(), [this, id](const auto& setting) {
        const auto& [name, value] = setting;
        TypeId owner = id;
        while (!FindAttribute(owner.GetName() + "::" + name))
        {
            owner = owner.GetParent();
        }
        TypeId::AttributeInformation info;
        owner.LookupAttributeByName(name, &info);
        return IsInForce(owner.GetName() + "::" + name, Describe(StringValue(value), info));
    });
}

bool
AttributeSurvey::IsUnused(const std::string& attribute) const
{
    TypeId type;
    const std::string name = attribute.substr(0, attribute.rfind("::"));
    if (!TypeId::LookupByNameFailSafe(name, &type) || m_types.count(type) > 0)
    {
        return false;
    }
    return std::any_of(m_places.begin(), m_places.end(), [type](TypeId place) {
        return type == place || type.IsChildOf(place);
    });
}

std::string
AttributeSurvey::FindContradiction(const std::string& attribute) const
{
    const std::size_t split = attribute.rfind("::");
    const std::string type = attribute.substr(0, split);
    const auto name = [](const std::string& value) {
        // Show the value without empty brackets.
        const std::string shown = value.substr(0, value.find("[]"));
        return shown.empty() ? "empty" : shown;
    };
    for (const AttributeCondition& condition : FindConditions(type, attribute.substr(split + 2)))
    {
        const bool isElsewhere = condition.other.find("::") != std::string::npos;
        const auto values =
            GetValues(isElsewhere ? condition.other : type + "::" + condition.other);
        const bool isAllowed =
            std::any_of(values.begin(), values.end(), [&condition](const std::string& held) {
                return condition.Allows(held);
            });
        if (!isAllowed)
        {
            return condition.other + " is " + name(*values.begin()) +
                   (condition.where == Where::IS ? " and not " + name(condition.value) : "");
        }
    }
    return "";
}

std::vector<AttributeDifference>
AttributeSurvey::GetDifferences() const
{
    std::vector<AttributeDifference> differences;
    for (const auto& [key, entry] : m_entries)
    {
        // The values of objects take precedence. For types without objects, the changed default is
        // used.
        auto values = entry.values;
        if (values.empty())
        {
            values.insert(entry.changedDefault);
        }
        if (values.size() > 1 || *values.begin() != entry.originalDefault)
        {
            differences.push_back({key.first, key.second, entry.originalDefault, values});
        }
    }
    return differences;
}

AttributeSurvey::Entry&
AttributeSurvey::GetEntry(TypeId type, const TypeId::AttributeInformation& info)
{
    const auto [place, isNew] = m_entries.try_emplace({type.GetName(), info.name});
    if (isNew)
    {
        place->second.originalDefault = Describe(*info.originalInitialValue, info);
        place->second.changedDefault = place->second.originalDefault;
    }
    return place->second;
}

void
AttributeSurvey::AddAttribute(Ptr<const Object> object,
                              TypeId type,
                              const TypeId::AttributeInformation& info)
{
    Ptr<AttributeValue> value = info.checker->Create();
    if (!(info.flags & TypeId::ATTR_GET) || !info.accessor->HasGetter() ||
        IsGateUnset(object, info.name) || !info.accessor->Get(PeekPointer(object), *value))
    {
        return;
    }
    if (const auto* list = dynamic_cast<const ObjectPtrContainerValue*>(PeekPointer(value)))
    {
        for (auto it = list->Begin(); it != list->End(); ++it)
        {
            AddObject(it->second);
        }
        return;
    }
    if (const auto* pointer = dynamic_cast<const PointerValue*>(PeekPointer(value)))
    {
        AddObject(pointer->GetObject());
        m_places.insert(
            dynamic_cast<const PointerChecker*>(PeekPointer(info.checker))->GetPointeeTypeId());
    }
    const auto* factory = dynamic_cast<const ObjectFactoryValue*>(PeekPointer(value));
    if (factory && m_areFactoriesObjects)
    {
        AddFactory(factory->Get());
        if (const auto base = FindFactoryBase(*info.checker))
        {
            m_places.insert(*base);
        }
    }
    // Attributes that cannot be set are not settings. Addresses identify an object and are not
    // settings either.
    const bool canBeSet = info.flags & (TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT);
    if (canBeSet && !dynamic_cast<const Mac48AddressValue*>(PeekPointer(value)))
    {
        GetEntry(type, info).values.insert(Describe(*value, info));
    }
}

} // namespace ns3::lossless
