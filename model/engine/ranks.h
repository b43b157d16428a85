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
 * Receives what another rank sends to it, see Ranks. All ranks create these objects in the same
 * order, by which an object finds its counterpart.
 */
class MailReceiver
{
  public:
    MailReceiver();
    virtual ~MailReceiver();
    MailReceiver(const MailReceiver&) = delete;
    MailReceiver& operator=(const MailReceiver&) = delete;

    /// Called between windows, see WheelSimulatorImpl. @param bytes as written to Ranks::Post()
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
 * without a node. What a node sends to a node of another rank is posted, and arrives there at the
 * end of the window, before it is due (see WheelSimulatorImpl). Objects of foreign nodes thus
 * exist, for routes, names and settings, but nothing happens at them.
 *
 * All functions are for the simulation's thread. Collective functions must be called by all ranks
 * in the same order.
 */
class Ranks
{
  public:
    /// Joins the ranks started by `mpirun`, if any. To be called before all other functions and
    /// before nodes are created.
    /// @return an error message on failure
    static std::optional<std::string> Join();

    /// @return whether the module was built with MPI and supports several ranks
    static bool HasMpi();

    /// @return whether `mpirun` has started several processes of this program
    static bool AreStarted();

    /// Compares what should be the same on all ranks; collective.
    /// @param text of this rank
    /// @return the first rank whose text differs from rank 0's, if any
    static std::optional<uint32_t> FindOther(const std::string& text);

    /// To be called when the simulation begins and ends. A rank that exits in between ends all
    /// ranks.
    static void SetRunning(bool isRunning);

    /// From now on all ranks end regularly, whatever their exit status. Before, a rank that exits
    /// with a non-zero status ends all ranks.
    static void SetDone();

    /// @return number of this process, from 0
    static uint32_t GetRank();

    /// @return number of processes, at least 1
    static uint32_t GetSize();

    /// @return whether there are other ranks
    static bool AreSeveral()
    {
        return GetSize() > 1;
    }

    /// @return whether this rank writes results and messages
    static bool IsFirst()
    {
        return GetRank() == 0;
    }

    /// @return the rank that executes the node's events
    static uint32_t GetRankOf(const Node& node);

    /// @return whether the node's events are executed here
    static bool IsOwn(const Node& node)
    {
        return GetRankOf(node) == GetRank();
    }

    /// Sends something at the end of the window.
    /// @param rank destination
    /// @param receiver MailReceiver::GetNumber() there
    /// @param due tick of the first resulting event, not before the end of the window
    /// @param size in bytes
    /// @return where to write the bytes, at once
    static char* Post(uint32_t rank, uint32_t receiver, uint64_t due, std::size_t size);

    /// @return the smallest `due` of all posts of this window; UINT64_MAX if none
    static uint64_t GetNextDue();

    /// Delivers what was posted; collective.
    /// @param values of this rank, the same number on all ranks
    /// @return the values by rank
    static std::vector<std::vector<uint64_t>> Exchange(const std::vector<uint64_t>& values);

    /// Collective. @return the bytes of all ranks, by rank
    static std::vector<std::string> Gather(const std::string& bytes);

    /// Makes the run end on all ranks; may be called by a signal handler.
    static void Interrupt(int signal);

    /// @return the signal passed to Interrupt() on this rank; 0 if none
    static int GetInterruption();
};

/**
 * @ingroup lossless
 * For tests: while it exists, this process acts as the given rank. As a single rank it may
 * simulate; as one of several it may neither simulate nor send anything.
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
    uint32_t m_rank; ///< to be restored
    uint32_t m_size; ///< to be restored
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RANKS_H */
