// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HUGE_PAGES_H
#define LOSSLESS_HUGE_PAGES_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Asks the kernel for huge pages for what the program allocates from now on: a network of a
 * thousand hosts lies on more small pages than the processor has entries to translate.
 *
 * To be called once, at the start of a program; programs of this module do so unless the global
 * value "LosslessHugePages" is false. It does nothing where the C library or the kernel cannot
 * (other than glibc on Linux; "never" in /sys/kernel/mm/transparent_hugepage/enabled), and results
 * do not depend on it.
 */
void UseHugePages();

} // namespace ns3::lossless

#endif /* LOSSLESS_HUGE_PAGES_H */
