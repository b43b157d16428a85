// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SERIES_PLAN_H
#define LOSSLESS_SERIES_PLAN_H

#include "place-pattern.h"

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/port-throughput-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/switch-node.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Which queues and ports of a run are followed over time, by patterns of their names.
 *
 * Patterns are given before the switches are: each switch is compared with all of them.
 */
class SeriesPlan
{
  public:
    /// @param sampler gets the queues
    explicit SeriesPlan(Ptr<QueueSampler> sampler);

    /// Samples queues, of both sides, with more rows in all than the sampler has by default.
    /// @param patterns of queues, SWITCH:PORT:CLASS
    void AddQueues(const std::vector<PlacePattern>& patterns);
    /// @param patterns of ports, SWITCH:PORT @param window in which their frames are counted
    void AddPorts(const std::vector<PlacePattern>& patterns, Time window);

    /// @param name of a switch @param node the switch with all ports, which is looked through
    void AddSwitch(const std::string& name, Ptr<SwitchNode> node);

    /// @return a sentence about the first pattern that has named nothing; nothing if each has
    std::optional<std::string> Check() const;

    /// Nothing is followed before a time. @param start the time
    void SetStart(Time start);

    /// @return sentences about series whose points are farther apart than was asked for, since
    /// their number is bounded
    std::vector<std::string> DescribeThinning() const;

    /// @return throughput of the ports; null: none are wanted
    const PortThroughputRecorder* GetThroughput() const;

  private:
    /// A pattern, and whether it has named something.
    struct Wish
    {
        PlacePattern pattern; ///< what is wanted
        bool isMet{false};    ///< whether it is there
    };

    /// @param wishes patterns @param place parts of a name @return whether one of them names it
    static bool Meet(std::vector<Wish>& wishes, const std::vector<std::string>& place);
    /// @param name of a switch @param node the switch @param port of it
    void AddPort(const std::string& name, Ptr<SwitchNode> node, PortId port);

    Ptr<QueueSampler> m_sampler;                          ///< never null
    std::unique_ptr<PortThroughputRecorder> m_throughput; ///< null: not wanted
    Time m_window;                                        ///< of m_throughput, as asked for
    std::vector<Wish> m_queues;                           ///< wanted
    std::vector<Wish> m_ports;                            ///< wanted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SERIES_PLAN_H */
