// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RETRY_RESULTS_H
#define LOSSLESS_RETRY_RESULTS_H

#include "ns3/link-retry.h"
#include "ns3/ranked-record.h"
#include "ns3/result-table.h"

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

class Fabric;
class ResultsWriter;

/**
 * @ingroup lossless
 * The counters of link layer retry of all ports, under SAI's names: llr.csv.
 */
class RetryResults : public RankedRecord
{
  public:
    /// Name of the table.
    static inline const std::string TABLE = "llr";

    /// Adds llr.csv to the results if links of the network send frames again.
    /// @param results of the run @param fabric the network, with its LinkRetry
    static void AddTo(ResultsWriter& results, const Fabric& fabric);

    /// @param fabric the network, with its LinkRetry
    explicit RetryResults(const Fabric& fabric);

    /// @return a row for each end of a link with a LinkRetry
    ResultTable GetTable() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// One end of a link.
    struct Port
    {
        std::string node;         ///< its name
        uint32_t number;          ///< of the port
        uint32_t rank;            ///< of the node
        Ptr<LinkRetry> retry;     ///< counts, on that rank
        LinkRetry::Counts counts; ///< what another rank has told
    };

    /// @param port a port @return what has happened there
    static const LinkRetry::Counts& GetCounts(const Port& port);

    std::vector<Port> m_ports; ///< of all nodes
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RETRY_RESULTS_H */
