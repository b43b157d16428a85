// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HUGE_PAGES_H
#define LOSSLESS_HUGE_PAGES_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Asks the kernel to use huge pages for the next 512 MiB of the program's heap, because a network
 * of a thousand hosts needs more small pages than the TLB has entries.
 *
 * Call this function once at the start of a program, as the programs of this module do. It has no
 * effect if the global value "LosslessHugePages" is false, on systems other than Linux with glibc,
 * or if /sys/kernel/mm/transparent_hugepage/enabled is "never". It does not affect results.
 */
void UseHugePages();

} // namespace ns3::lossless

#endif /* LOSSLESS_HUGE_PAGES_H */
