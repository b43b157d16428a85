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

/**
 * @param name a name that there is not
 * @param known names that there are
 * @return those of them that it may stand for, by a slip or two: the few that are most alike
 */
std::vector<std::string> FindSimilarNames(const std::string& name,
                                          const std::vector<std::string>& known);

/**
 * @param name full name of an attribute, as "ns3::lossless::RoceNic::Window"
 * @return its checker; nothing if that class itself has no such attribute
 */
Ptr<const AttributeChecker> FindAttribute(const std::string& name);

/**
 * What a wrong name of an attribute may stand for: that of a base class (which sets it for all its
 * classes), without a namespace or with another one, of another class, or with a slip.
 * @param name a name that FindAttribute() does not know
 * @return full names of attributes; none if nothing is alike
 */
std::vector<std::string> FindSimilarAttributes(const std::string& name);

/// @param name of a global value of ns-3 @return its checker; nothing if there is no such value
Ptr<const AttributeChecker> FindGlobalValue(const std::string& name);

/// @return names of all global values of ns-3
std::vector<std::string> GetGlobalValueNames();

} // namespace lossless

} // namespace ns3

#endif /* LOSSLESS_OPTION_NAMES_H */
