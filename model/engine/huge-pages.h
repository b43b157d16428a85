// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HUGE_PAGES_H
#define LOSSLESS_HUGE_PAGES_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Asks the kernel for huge pages for later allocations of the program: a network of a thousand
 * hosts takes more small pages than the TLB has entries.
 *
 * To be called once, at the start of a program; programs of this module do so unless the global
 * value "LosslessHugePages" is false. It has no effect if the C library or the kernel does not
 * support it (other than glibc on Linux; "never" in /sys/kernel/mm/transparent_hugepage/enabled).
 * Results do not depend on it.
 */
void UseHugePages();

} // namespace ns3::lossless

#endif /* LOSSLESS_HUGE_PAGES_H */
