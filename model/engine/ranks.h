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
 * Receives messages from other ranks; see Ranks. All ranks must create these objects in the same
 * order, because the order identifies an object's counterparts on other ranks.
 */
class MailReceiver
{
  public:
    MailReceiver();
    virtual ~MailReceiver();
    MailReceiver(const MailReceiver&) = delete;
    MailReceiver& operator=(const MailReceiver&) = delete;

    /// Called between windows; see WheelSimulatorImpl.
    /// @param bytes the bytes written to the buffer that Ranks::Post() returned
    virtual void TakeMail(const char* bytes, std::size_t size) = 0;

    /// @return the number of this object, which is the same on all ranks
    uint32_t GetNumber() const
    {
        return m_number;
    }

  private:
    uint32_t m_number; ///< see GetNumber()
};

/**
 * @ingroup lossless
 * The processes, started by `mpirun`, that jointly simulate one network. By default, there is one
 * process. Each process is called a rank.
 *
 * Each rank runs the same program with the same options and builds the whole network. It executes
 * all events that belong to no node and the events of its own nodes, whose Node::GetSystemId() is
 * the rank's number. A message to a node of another rank is delivered at the end of the window,
 * before it is due (see WheelSimulatorImpl). A rank also has the objects of other ranks' nodes,
 * which provide routes, names and settings, but it executes no events at those nodes.
 *
 * Call all functions from the simulation's thread. Collective functions must be called by all ranks
 * in the same order.
 */
class Ranks
{
  public:
    /// Joins the ranks started by `mpirun`, if any. Call this function before all others and before
    /// creating nodes.
    /// @return an error message on failure
    static std::optional<std::string> Join();

    /// @return whether the module was built with MPI and therefore supports several ranks
    static bool HasMpi();

    /// @return whether `mpirun` has started more than one process of this program
    static bool AreStarted();

    /// Compares a string that should be the same on all ranks. This is a collective function.
    /// @param text this rank's string
    /// @return the first rank whose string differs from that of rank 0, if any
    static std::optional<uint32_t> FindOther(const std::string& text);

    /// Sets whether the simulation is running. While it is running, a rank that exits terminates
    /// all ranks.
    static void SetRunning(bool isRunning);

    /// Allows all ranks to end normally from now on, regardless of their exit status. Before this
    /// call, a rank that exits with a non-zero status terminates all ranks.
    static void SetDone();

    /// @return the number of this process, starting at 0
    static uint32_t GetRank();

    /// @return the number of processes, at least 1
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

    /// @return whether this rank executes the node's events
    static bool IsOwn(const Node& node)
    {
        return GetRankOf(node) == GetRank();
    }

    /// Sends a message at the end of the window.
    /// @param rank the destination
    /// @param receiver the receiver's MailReceiver::GetNumber()
    /// @param due the tick of the first resulting event, which must not be before the end of the
    /// window
    /// @param size the size in bytes
    /// @return the buffer for the message, which the caller must fill immediately
    static char* Post(uint32_t rank, uint32_t receiver, uint64_t due, std::size_t size);

    /// @return the smallest `due` of this window's messages, or UINT64_MAX if there are none
    static uint64_t GetNextDue();

    /// Delivers the messages and exchanges values. This is a collective function.
    /// @param values the values of this rank; all ranks must pass the same number of values
    /// @return the values of all ranks, indexed by rank
    static std::vector<std::vector<uint64_t>> Exchange(const std::vector<uint64_t>& values);

    /// Exchanges bytes. This is a collective function.
    /// @return the bytes of all ranks, indexed by rank
    static std::vector<std::string> Gather(const std::string& bytes);

    /// Ends the run on all ranks. This function can be called from a signal handler.
    static void Interrupt(int signal);

    /// @return the signal passed to Interrupt() on this rank, or 0 if it has not been called
    static int GetInterruption();
};

/**
 * @ingroup lossless
 * Makes this process act as a given rank while the object exists; used by tests. If the size is
 * above 1, the process can neither simulate nor send messages.
 */
class AssumedRank
{
  public:
    /// @param rank the number of this process
    /// @param size the number of processes
    AssumedRank(uint32_t rank, uint32_t size);
    ~AssumedRank();
    AssumedRank(const AssumedRank&) = delete;
    AssumedRank& operator=(const AssumedRank&) = delete;

  private:
    uint32_t m_rank; ///< the rank to restore
    uint32_t m_size; ///< the size to restore
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RANKS_H */
