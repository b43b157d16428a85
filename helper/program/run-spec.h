// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SPEC_H
#define LOSSLESS_RUN_SPEC_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @file
 * @ingroup lossless
 * The spec of a run: its options as a JSON tree, which is part of `run.json`, input of `--spec`,
 * and argument of Python's `lossless.run()`. A member of the tree is an option, or a class with its
 * attributes, whose name may lack the module's namespace; the optional `program` names the program
 * of the options.
 *
 * @code{.json}
 * {"program": "lossless-run", "scheme": "DSH", "load": 0.6, "RoceNic": {"AckInterval": 4}}
 * @endcode
 */

/// @param program its name
/// @param arguments such as "--scheme=DSH", each name once
/// @return the spec as JSON
std::string FormatRunSpec(const std::string& program, const std::vector<std::string>& arguments);

/// @param place a file, or a folder of results
/// @return the file that has the spec
std::string FindRunSpec(const std::string& place);

/// Reads a spec, or that of a result's `run.json`; stops the program if the file has none.
/// @param program name of the present one; a spec of another program stops it as well
/// @return the options as arguments, with full names of attributes
std::vector<std::string> ReadRunSpec(const std::string& path, const std::string& program);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_SPEC_H */
