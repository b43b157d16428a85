// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_TEXT_H
#define LOSSLESS_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"

#include <string>

namespace ns3::lossless
{

/// @param checker the checker of an attribute whose values have a range
/// @return the valid range, such as "from 1 to 64"
std::string DescribeRange(const AttributeChecker& checker);

/// Validates the value given for an attribute. Numbers and names are parsed as in options
/// (ReadOption()). ns-3 parses all other values.
/// @return a description of the valid values, or an empty string if the value is valid
std::string CheckAttribute(const std::string& text, const AttributeChecker& checker);

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_TEXT_H */
