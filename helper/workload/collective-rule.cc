// SPDX-License-Identifier: GPL-2.0-only
#include "collective-rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::lossless
{

namespace
{

/// @return the number of bytes from each sender, by receiver
std::vector<uint64_t>
GetBlocks(const CollectiveOptions& options, uint32_t ranks, uint64_t bytes)
{
    const double skew = options.kind == CollectiveKind::ALL_TO_ALL_V ? options.skew : 0;
    std::vector<double> weights(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        weights[rank] = std::pow(rank + 1, -skew);
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<uint64_t> blocks;
    uint64_t left = bytes;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const auto share = static_cast<uint64_t>(static_cast<double>(bytes) * weights[rank] / sum);
        const uint64_t most = left - (ranks - 1 - rank); // leaves a byte for each remaining rank
        blocks.push_back(std::clamp<uint64_t>(share, 1, most));
        left -= blocks.back();
    }
    // After rounding down, fewer bytes than ranks are left to distribute.
    for (uint32_t rank = 0; left > 0; ++rank, --left)
    {
        ++blocks[rank];
    }
    return blocks;
}

} // namespace

uint64_t
GetShare(uint64_t bytes, uint64_t parts, uint64_t part)
{
    return bytes / parts + (part < bytes % parts ? 1 : 0);
}

bool
CollectiveRule::Covers(const CollectiveOptions& options)
{
    return options.algorithm == CollectiveAlgorithm::RING ||
           options.algorithm == CollectiveAlgorithm::BIDIRECTIONAL_RING ||
           ((options.kind == CollectiveKind::ALL_TO_ALL ||
             options.kind == CollectiveKind::ALL_TO_ALL_V) &&
            options.algorithm != CollectiveAlgorithm::PXN);
}

CollectiveRule::CollectiveRule(const CollectiveOptions& options, uint32_t ranks)
    : m_options(options),
      m_ranks(ranks),
      m_rings(options.algorithm == CollectiveAlgorithm::RING                 ? 1
              : options.algorithm == CollectiveAlgorithm::BIDIRECTIONAL_RING ? 2
                                                                             : 0),
      m_stages(options.algorithm == CollectiveAlgorithm::DIRECT ? 1
               : options.kind == CollectiveKind::ALL_REDUCE     ? 2 * (ranks - 1)
                                                                : ranks - 1)
{
    for (std::size_t size = 0; size < m_blocks.size() && m_rings == 0; ++size)
    {
        const uint64_t larger = options.bytes % options.chunks == 0 ? 0 : 1 - size;
        m_blocks[size] = GetBlocks(options, ranks, options.bytes / options.chunks + larger);
    }
}

uint64_t
CollectiveRule::CountFlows() const
{
    const uint64_t messages =
        m_rings == 0 ? uint64_t{m_ranks} * (m_ranks - 1) : uint64_t{m_stages} * m_rings * m_ranks;
    return messages * m_options.chunks;
}

uint32_t
CollectiveRule::CountStages() const
{
    return m_stages;
}

uint32_t
CollectiveRule::GetFirst(uint32_t stage) const
{
    return stage * std::max(m_rings, uint32_t{1}) * m_ranks * m_options.chunks;
}

uint32_t
CollectiveRule::CountArriving() const
{
    return (m_rings == 0 ? m_ranks - 1 : m_stages * m_rings) * m_options.chunks;
}

CollectiveRule::RingPlace
CollectiveRule::GetRingPlace(uint32_t message) const
{
    const uint32_t row = message / m_ranks;
    return {row / m_rings, row % m_rings, message % m_ranks};
}

uint32_t
CollectiveRule::GetMessage(const RingPlace& place) const
{
    return (place.stage * m_rings + place.ring) * m_ranks + place.place;
}

uint32_t
CollectiveRule::GetRank(uint32_t ring, uint32_t place) const
{
    return ring == 0 ? place : m_ranks - 1 - place;
}

CollectiveRule::Flow
CollectiveRule::GetRingFlow(uint32_t message, uint32_t part) const
{
    const auto [stage, ring, place] = GetRingPlace(message);
    const uint32_t block = (place + (m_ranks - stage % m_ranks)) % m_ranks;
    const uint64_t all = GetShare(m_options.bytes, m_options.chunks, part);
    const uint64_t half = ring == 0 ? all - all / 2 : all / 2;
    return {GetRank(ring, place),
            GetRank(ring, (place + 1) % m_ranks),
            stage,
            GetShare(m_rings == 1 ? all : half, m_ranks, block)};
}

CollectiveRule::Flow
CollectiveRule::GetPairFlow(uint32_t message, uint32_t part) const
{
    const uint32_t row = message / m_ranks; // distance to the receiver, minus one
    const uint32_t from = message % m_ranks;
    const uint32_t to = (from + row + 1) % m_ranks;
    const bool isLarger = part < m_options.bytes % m_options.chunks;
    return {from, to, m_stages == 1 ? 0 : row, m_blocks[isLarger ? 0 : 1][to]};
}

CollectiveRule::Flow
CollectiveRule::GetFlow(uint32_t number) const
{
    const uint32_t message = number / m_options.chunks;
    const uint32_t part = number % m_options.chunks;
    return m_rings > 0 ? GetRingFlow(message, part) : GetPairFlow(message, part);
}

template <typename Add>
void
CollectiveRule::AddBefore(uint32_t message, Add add) const
{
    const uint32_t rank = message % m_ranks;
    const uint32_t row = message / m_ranks;
    if (m_rings > 0)
    {
        const auto [stage, ring, place] = GetRingPlace(message);
        if (stage > 0)
        {
            add(GetMessage({stage - 1, ring, (place + m_ranks - 1) % m_ranks}),
                FlowGraph::Until::RECEIVED);
        }
    }
    else if (m_options.algorithm == CollectiveAlgorithm::STAGED && row > 0)
    {
        const uint32_t before = (row - 1) * m_ranks;
        add(before + rank, FlowGraph::Until::SENT);
        add(before + (rank + m_ranks - row) % m_ranks, FlowGraph::Until::RECEIVED);
    }
}

template <typename Add>
void
CollectiveRule::AddAfter(uint32_t message, Add add) const
{
    const uint32_t rank = message % m_ranks;
    const uint32_t row = message / m_ranks;
    if (m_rings > 0)
    {
        const auto [stage, ring, place] = GetRingPlace(message);
        if (stage + 1 < m_stages)
        {
            add(GetMessage({stage + 1, ring, (place + 1) % m_ranks}), FlowGraph::Until::RECEIVED);
        }
    }
    else if (m_options.algorithm == CollectiveAlgorithm::STAGED && row + 1 < m_stages)
    {
        const uint32_t next = (row + 1) * m_ranks;
        add(next + rank, FlowGraph::Until::SENT);
        add(next + (rank + row + 1) % m_ranks, FlowGraph::Until::RECEIVED);
    }
}

CollectiveRule::Links
CollectiveRule::GetPredecessors(uint32_t number) const
{
    const uint32_t chunks = m_options.chunks;
    const uint32_t part = number % chunks;
    Links links;
    AddBefore(number / chunks, [&](uint32_t message, FlowGraph::Until until) {
        links.push_back({message * chunks + part, until});
    });
    if (part >= PARTS_UNDER_WAY)
    {
        links.push_back({number - PARTS_UNDER_WAY, FlowGraph::Until::SENT});
    }
    if (part > 0) // the host computes for one part at a time
    {
        links.push_back({number - 1, FlowGraph::Until::STARTED});
    }
    return links;
}

CollectiveRule::Links
CollectiveRule::GetSuccessors(uint32_t number) const
{
    const uint32_t chunks = m_options.chunks;
    const uint32_t part = number % chunks;
    Links links;
    AddAfter(number / chunks, [&](uint32_t message, FlowGraph::Until until) {
        links.push_back({message * chunks + part, until});
    });
    if (part + PARTS_UNDER_WAY < chunks)
    {
        links.push_back({number + PARTS_UNDER_WAY, FlowGraph::Until::SENT});
    }
    if (part + 1 < chunks)
    {
        links.push_back({number + 1, FlowGraph::Until::STARTED});
    }
    return links;
}

void
CollectiveRule::VisitFirst(uint32_t rank, const std::function<void(uint32_t)>& visit) const
{
    const uint32_t rows = m_rings > 0 ? m_rings : m_ranks - 1;
    for (uint32_t row = 0; row < (m_rings == 0 && m_stages > 1 ? 1 : rows); ++row)
    {
        const uint32_t place = m_rings == 0 ? rank : GetRank(row, rank);
        visit((row * m_ranks + place) * m_options.chunks);
    }
}

} // namespace ns3::lossless
