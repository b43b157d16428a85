// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_SURVEY_H
#define LOSSLESS_ATTRIBUTE_SURVEY_H

#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// An attribute whose value differs from the default in the source code.
struct AttributeDifference
{
    std::string type;             ///< type that declares the attribute
    std::string attribute;        ///< name of the attribute
    std::string original;         ///< default in the source code
    std::set<std::string> values; ///< values in use, at least one
};

/**
 * @ingroup lossless
 * Finds the attributes that differ from the defaults in the source code, either because the default
 * has been changed (by Config::SetDefault or on the command line) or because an object of the run
 * has a different value.
 */
class AttributeSurvey
{
  public:
    /// Adds the current defaults of all types in this module.
    void AddDefaults();

    /// Adds the attribute values of an object and of all objects to which its attributes point.
    /// @param object the object; may be null
    void AddObject(Ptr<const Object> object);
    /// Adds a part of the run, and records that the run accepts all parts with the same base class.
    void AddPart(Ptr<const Object> part);

    /// Adds the current simulation: nodes, devices, channels, applications, all objects aggregated
    /// to them, and the objects that their factory attributes will create.
    void AddSimulation();

    /// @return all differences, sorted by type and attribute
    std::vector<AttributeDifference> GetDifferences() const;

    /// @param attribute the full name, such as "ns3::lossless::RoceNic::Window"
    /// @return the values that objects have or will have, or the default if there are no objects;
    /// empty if the attribute is unknown
    std::set<std::string> GetValues(const std::string& attribute) const;

    /// @param attribute the full name
    /// @return true if an object has the value or will have it. A factory or object may set more
    /// attributes than `value` does.
    bool IsInForce(const std::string& attribute, const std::string& value) const;

    /// @param attribute the full name, such as "ns3::lossless::SihBufferPolicy::Alpha"
    /// @return true if pointers or factories in objects accept the type that declares the
    /// attribute, but all of them contain other types
    bool IsUnused(const std::string& attribute) const;

    /// @return true if an object of the type exists or will be created
    bool Has(TypeId type) const
    {
        return m_types.count(type) > 0;
    }

    /// @param attribute the full name, such as "ns3::lossless::DwrrScheduler::Quantum"
    /// @return the reason why an AttributeCondition disables the attribute in all objects, or an
    /// empty string if it is not disabled. The reason is the value of another attribute, together
    /// with the required value.
    std::string FindContradiction(const std::string& attribute) const;

  private:
    struct Entry
    {
        std::string originalDefault;  ///< default in the source code
        std::string changedDefault;   ///< default for new objects
        std::set<std::string> values; ///< values in objects
    };

    Entry& GetEntry(TypeId type, const TypeId::AttributeInformation& info);

    /// @param settings the values of the attributes of the type, including inherited attributes
    /// @return true if some object has all these values or will have them
    bool AreInForce(const std::string& type,
                    const std::map<std::string, std::string>& settings) const;
    /// Adds an object and all objects aggregated to it.
    void AddAggregate(Ptr<Object> object);
    /// Adds the attribute values of the objects that a factory will create.
    /// @param factory the factory; it may have no type
    void AddFactory(const ObjectFactory& factory);

    /// @param type the type that declares the attribute
    void AddAttribute(Ptr<const Object> object,
                      TypeId type,
                      const TypeId::AttributeInformation& info);

    std::map<std::pair<std::string, std::string>, Entry> m_entries; ///< entries, by type and
                                                                    ///< attribute
    std::set<const Object*> m_visited;                              ///< objects already added
    std::set<TypeId> m_types;  ///< types of objects and factories, including their base types
    std::set<TypeId> m_places; ///< types accepted by pointers, and base types of the objects that
                               ///< factories create
    bool m_areFactoriesObjects{false}; ///< true if factories count as objects
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_SURVEY_H */
