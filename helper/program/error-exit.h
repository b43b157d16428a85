// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ERROR_EXIT_H
#define LOSSLESS_ERROR_EXIT_H

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Makes whatever stops the program (NS_ABORT_MSG, NS_FATAL_ERROR, an uncaught exception) print one
 * sentence on standard error and exit with status 1. By default ns-3 adds the place in its source
 * and ends by a signal that may dump core.
 *
 * A program whose standard output is lost, as on a full disk, ends in the same way.
 *
 * A failed assert, an error of the program and not of its input, still ends by that signal.
 * StrictCommandLine calls this function.
 *
 * @param program name at the start of the sentence
 */
void EndErrorsBySentence(const std::string& program);

/// @param message of NS_ABORT_MSG, NS_FATAL_ERROR and the like, as written by ns-3
/// @return its sentence, with a full stop; without a sentence, the beginning of the message
std::string GetErrorSentence(const std::string& message);

} // namespace ns3::lossless

#endif /* LOSSLESS_ERROR_EXIT_H */
