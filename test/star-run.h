// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STAR_RUN_H
#define LOSSLESS_STAR_RUN_H

#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

// Runs endless flows over a shared link to test the long-term behaviour of congestion controls.

namespace ns3::lossless::tests
{

/// A star in which several hosts each send one flow to another host.
struct StarRun
{
    std::string control;         ///< congestion control
    std::string marker;          ///< marker of the switch
    uint32_t senders{2};         ///< number of senders
    std::string rate{"100Gbps"}; ///< rate of the links
    Time lastStart{};            ///< start of the last flow; the others start at 0
    Time from{};                 ///< start of the measurement
    Time until{};                ///< end of the measurement
    Time delay{MicroSeconds(2)}; ///< delay of the links
    /// True if the congestion control is given the base RTT; see Fabric::SetBaseRtt().
    bool knowsBaseRtt{false};
};

/// The results of a StarRun.
struct StarOutcome
{
    double jain{0};                 ///< Jain's fairness index of the flow rates
    double utilisation{0};          ///< utilization of the bottleneck
    double lastShare{0};            ///< rate of the last flow relative to the fair share
    std::vector<uint64_t> queue;    ///< number of bytes in the egress queue at each microsecond
    std::vector<uint64_t> packets;  ///< number of packets sent during the measurement, per flow
    std::vector<int64_t> departure; ///< departure times of flow 0's packets, in ns
    Time baseRtt;                   ///< base RTT given to the congestion control

    uint64_t GetMaxQueue() const;
    uint64_t GetMinQueue() const;
    double GetMeanQueue() const;
};

/// Runs the simulation that a StarRun describes.
class StarRunner
{
  public:
    explicit StarRunner(const StarRun& run);

    StarOutcome Run();

  private:
    FlowList MakeFlows() const;
    uint64_t GetSent(uint32_t host) const;
    Time GetBaseRtt() const;
    /// Begins the measurement.
    void Begin();
    /// Records the queue length every microsecond.
    void Look();
    /// Ends the measurement and stores its results.
    void Finish();

    StarRun m_run;             ///< run
    Fabric* m_fabric{nullptr}; ///< the network
    StarOutcome m_outcome;     ///< results
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_STAR_RUN_H */
