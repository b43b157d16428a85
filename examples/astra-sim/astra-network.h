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
 * @file A network of this module for ASTRA-sim; doc/astra-sim.rst describes how to build the two
 * together. ASTRA-sim's own ns-3 front end counts bytes in 32 bits and does not notify the receiver
 * of a message until the sender has received the last acknowledgement. Here, sizes are 64-bit
 * integers, and the receiver is notified when the last byte arrives.
 */

namespace ns3::lossless
{

/// A callback of ASTRA-sim.
struct AstraCall
{
    void (*function)(void*);
    void* argument;

    /// Schedules the call as a separate event, because the caller may be in the middle of an
    /// operation.
    void Schedule() const;
};

/// All NPUs of a run, and the messages between them.
class AstraNetwork
{
  public:
    /// @param fabric the network, which must outlive this object
    /// @param hosts the host index of each NPU; a host can have only one NPU
    /// @param priority the traffic class of all messages
    AstraNetwork(Fabric& fabric, const std::vector<uint32_t>& hosts, Priority priority);

    AstraNetwork(const AstraNetwork&) = delete;
    AstraNetwork& operator=(const AstraNetwork&) = delete;

    /// @return the network interface of an NPU, for AstraSim::Sys
    AstraSim::AstraNetworkAPI* GetRank(uint32_t npu) const;

    /// @return the number of NPUs
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    /// @return the number of NPUs that have not finished
    uint32_t CountUnfinished() const
    {
        return m_unfinished;
    }

    /// @return up to ten sentences that describe messages in flight and receives without matching
    /// data
    std::vector<std::string> DescribeOpen() const;

  private:
    friend class AstraRank;

    /// Tag, sender and receiver, which match messages to receives.
    using Key = std::tuple<int, uint32_t, uint32_t>;

    /// A message in flight.
    struct Message
    {
        Key key;
        uint64_t bytes;
        AstraCall sent; ///< called when all data has been acknowledged
    };

    /// A pending receive.
    struct Wanted
    {
        uint64_t bytes;     ///< number of bytes still missing
        AstraCall received; ///< called when the bytes have arrived
    };

    /// The data that one NPU sends to another with one tag. Sends and receives can differ in size.
    struct Stream
    {
        uint64_t arrived{0};       ///< number of arrived bytes that no receive has requested
        std::deque<Wanted> wanted; ///< pending receives, in order
    };

    /// @param key the tag and the two NPUs
    /// @param bytes the size of the message, at least 1
    /// @param sent called when the message has been acknowledged
    void Send(const Key& key, uint64_t bytes, const AstraCall& sent);
    /// @param key the tag and the two NPUs
    /// @param wanted the receive, of at least 1 byte
    void Receive(const Key& key, const Wanted& wanted);
    /// Assigns arrived bytes to receives.
    void Match(const Key& key);
    /// Called when an NPU has finished.
    void Finish(uint32_t npu);
    /// Stops the run when the last NPU has finished.
    void CountFinished(const NetworkTally::Counts& counts);
    /// @return the NPU; exits with an error if the number is invalid
    uint32_t Check(int npu) const;

    void NotifyReceived(const FlowRecord& record);
    void NotifyAcknowledged(const FlowRecord& record);

    Fabric& m_fabric;
    std::vector<uint32_t> m_hosts; ///< host index of each NPU
    Priority m_priority;           ///< class of all messages
    std::vector<std::unique_ptr<AstraSim::AstraNetworkAPI>>
        m_ranks;                                      ///< network interface of each NPU
    std::vector<uint64_t> m_sent;                     ///< number of messages sent so far, by NPU
    std::unordered_map<uint64_t, Message> m_messages; ///< messages in flight, by flow ID
    std::map<Key, Stream> m_streams;                  ///< streams that are not empty
    std::vector<bool> m_isFinished;                   ///< whether each NPU has finished
    uint32_t m_unfinished;
    Time m_lastFinish;       ///< time of the last finish
    NetworkTally m_finishes; ///< tally of the NPUs that have finished
};

} // namespace ns3::lossless

#endif /* ASTRA_NETWORK_H */
