// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_TEXT_H
#define LOSSLESS_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"

#include <string>

namespace ns3::lossless
{

/// @param checker of an attribute that is a number, a time or a rate
/// @return its range, as "from 1 to 64"
std::string DescribeRange(const AttributeChecker& checker);

/**
 * Numbers and names are read as options of programs are (ReadOption()); ns-3 reads the rest.
 * @param text what the user gave for an attribute
 * @param checker of the attribute
 * @return what the text must be; empty if it is
 */
std::string CheckAttribute(const std::string& text, const AttributeChecker& checker);

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_TEXT_H */
