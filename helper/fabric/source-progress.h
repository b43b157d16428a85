// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SOURCE_PROGRESS_H
#define LOSSLESS_SOURCE_PROGRESS_H

#include "ns3/flow-source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace ns3::lossless
{

/**
 * Tracks the progress of the flows of a FlowSource. Only the next flow to start and the flows under
 * way are kept in memory.
 */
class SourceProgress
{
  public:
    /// @param source the source of the flows
    explicit SourceProgress(std::shared_ptr<const FlowSource> source);

    /// @return the source
    const FlowSource& GetSource() const
    {
        return *m_source;
    }

    /// @return the next flow, or null after the last one; the pointer is valid until Advance() is
    /// called
    const FlowSpec* GetNext() const
    {
        return m_next ? &*m_next : nullptr;
    }

    /// Records that the next flow is under way. Aborts if the flows are not sorted by start time.
    void Advance();

    /// Removes a fully acknowledged flow from memory.
    /// @param id the ID of the flow, which may be unknown
    /// @return the host index of its receiver, or nothing if the flow is not under way
    std::optional<uint32_t> Forget(uint64_t id);

    /// @return the label of a flow under way, or null if there is no such flow. Equal labels have
    /// the same address.
    const std::string* FindGroup(uint64_t id) const;

    /// @return the number of flows under way
    std::size_t CountLive() const
    {
        return m_live.size();
    }

    /// @return the maximum number of flows that were under way at once
    std::size_t GetMostLive() const
    {
        return m_mostLive;
    }

  private:
    /// A flow under way.
    struct Live
    {
        const std::string* group{nullptr}; ///< label, in m_groups
        uint32_t destination{0};           ///< host index of the receiver
    };

    std::shared_ptr<const FlowSource> m_source;
    std::unique_ptr<FlowReader> m_reader;
    std::optional<FlowSpec> m_next;            ///< see GetNext()
    std::set<std::string> m_groups;            ///< labels used so far
    std::unordered_map<uint64_t, Live> m_live; ///< flows under way, by ID
    std::size_t m_mostLive{0};                 ///< see GetMostLive()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SOURCE_PROGRESS_H */
