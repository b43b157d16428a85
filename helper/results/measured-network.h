// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MEASURED_NETWORK_H
#define LOSSLESS_MEASURED_NETWORK_H

#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"
#include "ns3/lossless-types.h"
#include "ns3/object-factory.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::lossless
{

class AttributeSurvey;

/// The headroom that a switch reserves for lossless classes without flows.
struct IdleHeadroom
{
    PrioritySet used{0};     ///< classes with flows
    PrioritySet classes{0};  ///< lossless classes without flows; 0 if there are none
    uint64_t bytes{0};       ///< headroom of the classes without flows
    uint64_t bufferBytes{0}; ///< packet buffer of the switch
};

/// An ECN marker with default thresholds intended for a rate that no switch port has.
struct MisfitMarker
{
    std::string marker;   ///< the marker's class, e.g. "RedMarker"; empty if its thresholds fit
    DataRate meantRate;   ///< the rate for which the thresholds are intended
    DataRate fastestRate; ///< the rate of the fastest switch port
};

/**
 * @ingroup lossless
 * The switches, hosts and NICs of a run, their components, and the number of frames that they have
 * transmitted.
 */
class MeasuredNetwork : public Recorder
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    void WatchNic(const WatchedNic& nic) override;

    /// @return true if nothing has been added
    bool IsEmpty() const;
    /// @return true if any switch spreads the frames of a flow over several paths
    bool IsAdaptive() const;
    /// @return the name of a congestion control algorithm in use that needs ECN marks, or an empty
    /// string
    std::string FindControlByMarks() const;
    /// @return true if any switch can mark frames
    bool HasMarker() const;
    /// @return a marker with default thresholds intended for a rate that no switch port has, if
    /// there is one
    MisfitMarker FindMisfitMarker() const;
    /// @return the name of a congestion control algorithm in use that handles CNPs but does not
    /// request them, or an empty string
    std::string FindControlWithoutCnps() const;
    /// @return true if any NIC sends ECN-capable packets, or if there are no NICs
    bool IsEcnCapable() const;
    /// @return the name of a congestion control algorithm in use that needs telemetry, or an empty
    /// string
    std::string FindControlByTelemetry() const;
    /// @param used the traffic classes of the flows
    /// @return the headroom of the other lossless classes in the switch where this headroom is
    /// largest
    IdleHeadroom FindIdleHeadroom(PrioritySet used) const;
    /// @return the name of a switch with a single link, which no path leads through, or an empty
    /// string
    std::string FindDeadEnd() const;
    /// @return the maximum number of data packets per acknowledgement at any NIC, or 0 if unknown
    uint64_t FindAckInterval() const;
    /// @return true if any switch writes telemetry, or if there are no switches
    bool HasTelemetry() const;
    /// @return true if any NIC is not a RoCE NIC, so that CountPacketHops() lacks its frames
    bool HasOtherNics() const;
    /// @return the name of a ClassScheduler in use that has different shares for classes
    /// (`Quanta`), or an empty string
    std::string FindSchedulerOfShares() const;
    /// @return the number of frames that switches and RoCE NICs have transmitted
    uint64_t CountPacketHops() const;
    /// @return the name of a Reliability in use other than GoBackN, or an empty string
    std::string FindReliability() const;
    /// @param label the program's label for the scheme; may be empty
    /// @return the label or, if it is empty or the name of a registered scheme, the schemes of the
    /// switches, separated by commas. A switch whose class is not registered is listed by its type
    /// name.
    std::string DescribeSchemes(const std::string& label) const;
    /// Adds all components to a survey.
    void AddTo(AttributeSurvey& survey) const;

    /// Aborts if the nodes have been destroyed, for example by Simulator::Destroy().
    void Conclude() override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// @return the packet hops of this rank; see CountPacketHops()
    uint64_t CountOwnHops() const;
    /// @return the congestion control algorithms of all NICs, by name
    std::map<std::string, ObjectFactory> GetControls() const;
    /// @return the name of the first congestion control algorithm that matches, or an empty string
    std::string FindControl(
        const std::function<bool(const std::string& name, CongestionControl&)>& matches) const;

    std::map<std::string, Ptr<Node>> m_nodes; ///< switches and hosts, by name
    std::vector<Ptr<SwitchNode>> m_switches;  ///< all switches
    std::vector<Ptr<Object>> m_nics;          ///< all NICs, of any type
    uint64_t m_foreignHops{0};                ///< number of packet hops on the other ranks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MEASURED_NETWORK_H */
