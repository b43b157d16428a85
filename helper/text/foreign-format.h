// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FOREIGN_FORMAT_H
#define LOSSLESS_FOREIGN_FORMAT_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Recognizes common formats that this module cannot read. Examples are the formats of other
 * simulators, of pandas and R, and of text editors.
 * @param head the first lines of the file, without line ends
 * @param separator the expected separator of fields, a blank or a comma; 0 if there is none
 * @return a clause that names the format and the remedy, such as "this is YAML, ...", or an empty
 * string if the format is unknown
 */
std::string RecognizeForeignFormat(const std::vector<std::string>& head, char separator);

/// @param bytes the first bytes of a file, at least 24 if it has that many
/// @return a clause that identifies a file of another kind, such as a compressed file, or an empty
/// string
std::string RecognizeStandIn(const std::string& bytes);

} // namespace ns3::lossless

#endif /* LOSSLESS_FOREIGN_FORMAT_H */
