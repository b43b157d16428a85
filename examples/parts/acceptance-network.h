// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_NETWORK_H
#define ACCEPTANCE_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/drop-recorder.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/pause-recorder.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// Network of all scenarios.
struct AcceptanceOptions
{
    uint32_t senders{4};             ///< of lossless classes
    uint32_t queuePairs{4};          ///< per sender, where their fairness is measured
    DataRate rate{"100Gbps"};        ///< of every link
    Time delay{MicroSeconds(1)};     ///< of every link
    uint32_t payload{1024};          ///< of a full packet, bytes
    Time duration{MilliSeconds(20)}; ///< of a scenario with congestion

    /// Adds the options.
    void AddOptions(Experiment& experiment);
};

/// One switch, some senders and a receiver, with recorders:
///
///     sender 0 .. n-1   lossless classes 3 and 4 in turn, RoCE   ---+
///     sender n          lossy class 0, frames at line rate       ---+--- receiver
class AcceptanceNetwork
{
  public:
    /// Classes under flow control, as in SONiC's plan.
    static constexpr std::array<Priority, 2> LOSSLESS{Priority{3}, Priority{4}};
    /// A class without flow control.
    static constexpr Priority LOSSY{0};

    /// @param control name of the congestion control
    /// @param watchdog action of a PFC watchdog, with times for "duration"; empty: that of the
    /// options, if any
    AcceptanceNetwork(const Experiment& experiment,
                      const AcceptanceOptions& options,
                      const std::string& control,
                      const std::string& watchdog = "");
    /// Destroys the simulation.
    ~AcceptanceNetwork();
    AcceptanceNetwork(const AcceptanceNetwork&) = delete;
    AcceptanceNetwork& operator=(const AcceptanceNetwork&) = delete;

    /// Makes the senders of lossless classes send as much as they can, for longer than any run.
    /// @param queuePairs per sender
    /// @param classes number of classes used in turn
    void StartLossless(uint32_t senders, uint32_t queuePairs, std::size_t classes);
    /// Adds a flow from the first sender to the second one, which does not involve the receiver; to
    /// be called before StartLossless().
    void AddInnocent(Priority priority = LOSSLESS[0]);
    /// Makes the sender of the lossy class send at line rate.
    void StartLossy();

    /// @return the network
    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    /// @return the switch
    Ptr<SwitchNode> GetSwitch() const
    {
        return m_fabric.GetSwitch(0);
    }

    /// @return the NIC of the receiver
    Ptr<RoceNic> GetReceiver() const
    {
        return m_fabric.GetNic(m_receiver);
    }

    /// @return whether the ports of the switch are paused by PFC
    bool IsPausedByPfc() const;

    /// @return the switch's device that leads to a host
    Ptr<LosslessNetDevice> GetPort(uint32_t host) const;

    /// @return index of the receiver
    uint32_t GetReceiverIndex() const
    {
        return m_receiver;
    }

    /// @param wanted whether frames of a class, or without one, count
    /// @return frames lost anywhere
    uint64_t CountLost(const std::function<bool(std::optional<Priority>)>& wanted) const;
    /// @return number of PAUSEs of the class, as the neighbours received them
    uint64_t CountPauses(Priority priority) const;
    /// @return control frames sent by the switch in the second half of "duration", when congestion
    /// controls have converged
    uint64_t CountControlFrames() const;
    /// @return frames of a class marked "congestion experienced"
    uint64_t CountMarked(Priority priority) const;
    /// @return minimum number of congestion notifications over the lossless senders
    uint64_t GetFewestNotifications() const;
    /// @return share of a class in the link to the receiver, 0 to 1, in the second half of
    /// "duration"
    double GetLinkShare(Priority priority) const;
    /// @return bytes sent by each queue pair in the second half of "duration"
    std::vector<double> GetQueuePairBytes() const;

    /// @param duration of a scenario
    /// @return poll interval of its watchdog; detection and restoration take two of them
    static Time GetPollInterval(Time duration)
    {
        return duration / 40;
    }

  private:
    /// @return an endless flow of class 3 from the first sender to the second one
    FlowSpec MakeFlow() const;
    /// @return control frames that the switch has sent so far
    uint64_t CountAllControlFrames() const;
    void NotifyDequeue(const SwitchItem& item);
    void NotifyMark(const SwitchItem& item);

    AcceptanceOptions m_options;
    uint32_t m_receiver; ///< last host
    Fabric m_fabric;
    DropRecorder m_drops;
    PauseRecorder m_pauses;                             ///< of the switch
    FlowList m_flows;                                   ///< of lossless classes
    uint64_t m_earlyFrames{0};                          ///< control frames of the first half
    std::array<uint64_t, NUM_PRIORITIES> m_marked{};    ///< frames, by class
    std::array<uint64_t, NUM_PRIORITIES> m_wireBytes{}; ///< to the receiver, by class
    /// As m_wireBytes, by address and UDP port of the senders of RoCE flows.
    std::map<std::pair<uint32_t, uint16_t>, uint64_t> m_flowBytes;
};

} // namespace ns3::lossless

#endif /* ACCEPTANCE_NETWORK_H */
