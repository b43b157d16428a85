// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSSLESS_RUN_H
#define LOSSLESS_LOSSLESS_RUN_H

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Implements the program lossless-run, which runs any network with any flows, as specified by
 * options or files. A program that registers its own parts (RegisterPart) and calls this function
 * offers these parts in addition to those of the module. For example:
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
 * @param file the __FILE__ of the program
 * @return the exit status of the program
 */
int RunByOptions(int argc, char* argv[], const std::string& file);

} // namespace ns3::lossless

#endif /* LOSSLESS_LOSSLESS_RUN_H */
