// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ACCEPTANCE_NETWORK_H
#define LOSSLESS_ACCEPTANCE_NETWORK_H

#include "acceptance-checks.h"

#include "ns3/data-rate.h"
#include "ns3/drop-recorder.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/measure-window.h"
#include "ns3/nstime.h"
#include "ns3/pause-recorder.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// Parameters of the network that all scenarios use.
struct AcceptanceOptions
{
    uint32_t senders{4};             ///< number of senders of lossless classes
    uint32_t queuePairs{4};          ///< number of queue pairs per sender in the fairness test
    DataRate rate{"100Gbps"};        ///< rate of each link
    Time delay{MicroSeconds(1)};     ///< delay of each link
    uint32_t payload{1024};          ///< payload of a full packet, in bytes
    Time duration{MilliSeconds(20)}; ///< duration of a scenario with congestion

    /// Adds the command-line options. Call this before Experiment::Parse().
    void AddOptions(Experiment& experiment);
    /// @return the number of bytes that a link carries in `duration`
    double GetCapacity() const;
};

/**
 * @ingroup lossless
 * One switch, some senders and a receiver, with recorders:
 *
 *     sender 0 .. n-1   lossless classes 3 and 4 in turn, RoCE   ---+
 *     sender n          lossy class 0, frames at line rate       ---+--- receiver
 */
class AcceptanceNetwork
{
  public:
    /// Classes under flow control, as in SONiC's test plan.
    static constexpr std::array<Priority, 2> LOSSLESS{Priority{3}, Priority{4}};
    /// A class without flow control.
    static constexpr Priority LOSSY{0};

    /// @param control the name of the congestion control algorithm
    /// @param watchdog the action of a PFC watchdog whose times suit "duration"; if empty, the
    /// switch has a watchdog only if the options specify one
    AcceptanceNetwork(const Experiment& experiment,
                      const AcceptanceOptions& options,
                      const std::string& control,
                      const std::string& watchdog = "");
    /// Destroys the simulation.
    ~AcceptanceNetwork();
    AcceptanceNetwork(const AcceptanceNetwork&) = delete;
    AcceptanceNetwork& operator=(const AcceptanceNetwork&) = delete;

    /// Makes the senders of lossless classes send as fast as they can until the end of the run.
    /// @param senders the number of senders
    /// @param queuePairs the number of queue pairs per sender
    /// @param classes the number of classes over which the queue pairs are distributed in turn
    void StartLossless(uint32_t senders, uint32_t queuePairs, std::size_t classes);
    /// Adds a flow that goes from the first sender to the second one and does not use the
    /// receiver's link. Must be called before StartLossless().
    /// @param window the time in which CountInnocent() counts the frames of this flow
    void AddInnocent(Priority priority, const MeasureWindow& window);
    /// Makes the sender of the lossy class send at line rate.
    void StartLossy();

    /// @return the network
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    /// @return the switch under test
    Ptr<SwitchNode> GetSwitch() const
    {
        return m_fabric.GetSwitch(0);
    }

    /// @return the NIC of the receiver
    Ptr<RoceNic> GetReceiver() const
    {
        return m_fabric.GetNic(m_receiver);
    }

    /// @return the switch's device that leads to a host
    Ptr<LosslessNetDevice> GetPort(uint32_t host) const;

    /// @return the host index of the receiver
    uint32_t GetReceiverIndex() const
    {
        return m_receiver;
    }

    /// Checks that no frame of a lossless class was lost and that no receiver noticed a gap.
    void CheckLossless(AcceptanceChecks& checks) const;
    /// @param classes the classes to count; if unset, all losses are counted, even those without a
    /// class
    /// @return the number of frames lost anywhere
    uint64_t CountLost(std::optional<PrioritySet> classes = {}) const;

    /// @return the number of frames of AddInnocent()'s flow that have left the switch in its window
    uint64_t CountInnocent() const
    {
        return m_innocentFrames;
    }

    /// @return the number of times that neighbours were paused for the class
    uint64_t CountPauses(Priority priority) const;
    /// @return the number of control frames that the switch sent in the second half of "duration",
    /// when congestion control has converged
    uint64_t CountControlFrames() const;
    /// @return the number of frames of the class that are marked "congestion experienced"
    uint64_t CountMarked(Priority priority) const;
    /// @return the smallest number of congestion notifications that any lossless sender received
    uint64_t GetFewestNotifications() const;
    /// @return the fraction of the capacity of the link to the receiver that the class used in the
    /// second half of "duration"
    double GetLinkShare(Priority priority) const;
    /// @return the number of bytes sent by each queue pair in the second half of "duration"
    std::vector<double> GetQueuePairBytes() const;

    /// @param duration the duration of a scenario
    /// @return the poll interval of the scenario's watchdog; detection and restoration take two
    /// intervals each
    static Time GetPollInterval(Time duration)
    {
        return duration / 40;
    }

  private:
    /// Adds a flow that is large enough to outlast any run.
    void AddFlow(uint32_t source, uint32_t destination, Priority priority);
    /// @return the number of control frames that the switch has sent so far
    uint64_t CountAllControlFrames() const;
    void NotifyDequeue(const SwitchItem& item);

    AcceptanceOptions m_options;
    uint32_t m_receiver; ///< host index of the receiver, the last host
    Fabric m_fabric;
    DropRecorder m_drops;
    PauseRecorder m_pauses;                             ///< PAUSEs sent by the switch
    FlowList m_flows;                                   ///< flows of lossless classes
    std::optional<QueueId> m_innocentQueue;             ///< egress queue of AddInnocent()'s flow
    MeasureWindow m_innocentWindow;                     ///< see AddInnocent()
    uint64_t m_innocentFrames{0};                       ///< see CountInnocent()
    uint64_t m_earlyFrames{0};                          ///< control frames in the first half
    std::array<uint64_t, NUM_PRIORITIES> m_marked{};    ///< number of marked frames, by class
    std::array<uint64_t, NUM_PRIORITIES> m_wireBytes{}; ///< bytes sent to the receiver in the
                                                        ///< second half, by class
    /// Bytes sent to the receiver in the second half, by source address and UDP source port of each
    /// RoCE flow.
    std::map<std::pair<uint32_t, uint16_t>, uint64_t> m_flowBytes;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ACCEPTANCE_NETWORK_H */
