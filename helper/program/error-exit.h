// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ERROR_EXIT_H
#define LOSSLESS_ERROR_EXIT_H

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Makes what stops the program (NS_ABORT_MSG, NS_FATAL_ERROR, an exception that nobody catches) say
 * one sentence on standard error and end it with exit status 1. By itself ns-3 adds the place in
 * its source, and ends by a signal that may leave a core.
 *
 * A program whose standard output is lost, as on a full disk, ends in the same way.
 *
 * A failed assert, which is an error of a program and not of what it was given, still ends by that
 * signal. StrictCommandLine calls this.
 *
 * @param program its name, before the sentence
 */
void EndErrorsBySentence(const std::string& program);

/**
 * @param message of NS_ABORT_MSG, NS_FATAL_ERROR and the like, as ns-3 writes it
 * @return the sentence in it, closed by a full stop; if it has none, what it begins with
 */
std::string GetErrorSentence(const std::string& message);

} // namespace ns3::lossless

#endif /* LOSSLESS_ERROR_EXIT_H */
