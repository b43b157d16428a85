// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COMPLETED_FLOWS_H
#define LOSSLESS_COMPLETED_FLOWS_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/ring-buffer.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3::lossless
{

/// The state of a completed flow that a receiving NIC needs in order to answer retransmissions.
struct CompletedFlow
{
    uint32_t endPsn{0};    ///< the PSN that follows that of the last packet, modulo 2^24
    bool wantsCnps{false}; ///< whether the sender needs congestion notifications
    Time quietUntil;       ///< the earliest time of the next notification
    Time keptUntil;        ///< the earliest time at which the flow can be removed
};

/// @ingroup lossless
/// The flows that a NIC has received completely. Like connections in TCP's TIME-WAIT state, they
/// are kept for a while in case the last ACK has been lost. Expired flows are removed in order when
/// another flow is added, so no simulator event is needed.
class CompletedFlows
{
  public:
    /// Adds a flow with the key of its receiving end.
    void Add(uint64_t key, const CompletedFlow& flow, Time now)
    {
        while (!m_order.IsEmpty() && IsOver(m_order.Front(), now))
        {
            m_flows.erase(m_order.Pop());
        }
        m_flows[key] = flow;
        m_order.Push(key);
    }

    /// Removes a flow for which no more packets can arrive.
    /// @param key the key of the flow, which may be unknown
    void Forget(uint64_t key)
    {
        m_flows.erase(key); // Add() later removes the key from m_order
    }

    /// Returns the latest flow with the given key, or null.
    CompletedFlow* Find(uint64_t key)
    {
        const auto found = m_flows.find(key);
        return found == m_flows.end() ? nullptr : &found->second;
    }

    /// Returns the number of flows.
    std::size_t GetSize() const
    {
        return m_flows.size();
    }

    /// Removes all flows.
    void Clear()
    {
        m_flows.clear();
        m_order.Clear();
    }

  private:
    /// Returns whether all flows with this key have expired.
    bool IsOver(uint64_t key, Time now) const
    {
        const auto found = m_flows.find(key);
        return found == m_flows.end() || found->second.keptUntil <= now;
    }

    std::unordered_map<uint64_t, CompletedFlow> m_flows; ///< the flows, by key of the receiving end
    RingBuffer<uint64_t> m_order;                        ///< the keys, in order of completion
};

} // namespace ns3::lossless

#endif /* LOSSLESS_COMPLETED_FLOWS_H */
