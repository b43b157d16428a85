// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HUGE_PAGES_H
#define LOSSLESS_HUGE_PAGES_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Asks the kernel to use huge pages for the program's subsequent allocations, because a network of
 * a thousand hosts needs more small pages than the TLB has entries.
 *
 * Call it once at the start of a program. Programs of this module do so unless the global value
 * "LosslessHugePages" is false. It has no effect on systems other than Linux with glibc, or if
 * /sys/kernel/mm/transparent_hugepage/enabled is "never". Results do not depend on it.
 */
void UseHugePages();

} // namespace ns3::lossless

#endif /* LOSSLESS_HUGE_PAGES_H */
