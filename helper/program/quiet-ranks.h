// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUIET_RANKS_H
#define LOSSLESS_QUIET_RANKS_H

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Keeps the ranks of a run (see Ranks) from saying the same thing each. Outside the simulation all
 * do the same, and rank 0 speaks for them; in it a rank that cannot go on speaks for itself.
 */
class QuietRanks
{
  public:
    /// From now on standard output and standard error of all ranks but the first lead nowhere.
    static void Begin();

    /// Standard error is what it was again.
    static void End();

    /// For a program that cannot go on: has a quiet rank wait until the first one has said why,
    /// and mpirun ends them all; two seconds at most.
    static void AwaitFirst();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUIET_RANKS_H */
