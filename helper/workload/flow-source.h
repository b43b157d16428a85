// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_SOURCE_H
#define LOSSLESS_FLOW_SOURCE_H

#include "flow-list.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ns3::lossless
{

/// Sums over all flows of a FlowSource.
struct FlowTotals
{
    /// Sums over the flows of one label and one class.
    struct Sums
    {
        uint64_t flows{0}; ///< number of flows
        uint64_t bytes{0}; ///< total payload
    };

    uint64_t flows{0}; ///< number of flows
    Time first;        ///< start of the first flow, or 0 if there are none
    Time last;         ///< start of the last flow, or 0 if there are none
    std::map<std::pair<std::string, uint8_t>, Sums> groups; ///< sums by label and class
};

/// Reads flows, such as those of a FlowSource, one by one.
class FlowReader
{
  public:
    virtual ~FlowReader() = default;

    /// @return the next flow, or nothing after the last one
    virtual std::optional<FlowSpec> Next() = 0;
};

/**
 * @ingroup lossless
 * A source of flows, which are sorted by start and numbered from 0. The flows are not stored. They
 * can be read several times and are the same each time.
 */
class FlowSource
{
  public:
    virtual ~FlowSource() = default;

    /// @return a reader of all flows, from the first one onwards
    virtual std::unique_ptr<FlowReader> Open() const = 0;

    /// Calls a function for each flow.
    void Visit(const std::function<void(const FlowSpec&)>& visit) const;
    /// @return sums over all flows; the first call reads all of them
    const FlowTotals& GetTotals() const;
    /// @return all flows
    FlowList MakeList() const;

  private:
    mutable std::optional<FlowTotals> m_totals; ///< not set until computed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_SOURCE_H */
