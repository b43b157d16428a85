// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSSLESS_RUN_H
#define LOSSLESS_LOSSLESS_RUN_H

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * All that the program lossless-run does: any network under any flows, by options or from files. A
 * program that registers parts of its own (RegisterPart) and calls this has them beside those of
 * the module:
 *
 * @code
 * const lossless::RegisterRecorder<MyRecorder> g_mine("mine");
 *
 * int
 * main(int argc, char* argv[])
 * {
 *     return lossless::RunByOptions(argc, argv, __FILE__);
 * }
 * @endcode
 *
 * @param argc number of arguments @param argv program and arguments
 * @param file the program's __FILE__
 * @return exit status of the program
 */
int RunByOptions(int argc, char* argv[], const std::string& file);

} // namespace ns3::lossless

#endif /* LOSSLESS_LOSSLESS_RUN_H */
