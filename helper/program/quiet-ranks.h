// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUIET_RANKS_H
#define LOSSLESS_QUIET_RANKS_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Prevents the ranks of a run (see Ranks) from all printing the same messages. Outside the
 * simulation, all ranks do the same work, and only rank 0 prints. During the simulation, a rank
 * that fails prints its own message.
 */
class QuietRanks
{
  public:
    /// Discards the standard output and standard error of all ranks except the first.
    static void Begin();

    /// Restores standard error.
    static void End();

    /// Called when the program fails. Makes a quiet rank wait for up to two seconds, so that the
    /// first rank can print the error before mpirun terminates all ranks.
    static void AwaitFirst();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUIET_RANKS_H */
