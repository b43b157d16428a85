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

/// What a receiving NIC remembers of a completed flow to answer retransmissions.
struct CompletedFlow
{
    uint32_t endPsn{0};    ///< sequence number after that of the last packet, modulo 2^24
    bool wantsCnps{false}; ///< the sender wants congestion notifications
    Time quietUntil;       ///< no notification before
    Time keptUntil;        ///< not forgotten before
};

/// @ingroup lossless
/// The flows that a NIC has received, kept as long as their last ACK may prove lost: TCP's state
/// TIME-WAIT. Expired ones are removed in order when another is added, without an event.
class CompletedFlows
{
  public:
    /// Adds a flow under the key of its receiving end.
    void Add(uint64_t key, const CompletedFlow& flow, Time now)
    {
        while (!m_order.IsEmpty() && IsOver(m_order.Front(), now))
        {
            m_flows.erase(m_order.Pop());
        }
        m_flows[key] = flow;
        m_order.Push(key);
    }

    /// Forgets a flow of which no packet can still arrive. @param key may be unknown
    void Forget(uint64_t key)
    {
        m_flows.erase(key); // Add() removes it from the order
    }

    /// Returns the latest flow with a key, or null.
    CompletedFlow* Find(uint64_t key)
    {
        const auto found = m_flows.find(key);
        return found == m_flows.end() ? nullptr : &found->second;
    }

    /// Number of flows kept.
    std::size_t GetSize() const
    {
        return m_flows.size();
    }

    /// Forgets all flows.
    void Clear()
    {
        m_flows.clear();
        m_order.Clear();
    }

  private:
    /// Whether no flow with this key need be kept any longer.
    bool IsOver(uint64_t key, Time now) const
    {
        const auto found = m_flows.find(key);
        return found == m_flows.end() || found->second.keptUntil <= now;
    }

    std::unordered_map<uint64_t, CompletedFlow> m_flows; ///< by key of the receiving end
    RingBuffer<uint64_t> m_order;                        ///< their keys, in order of completion
};

} // namespace ns3::lossless

#endif /* LOSSLESS_COMPLETED_FLOWS_H */
