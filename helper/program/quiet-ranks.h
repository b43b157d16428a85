// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUIET_RANKS_H
#define LOSSLESS_QUIET_RANKS_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Keeps the ranks of a run (see Ranks) from each printing the same text. Outside the simulation all
 * ranks do the same, and only rank 0 prints; during it, a rank that fails prints its own message.
 */
class QuietRanks
{
  public:
    /// Discards standard output and standard error of all ranks except the first.
    static void Begin();

    /// Restores standard error.
    static void End();

    /// For a failing program: makes a quiet rank wait, for two seconds at most, until the first one
    /// has printed the reason and mpirun ends all.
    static void AwaitFirst();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUIET_RANKS_H */
