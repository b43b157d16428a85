// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANKS_H
#define LOSSLESS_RANKS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Takes what is sent to it on another rank, see Ranks. All ranks make their objects of this kind in
 * the same order, by which one finds its counterpart.
 */
class MailReceiver
{
  public:
    MailReceiver();
    virtual ~MailReceiver();
    MailReceiver(const MailReceiver&) = delete;
    MailReceiver& operator=(const MailReceiver&) = delete;

    /// Called between windows, see WheelSimulatorImpl.
    /// @param bytes as they were written to Ranks::Post() @param size their number
    virtual void TakeMail(const char* bytes, std::size_t size) = 0;

    /// @return number of this object, the same on all ranks
    uint32_t GetNumber() const
    {
        return m_number;
    }

  private:
    uint32_t m_number; ///< see GetNumber()
};

/**
 * @ingroup lossless
 * The processes that simulate one network together, started by `mpirun`; usually there is one.
 *
 * Each rank runs the same program with the same options and builds the whole network. It executes
 * the events of its own nodes, those whose Node::GetSystemId() is its number, and all events
 * without a node. What a node sends to one of another rank is posted, and arrives there at the end
 * of the window, before it is due (see WheelSimulatorImpl). So the objects of foreign nodes are
 * there, for routes, names and settings, but nothing ever happens at them.
 *
 * All functions are for the thread of the simulation. Those called collective have to be called by
 * all ranks, in the same order.
 */
class Ranks
{
  public:
    /// Joins the ranks that `mpirun` has started, if it has; before all other functions, and before
    /// nodes are made. @return why it is not possible
    static std::optional<std::string> Join();

    /// @return whether the module was built with MPI, so that there may be several
    static bool HasMpi();

    /// @return whether `mpirun` has started this program several times
    static bool AreStarted();

    /**
     * Compares what all ranks should have alike; collective.
     * @param text of this rank
     * @return number of the first rank that has another text than rank 0; nothing: there is none
     */
    static std::optional<uint32_t> FindOther(const std::string& text);

    /// The simulation begins or has ended. A rank that exits while it runs ends all of them.
    /// @param isRunning it begins
    static void SetRunning(bool isRunning);

    /// All ranks end in order now, whatever their exit status; a rank that exits with another
    /// status than 0 before ends all of them.
    static void SetDone();

    /// @return number of this process among them, from 0 on
    static uint32_t GetRank();

    /// @return how many there are, at least 1
    static uint32_t GetSize();

    /// @return whether there are others
    static bool AreSeveral()
    {
        return GetSize() > 1;
    }

    /// @return whether this is the one that writes results and speaks to the user
    static bool IsFirst()
    {
        return GetRank() == 0;
    }

    /// @param node a node @return number of the process that executes its events
    static uint32_t GetRankOf(const Node& node);

    /// @param node a node @return whether its events are executed here
    static bool IsOwn(const Node& node)
    {
        return GetRankOf(node) == GetRank();
    }

    /**
     * Sends something at the end of the window.
     * @param rank to which @param receiver its number there @param due tick of the first event
     * that comes of it, not before the end of the window @param size number of bytes
     * @return where to write them, at once
     */
    static char* Post(uint32_t rank, uint32_t receiver, uint64_t due, std::size_t size);

    /// @return the least `due` of what was posted in this window; UINT64_MAX: nothing
    static uint64_t GetNextDue();

    /**
     * Delivers what was posted; collective.
     * @param values numbers of this rank, as many as all others give
     * @return those of all ranks, by rank
     */
    static std::vector<std::vector<uint64_t>> Exchange(const std::vector<uint64_t>& values);

    /// Collective. @param bytes of this rank @return those of all ranks, by rank
    static std::vector<std::string> Gather(const std::string& bytes);

    /// The run is to end on all ranks; may be called by the handler of a signal.
    /// @param signal its number
    static void Interrupt(int signal);

    /// @return the signal that Interrupt() was called with on this rank; 0: it was not
    static int GetInterruption();
};

/**
 * @ingroup lossless
 * For tests: while it exists, this process takes itself for another rank than it is. As the only
 * one it may simulate; as one of several it may not, nor send anything to the others.
 */
class AssumedRank
{
  public:
    /// @param rank number of this process @param size how many there are
    AssumedRank(uint32_t rank, uint32_t size);
    ~AssumedRank();
    AssumedRank(const AssumedRank&) = delete;
    AssumedRank& operator=(const AssumedRank&) = delete;

  private:
    uint32_t m_rank; ///< what it was before
    uint32_t m_size; ///< likewise
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RANKS_H */
