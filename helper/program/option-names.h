// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OPTION_NAMES_H
#define LOSSLESS_OPTION_NAMES_H

#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

class AttributeChecker;

namespace lossless
{

/// @param name an unknown name
/// @return the most similar known names, which differ from the unknown name by at most a few
/// characters, or by whole words at the end
std::vector<std::string> FindSimilarNames(const std::string& name,
                                          const std::vector<std::string>& known);

/// @return the class, followed by its base classes from the nearest one to the farthest one
std::vector<TypeId> GetFamily(TypeId type);

/// @return the name of a class, without the namespace if the class is of this module
std::string GetShortName(TypeId type);

/// @return all registered classes of this module, sorted by name
std::vector<TypeId> GetOwnTypes();

/// @param name an unknown name of a class
/// @return the short names of the classes whose names are most similar, or else of those whose
/// names contain it; upper and lower case and the namespace are ignored
std::vector<std::string> FindSimilarTypes(const std::string& name);

/// @param name the full name of an attribute, such as "ns3::lossless::RoceNic::Window"
/// @return the checker of the attribute, or null if the class itself does not declare it
Ptr<const AttributeChecker> FindAttribute(const std::string& name);

/// Suggests attributes for an unknown name. The name may lack the namespace, have a wrong namespace
/// or class, or contain a typo. If the suggested attribute belongs to a base class, setting it
/// affects all subclasses.
/// @param name a name for which FindAttribute() returns null
/// @return the full names; may be empty
std::vector<std::string> FindSimilarAttributes(const std::string& name);

/// @return the checker of an ns-3 global value, or null if there is no such value
Ptr<const AttributeChecker> FindGlobalValue(const std::string& name);

/// @return the names of all ns-3 global values
std::vector<std::string> GetGlobalValueNames();

} // namespace lossless

} // namespace ns3

#endif /* LOSSLESS_OPTION_NAMES_H */
