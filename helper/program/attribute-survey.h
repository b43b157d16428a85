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
    std::string type;             ///< that declares it
    std::string attribute;        ///< its name
    std::string original;         ///< default in the source code
    std::set<std::string> values; ///< in use, at least one
};

/**
 * @ingroup lossless
 * Finds the attributes that differ from the defaults in the source code: by changed defaults
 * (Config::SetDefault, command line) and by what objects of the run hold.
 */
class AttributeSurvey
{
  public:
    /// Takes up the changed defaults of all types of this module.
    void AddDefaults();

    /// Takes up the values of an object and of all objects that its attributes point to.
    /// @param object the object; may be null
    void AddObject(Ptr<const Object> object);
    /// Takes up a part of the run, whose kind is one of those that are looked at. @param part it
    void AddPart(Ptr<const Object> part);

    /// Takes up what the simulation has by now: nodes, their devices, cables, applications and all
    /// that is aggregated to them, and what factories among their attributes are to make.
    void AddSimulation();

    /// @return all that differs, by type and attribute
    std::vector<AttributeDifference> GetDifferences() const;

    /// @param attribute full name, as "ns3::lossless::RoceNic::Window" @return the values that
    /// objects hold or are to get; if there is no such object, the default; empty: not known
    std::set<std::string> GetValues(const std::string& attribute) const;

    /// @param attribute full name @param value as text
    /// @return whether an object holds it, or is to get it; where it is what makes objects, or an
    /// object, more may be set of them than it sets
    bool IsInForce(const std::string& attribute, const std::string& value) const;

    /// @param attribute full name, as "ns3::lossless::SihBufferPolicy::Alpha" @return whether the
    /// objects have a place for an object of its type (pointer, factory), and all hold others
    bool IsUnused(const std::string& attribute) const;

    /// @param attribute full name, as "ns3::lossless::DwrrScheduler::Quantum" @return why it has no
    /// effect on any object, by its AttributeCondition: what another attribute is, and what it
    /// would have to be; empty: it has one as far as that tells
    std::string FindContradiction(const std::string& attribute) const;

  private:
    /// One attribute.
    struct Entry
    {
        std::string originalDefault;  ///< in the source code
        std::string changedDefault;   ///< for objects made by now
        std::set<std::string> values; ///< held by objects
    };

    /// @param type that declares an attribute @param info the attribute @return its entry
    Entry& GetEntry(TypeId type, const TypeId::AttributeInformation& info);

    /// @param type name of a type @param settings its attributes, or those that it inherits, and
    /// their values @return whether an object holds each, or is to get it
    bool AreInForce(const std::string& type,
                    const std::map<std::string, std::string>& settings) const;
    /// Takes up an object and what is aggregated to it. @param object the object
    void AddAggregate(Ptr<Object> object);
    /// Takes up what a factory gives to objects. @param factory which may have no type
    void AddFactory(const ObjectFactory& factory);

    /// @param object an object @param type that declares an attribute @param info the attribute
    void AddAttribute(Ptr<const Object> object,
                      TypeId type,
                      const TypeId::AttributeInformation& info);

    std::map<std::pair<std::string, std::string>, Entry> m_entries; ///< by type and attribute
    std::set<const Object*> m_visited;                              ///< objects taken up
    std::set<TypeId> m_types;  ///< of what objects are or factories make, with their parents
    std::set<TypeId> m_places; ///< that pointers ask for, and the first ones of what factories make
    bool m_areFactoriesObjects{false}; ///< what they are to make counts as if it were there
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_SURVEY_H */
