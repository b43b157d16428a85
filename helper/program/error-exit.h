// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ERROR_EXIT_H
#define LOSSLESS_ERROR_EXIT_H

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Makes the program print a one-line message to standard error and exit with status 1 after any
 * fatal error (NS_ABORT_MSG, NS_FATAL_ERROR, an uncaught exception). By default, ns-3 also prints
 * the location in its source code, and raises a signal that may cause a core dump.
 *
 * The program ends in the same way if its standard output cannot be written, for example because
 * the disk is full.
 *
 * A failed assertion is an error in the program rather than in its input and still raises the
 * signal. StrictCommandLine calls this function.
 *
 * @param program the program name, with which the message starts
 */
void EndErrorsBySentence(const std::string& program);

/// @param message a message of NS_ABORT_MSG, NS_FATAL_ERROR or a similar macro, as written by ns-3
/// @return the sentence in the message, ending with a period or a question mark, or the whole
/// message (without trailing line ends) if it contains no sentence
std::string GetErrorSentence(const std::string& message);

} // namespace ns3::lossless

#endif /* LOSSLESS_ERROR_EXIT_H */
