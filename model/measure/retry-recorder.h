// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RETRY_RECORDER_H
#define LOSSLESS_RETRY_RECORDER_H

#include "ns3/link-retry.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Writes the link-layer retry counters (see LinkRetry) of all ports to llr.csv. Counters that SAI
 * defines have SAI's names. The file exists only if a link has a LinkRetry.
 */
class RetryRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    std::vector<NamedTable> GetTables() const override;

    /// @return one row for each end of a link with a LinkRetry, in the order of the cables
    ResultTable GetTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// One end of a link.
    struct Port
    {
        std::pair<uint32_t, std::size_t> place; ///< the ID of the cable and the index of its end
        std::string node;                       ///< the name of the node
        uint32_t number;                        ///< the port number
        uint32_t rank;                          ///< the rank of the node
        Ptr<LinkRetry> retry;                   ///< the source of the counters, on the rank of the
                                                ///< node
        LinkRetry::Counts counts;               ///< the counters of a port on another rank
    };

    /// Adds those ports of a node that have a LinkRetry.
    void Watch(const std::string& name, Ptr<Node> node);
    static const LinkRetry::Counts& GetCounts(const Port& port);

    std::vector<Port> m_ports; ///< the ports that have a LinkRetry, sorted by `place`
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RETRY_RECORDER_H */
