// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANKED_RECORD_H
#define LOSSLESS_RANKED_RECORD_H

#include <cstdint>
#include <istream>
#include <ostream>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Something that was recorded of a run, of which each rank has seen its part (see Ranks).
 *
 * A rank records what happens at its own nodes. After the run GatherAll() tells the others, so that
 * each rank knows what a single one would know. All ranks make and destroy their objects of this
 * kind in the same order, by which one finds its counterparts.
 *
 * record-archive.h helps to write both functions.
 */
class RankedRecord
{
  public:
    RankedRecord();
    virtual ~RankedRecord();
    RankedRecord(const RankedRecord&) = delete;
    RankedRecord& operator=(const RankedRecord&) = delete;

    /// Writes what was recorded on this rank: of its own nodes, and of no others.
    /// @param os where to; of the state before any Merge()
    virtual void Save(std::ostream& os) const = 0;

    /// Adds what was recorded elsewhere. Called once for each other rank, in the order of ranks;
    /// the own one is passed over. @param is what Save() has written there @param rank number of it
    virtual void Merge(std::istream& is, uint32_t rank) = 0;

    /**
     * Each rank tells all others; collective, between runs. Void where there is one rank.
     *
     * A record is gathered once, since it would add the same again: a second time stops the
     * program.
     */
    static void GatherAll();

  private:
    bool m_isGathered{false}; ///< other ranks have told theirs
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RANKED_RECORD_H */
