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
 * A record whose parts are distributed among the ranks of a run (see Ranks).
 *
 * Each rank records the events at its own nodes. After the run, GatherAll() exchanges these parts.
 * Each rank then has the record that a run with a single rank would produce. All ranks must create
 * and destroy these objects in the same order, because the order identifies an object's
 * counterparts on other ranks.
 *
 * record-archive.h provides functions for implementing Save() and Merge().
 */
class RankedRecord
{
  public:
    RankedRecord();
    virtual ~RankedRecord();
    RankedRecord(const RankedRecord&) = delete;
    RankedRecord& operator=(const RankedRecord&) = delete;

    /// Writes the record of this rank's own nodes. Called before the first call to Merge().
    virtual void Save(std::ostream& os) const = 0;

    /// Adds the record of another rank. Called once for each other rank, in rank order.
    /// @param is the output of Save() on that rank
    virtual void Merge(std::istream& is, uint32_t rank) = 0;

    /// Exchanges the records of all ranks. This is a collective function; call it after the run. It
    /// has no effect with a single rank. A second call would add the same records again and
    /// therefore stops the program.
    static void GatherAll();

  private:
    bool m_isGathered{false}; ///< whether the record has been exchanged with the other ranks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RANKED_RECORD_H */
