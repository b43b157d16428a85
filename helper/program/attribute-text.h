// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_TEXT_H
#define LOSSLESS_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3::lossless
{

/// @param checker the checker of an attribute whose values have a range
/// @return the valid range, such as "from 1 to 64"
std::string DescribeRange(const AttributeChecker& checker);

/// @return the default in the source code, as an option has it; empty for objects and for
/// attributes without a default
std::string DescribeDefault(const TypeId::AttributeInformation& info);

/// Validates the value given for an attribute. Numbers and names are parsed as in options
/// (ReadOption()). ns-3 parses all other values.
/// @return a description of the valid values, or an empty string if the value is valid
std::string CheckAttribute(const std::string& text, const AttributeChecker& checker);

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_TEXT_H */
