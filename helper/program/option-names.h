// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OPTION_NAMES_H
#define LOSSLESS_OPTION_NAMES_H

#include "ns3/ptr.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class AttributeChecker;

namespace lossless
{

/// @param name an unknown name
/// @return the few most similar known names, if they differ by a slip or two
std::vector<std::string> FindSimilarNames(const std::string& name,
                                          const std::vector<std::string>& known);

/// @param name full name of an attribute, such as "ns3::lossless::RoceNic::Window"
/// @return its checker; null if the class itself has no such attribute
Ptr<const AttributeChecker> FindAttribute(const std::string& name);

/// Suggests attributes for a wrong name: of a base class (which sets it for all its classes),
/// without a namespace or with another one, of another class, or with a slip.
/// @param name unknown to FindAttribute()
/// @return full names; may be empty
std::vector<std::string> FindSimilarAttributes(const std::string& name);

/// @return checker of a global value of ns-3; null if there is no such value
Ptr<const AttributeChecker> FindGlobalValue(const std::string& name);

/// @return names of all global values of ns-3
std::vector<std::string> GetGlobalValueNames();

} // namespace lossless

} // namespace ns3

#endif /* LOSSLESS_OPTION_NAMES_H */
