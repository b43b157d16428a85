// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FOREIGN_FORMAT_H
#define LOSSLESS_FOREIGN_FORMAT_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Recognises texts that a reader of this module cannot read, in common formats: those of other
 * simulators, of pandas and R, and of editors.
 * @param head first lines, without line ends
 * @return a clause on the format and the remedy, such as "this is YAML, ..."; empty: unknown
 */
std::string RecognizeForeignFormat(const std::vector<std::string>& head);

} // namespace ns3::lossless

#endif /* LOSSLESS_FOREIGN_FORMAT_H */
