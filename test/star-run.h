// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STAR_RUN_H
#define LOSSLESS_STAR_RUN_H

#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

// Flows without end that share one link, for what congestion controls do in the long run.

namespace ns3::lossless::tests
{

/// Hosts of a star that all send to one more, a flow each.
struct StarRun
{
    std::string control;         ///< congestion control
    std::string marker;          ///< of the switch
    uint32_t senders{2};         ///< flows
    std::string rate{"100Gbps"}; ///< of the links
    Time lastStart{};            ///< of the last flow; the others start at 0
    Time from{};                 ///< of the time in which is measured
    Time until{};                ///< of the time in which is measured
    Time delay{MicroSeconds(2)}; ///< of the links
    bool knowsBaseRtt{false};    ///< the congestion control has it, see Fabric::SetBaseRtt()
};

/// What a StarRun yields.
struct StarOutcome
{
    double jain{0};                 ///< Jain's index of the flows' rates
    double utilisation{0};          ///< of the bottleneck
    double lastShare{0};            ///< rate of the last flow, of the fair one
    std::vector<uint64_t> queue;    ///< bytes of the egress queue, each microsecond
    std::vector<uint64_t> packets;  ///< sent in the time, by flow
    std::vector<int64_t> departure; ///< when packets of flow 0 left, ns
    Time baseRtt;                   ///< that the congestion control was given

    uint64_t GetMaxQueue() const;
    uint64_t GetMinQueue() const;
    double GetMeanQueue() const;
};

/// Makes and runs a StarRun.
class StarRunner
{
  public:
    explicit StarRunner(const StarRun& run);

    StarOutcome Run();

  private:
    FlowList MakeFlows() const;
    /// Flow 0 sends a packet.
    void RecordDeparture(Ptr<const Packet> packet);
    uint64_t GetSent(uint32_t host) const;
    Time GetBaseRtt() const;
    /// The measurement begins.
    void Begin();
    /// Looks at the queue, each microsecond.
    void Look();
    /// The measurement ends.
    void Finish();

    StarRun m_run;             ///< what to run
    Fabric* m_fabric{nullptr}; ///< the network
    StarOutcome m_outcome;     ///< what came out
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_STAR_RUN_H */
