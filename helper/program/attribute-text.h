// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ATTRIBUTE_TEXT_H
#define LOSSLESS_ATTRIBUTE_TEXT_H

#include "ns3/attribute.h"

#include <string>

namespace ns3::lossless
{

/// @param checker of a number, a time or a rate
/// @return its range, such as "from 1 to 64"
std::string DescribeRange(const AttributeChecker& checker);

/// Checks the text given for an attribute. Numbers and names are parsed as those of options are
/// (ReadOption()), the rest by ns-3. @return what the text must be; empty if it is valid
std::string CheckAttribute(const std::string& text, const AttributeChecker& checker);

} // namespace ns3::lossless

#endif /* LOSSLESS_ATTRIBUTE_TEXT_H */
