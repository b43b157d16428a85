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
 * The spec of a run, which is a JSON object with the run's options. It is a part of `run.json`, the
 * input of `--spec`, and the argument of lossless.run() in Python. Each member is an option or a
 * class with attributes. The class name may omit the module's namespace. The optional member
 * `program` contains the name of the program.
 *
 * @code{.json}
 * {"program": "lossless-run", "scheme": "DSH", "load": 0.6, "RoceNic": {"AckInterval": 4}}
 * @endcode
 */

/// @param program the name of the program
/// @param arguments the arguments, such as "--scheme=DSH", without duplicate names
/// @return the spec in JSON
std::string FormatRunSpec(const std::string& program, const std::vector<std::string>& arguments);

/// @param place a file or a results folder
/// @return the file that contains the spec
std::string FindRunSpec(const std::string& place);

/// Reads a spec from a spec file or from the `run.json` of a results folder. Stops the program if
/// the file has no spec, or if the spec belongs to another program.
/// @param program the name of this program
/// @return the options as arguments, in which attributes have their full names
std::vector<std::string> ReadRunSpec(const std::string& path, const std::string& program);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_SPEC_H */
