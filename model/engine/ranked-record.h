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
 * A record of a run of which each rank has seen only its part (see Ranks).
 *
 * A rank records what happens at its own nodes. After the run, GatherAll() exchanges the parts, so
 * that each rank knows what a single one would. All ranks create and destroy these objects in the
 * same order, by which an object finds its counterparts.
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

    /// Writes what this rank has recorded at its own nodes only, before any Merge().
    virtual void Save(std::ostream& os) const = 0;

    /// Adds what was recorded elsewhere. Called once for each other rank, in order of ranks.
    /// @param is output of Save() on that rank
    virtual void Merge(std::istream& is, uint32_t rank) = 0;

    /// Exchanges the records of all ranks; collective, between runs. No effect with a single rank.
    /// A second call would add the same again, so it stops the program.
    static void GatherAll();

  private:
    bool m_isGathered{false}; ///< exchanged with the other ranks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RANKED_RECORD_H */
