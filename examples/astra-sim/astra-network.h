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
 * A network of this module for ASTRA-sim; doc/astra-sim.rst describes how to build both.
 * ASTRA-sim's own front end for ns-3 counts bytes in 32 bits, and notifies the receiver of a
 * message when its sender has the last acknowledgement; here sizes have 64 bits, and a receiver is
 * notified of the last byte.
 */

namespace ns3::lossless
{

/// A callback of ASTRA-sim.
struct AstraCall
{
    void (*function)(void*);
    void* argument;

    /// Calls it in an event of its own: the caller may be in the middle of something.
    void Schedule() const;
};

/// All NPUs of a run, and the messages between them.
class AstraNetwork
{
  public:
    /// @param fabric must outlive this object
    /// @param hosts host index by NPU, each at most once
    /// @param priority class of all messages
    AstraNetwork(Fabric& fabric, const std::vector<uint32_t>& hosts, Priority priority);

    AstraNetwork(const AstraNetwork&) = delete;
    AstraNetwork& operator=(const AstraNetwork&) = delete;

    /// @return network of an NPU, for AstraSim::Sys
    AstraSim::AstraNetworkAPI* GetRank(uint32_t npu) const;

    /// @return number of NPUs
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    /// @return NPUs that have not finished
    uint32_t CountUnfinished() const
    {
        return m_unfinished;
    }

    /// @return at most ten sentences on messages in flight, and on bytes that NPUs want to receive
    /// but no NPU has sent
    std::vector<std::string> DescribeOpen() const;

  private:
    friend class AstraRank;

    /// Tag, sender and receiver, by which messages are received.
    using Key = std::tuple<int, uint32_t, uint32_t>;

    /// A message in flight.
    struct Message
    {
        Key key;
        uint64_t bytes;
        AstraCall sent; ///< when all data has been acknowledged
    };

    /// Bytes that an NPU wants to receive.
    struct Wanted
    {
        uint64_t bytes;     ///< still missing
        AstraCall received; ///< when they have arrived
    };

    /// All data from one NPU to another with one tag: messages and receives need not have the same
    /// sizes.
    struct Stream
    {
        uint64_t arrived{0};       ///< bytes not yet wanted
        std::deque<Wanted> wanted; ///< in order
    };

    /// @param bytes at least 1
    void Send(const Key& key, uint64_t bytes, const AstraCall& sent);
    /// @param wanted at least 1 byte
    void Receive(const Key& key, const Wanted& wanted);
    /// Assigns arrived bytes to receives.
    void Match(const Key& key);
    /// An NPU has finished.
    void Finish(uint32_t npu);
    /// Ends the run with the last NPU.
    void CountFinished(const NetworkTally::Counts& counts);
    /// @return the NPU; an invalid number stops the program
    uint32_t Check(int npu) const;

    void NotifyReceived(const FlowRecord& record);
    void NotifyAcknowledged(const FlowRecord& record);

    Fabric& m_fabric;
    std::vector<uint32_t> m_hosts;                                   ///< by NPU
    Priority m_priority;                                             ///< of all messages
    std::vector<std::unique_ptr<AstraSim::AstraNetworkAPI>> m_ranks; ///< by NPU
    std::vector<uint64_t> m_sent;                                    ///< number of messages so far,
                                                                     ///< by NPU
    std::unordered_map<uint64_t, Message> m_messages;                ///< in flight, by id
    std::map<Key, Stream> m_streams;                                 ///< not empty
    std::vector<bool> m_isFinished;                                  ///< by NPU
    uint32_t m_unfinished;
    Time m_lastFinish;       ///< latest
    NetworkTally m_finishes; ///< of NPUs
};

} // namespace ns3::lossless

#endif /* ASTRA_NETWORK_H */
