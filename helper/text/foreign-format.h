// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FOREIGN_FORMAT_H
#define LOSSLESS_FOREIGN_FORMAT_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Tells what a text is that a reader of this module cannot read, if that is one of the formats that
 * people have: those of other simulators, of pandas and R, and of editors.
 * @param head its first lines, without their ends
 * @return a clause on what it is and what to do, as "this is YAML, ..."; empty: it is nothing known
 */
std::string RecognizeForeignFormat(const std::vector<std::string>& head);

} // namespace ns3::lossless

#endif /* LOSSLESS_FOREIGN_FORMAT_H */
