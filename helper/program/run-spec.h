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
 * The spec of a run: its options as a tree in JSON, which `run.json` has, `--spec` reads, and
 * Python's `lossless.run()` takes. A member of the tree is an option, or a class with its
 * attributes, whose name may be without the module's namespace; `program`, if it is there, tells
 * whose options they are.
 *
 * @code{.json}
 * {"program": "lossless-run", "scheme": "DSH", "load": 0.6, "RoceNic": {"AckInterval": 4}}
 * @endcode
 */

/**
 * @param program its name
 * @param arguments what it was given, as "--scheme=DSH", each name once
 * @return the spec, a text in JSON
 */
std::string FormatRunSpec(const std::string& program, const std::vector<std::string>& arguments);

/// @param place a file, or a folder of results @return the file that has the spec
std::string FindRunSpec(const std::string& place);

/**
 * Reads a spec, or that of a result's `run.json`; stops the program, with a sentence, if the file
 * has none.
 * @param path the file
 * @param program name of the one that reads it; a spec of another one stops it as well
 * @return its options as arguments, of attributes the full names
 */
std::vector<std::string> ReadRunSpec(const std::string& path, const std::string& program);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_SPEC_H */
