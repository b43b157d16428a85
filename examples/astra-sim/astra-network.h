// SPDX-License-Identifier: GPL-2.0-only
#ifndef ASTRA_NETWORK_H
#define ASTRA_NETWORK_H

#include "ns3/flow-record.h"
#include "ns3/lossless-fabric.h"
#include "ns3/network-tally.h"
#include "ns3/nstime.h"

#include <astra-sim/common/AstraNetworkAPI.hh>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

/**
 * @file
 * A network of this module for ASTRA-sim: doc/astra-sim.rst says how both are built. ASTRA-sim's
 * own front end for ns-3 counts bytes in 32 bits, and tells a receiver of a message when its sender
 * has the last acknowledgement; here sizes have 64 bits, and a receiver knows at the last byte.
 */

namespace ns3::lossless
{

/// A function that ASTRA-sim wants to be called.
struct AstraCall
{
    void (*function)(void*); ///< what is called
    void* argument;          ///< with what

    /// Calls it, in an event of its own: the caller may be in the middle of something.
    void Schedule() const;
};

/// All NPUs of a run, and the messages between them.
class AstraNetwork
{
  public:
    /**
     * @param fabric the network, which must outlive this object
     * @param hosts by NPU: host index, each at most once
     * @param priority class of all messages
     */
    AstraNetwork(Fabric& fabric, const std::vector<uint32_t>& hosts, Priority priority);

    AstraNetwork(const AstraNetwork&) = delete;
    AstraNetwork& operator=(const AstraNetwork&) = delete;

    /// @param npu number of an NPU @return the network as it sees it, for AstraSim::Sys
    AstraSim::AstraNetworkAPI* GetRank(uint32_t npu) const;

    /// @return number of NPUs
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    /// @return NPUs that have not told that they are finished
    uint32_t CountUnfinished() const
    {
        return m_unfinished;
    }

    /// @return sentences on what is waited for, at most ten: messages under way, and bytes that
    /// NPUs want to receive and nobody has sent
    std::vector<std::string> DescribeOpen() const;

  private:
    friend class AstraRank;

    /// Tag, sender and receiver, by which messages are received.
    using Key = std::tuple<int, uint32_t, uint32_t>;

    /// A message under way.
    struct Message
    {
        Key key;        ///< whose it is
        uint64_t bytes; ///< of it
        AstraCall sent; ///< when the sender knows that all has arrived
    };

    /// Bytes that an NPU wants.
    struct Wanted
    {
        uint64_t bytes;     ///< that are still to come
        AstraCall received; ///< when they are there
    };

    /// What goes from one NPU to another with one tag: messages and wishes need not have the same
    /// sizes.
    struct Stream
    {
        uint64_t arrived{0};       ///< bytes that nobody has wanted so far
        std::deque<Wanted> wanted; ///< in order
    };

    /// @param key whose message @param bytes of it, at least 1 @param sent see Message
    void Send(const Key& key, uint64_t bytes, const AstraCall& sent);
    /// @param key whose message @param wanted bytes, at least 1
    void Receive(const Key& key, const Wanted& wanted);
    /// Gives what has arrived to those who want it. @param key of the stream
    void Match(const Key& key);
    /// An NPU is finished. @param npu its number
    void Finish(uint32_t npu);
    /// The last NPU that is finished ends the run. @param counts those that are
    void CountFinished(const NetworkTally::Counts& counts);
    /// @param npu number of an NPU, of a message @return the same; another stops the program
    uint32_t Check(int npu) const;

    /// @param record a flow whose last byte has arrived
    void NotifyReceived(const FlowRecord& record);
    /// @param record a flow that was acknowledged
    void NotifyAcknowledged(const FlowRecord& record);

    Fabric& m_fabric;                                                ///< the network
    std::vector<uint32_t> m_hosts;                                   ///< by NPU
    Priority m_priority;                                             ///< of all messages
    std::vector<std::unique_ptr<AstraSim::AstraNetworkAPI>> m_ranks; ///< by NPU
    std::vector<uint64_t> m_sent;                                    ///< messages so far, by NPU
    std::unordered_map<uint64_t, Message> m_messages;                ///< under way, by id
    std::map<Key, Stream> m_streams;                                 ///< not empty
    std::vector<bool> m_isFinished;                                  ///< by NPU
    uint32_t m_unfinished;                                           ///< see CountUnfinished()
    Time m_lastFinish;                                               ///< of those that are
    NetworkTally m_finishes;                                         ///< of NPUs
};

} // namespace ns3::lossless

#endif /* ASTRA_NETWORK_H */
