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

/// What a receiving NIC keeps of a flow that has arrived, to answer what its sender sends again.
struct CompletedFlow
{
    uint32_t endPsn{0};    ///< sequence number behind that of the last packet, modulo 2^24
    bool wantsCnps{false}; ///< the sender wants congestion notifications
    Time quietUntil;       ///< no notification before
    Time keptUntil;        ///< not forgotten before
};

/**
 * @ingroup lossless
 * The flows that a NIC has received, for the time in which their last ACK may prove lost: the state
 * TIME-WAIT of TCP.
 *
 * What is over is forgotten in the order in which the flows were completed, when a further one is:
 * that costs no event.
 */
class CompletedFlows
{
  public:
    /// @param key key of the receiving end @param flow what to keep of it @param now the time
    void Add(uint64_t key, const CompletedFlow& flow, Time now)
    {
        while (!m_order.IsEmpty() && IsOver(m_order.Front(), now))
        {
            m_flows.erase(m_order.Pop());
        }
        m_flows[key] = flow;
        m_order.Push(key);
    }

    /// @param key a key from a packet @return the latest flow with it, or null
    CompletedFlow* Find(uint64_t key)
    {
        const auto found = m_flows.find(key);
        return found == m_flows.end() ? nullptr : &found->second;
    }

    /// @return flows which are kept
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
    /// @param key a key @param now the time @return whether no flow with it need be kept any more
    bool IsOver(uint64_t key, Time now) const
    {
        const auto found = m_flows.find(key);
        return found == m_flows.end() || found->second.keptUntil <= now;
    }

    std::unordered_map<uint64_t, CompletedFlow> m_flows; ///< by key of the receiving end
    RingBuffer<uint64_t> m_order;                        ///< their keys, as they were completed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_COMPLETED_FLOWS_H */
