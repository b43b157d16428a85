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

/// An attribute whose value is not the default in the source code.
struct AttributeDifference
{
    std::string type;             ///< declares the attribute
    std::string attribute;        ///< name
    std::string original;         ///< default in the source code
    std::set<std::string> values; ///< in use, at least one
};

/**
 * @ingroup lossless
 * Finds the attributes that differ from the defaults in the source code, by changed defaults
 * (Config::SetDefault, command line) or in objects of the run.
 */
class AttributeSurvey
{
  public:
    /// Adds the changed defaults of all types of this module.
    void AddDefaults();

    /// Adds the values of an object and of all objects that its attributes point to.
    /// @param object may be null
    void AddObject(Ptr<const Object> object);
    /// Adds a part of the run, whose kind becomes one of the surveyed ones.
    void AddPart(Ptr<const Object> part);

    /// Adds the present simulation: nodes, their devices, cables, applications and all that is
    /// aggregated to them, and what factories among their attributes will make.
    void AddSimulation();

    /// @return all differences, by type and attribute
    std::vector<AttributeDifference> GetDifferences() const;

    /// @param attribute full name, such as "ns3::lossless::RoceNic::Window"
    /// @return values that objects have or will get; without such objects, the default; empty if
    /// unknown
    std::set<std::string> GetValues(const std::string& attribute) const;

    /// @param attribute full name
    /// @return whether an object has the value or will get it; a factory or an object may set more
    /// attributes than `value` does
    bool IsInForce(const std::string& attribute, const std::string& value) const;

    /// @param attribute full name, such as "ns3::lossless::SihBufferPolicy::Alpha"
    /// @return whether objects have places for its type (pointer, factory) and all contain other
    /// types
    bool IsUnused(const std::string& attribute) const;

    /// @return whether there is an object of the type, or will be
    bool Has(TypeId type) const
    {
        return m_types.count(type) > 0;
    }

    /// @param attribute full name, such as "ns3::lossless::DwrrScheduler::Quantum"
    /// @return why its AttributeCondition disables it in all objects: the value of another
    /// attribute, and the one needed; empty if it does not
    std::string FindContradiction(const std::string& attribute) const;

  private:
    struct Entry
    {
        std::string originalDefault;  ///< in the source code
        std::string changedDefault;   ///< for objects made by now
        std::set<std::string> values; ///< in objects
    };

    Entry& GetEntry(TypeId type, const TypeId::AttributeInformation& info);

    /// @param settings values of the attributes of the type, inherited ones included
    /// @return whether an object has all of them, or will get them
    bool AreInForce(const std::string& type,
                    const std::map<std::string, std::string>& settings) const;
    /// Adds an object and what is aggregated to it.
    void AddAggregate(Ptr<Object> object);
    /// Adds what a factory gives to objects. @param factory may have no type
    void AddFactory(const ObjectFactory& factory);

    /// @param type declares the attribute
    void AddAttribute(Ptr<const Object> object,
                      TypeId type,
                      const TypeId::AttributeInformation& info);

    std::map<std::pair<std::string, std::string>, Entry> m_entries; ///< by type and attribute
    std::set<const Object*> m_visited;                              ///< objects added
    std::set<TypeId> m_types;  ///< types of objects, or made by factories, with their parents
    std::set<TypeId> m_places; ///< types wanted by pointers, and first types made by factories
    bool m_areFactoriesObjects{false}; ///< objects of factories count as existing
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_SURVEY_H */
