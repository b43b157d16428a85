// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MEASURED_NETWORK_H
#define LOSSLESS_MEASURED_NETWORK_H

#include "ns3/lossless-types.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::lossless
{

class AttributeSurvey;

/// Headroom of lossless classes without flows, in one switch.
struct IdleHeadroom
{
    PrioritySet classes{0};  ///< none: all have flows, or there is no flow
    uint64_t bytes{0};       ///< their headroom
    uint64_t bufferBytes{0}; ///< packet memory of the switch
};

/**
 * @ingroup lossless
 * The switches, hosts and NICs of a run: what they are made of and how much they have sent.
 */
class MeasuredNetwork : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    void WatchNic(const WatchedNic& nic) override;

    /// @return whether nothing was added
    bool IsEmpty() const;
    /// @return whether a switch spreads the frames of a flow over paths
    bool IsAdaptive() const;
    /// @return a congestion control in use that needs ECN marks; empty: none does
    std::string FindControlByMarks() const;
    /// @return whether a switch may mark frames
    bool HasMarker() const;
    /// @return whether a NIC sends packets that may be marked, or there is none
    bool IsEcnCapable() const;
    /// @return a congestion control in use that reads telemetry; empty: none does
    std::string FindControlByTelemetry() const;
    /// @param used classes of the flows
    /// @return headroom of the other classes, in the switch with most of it
    IdleHeadroom FindIdleHeadroom(PrioritySet used) const;
    /// @return most data packets that share an answer at a NIC; 0: not known
    uint64_t FindAckInterval() const;
    /// @return whether a switch writes telemetry, or there is none
    bool HasTelemetry() const;
    /// @return transmissions of frames by switches and RoCE NICs
    uint64_t CountPacketHops() const;
    /// @return a reliability in use other than GoBackN; empty: there is none
    std::string FindReliability() const;
    /// @param label the program's name for the scheme, may be empty
    /// @return the label, unless it is empty or the name of a registered scheme; then the schemes
    /// of the switches, separated by commas: a switch of an unregistered class has its type's name
    std::string DescribeSchemes(const std::string& label) const;
    /// Adds all parts.
    void AddTo(AttributeSurvey& survey) const;

    /// Ends the program if the simulation of the nodes is gone, as after Simulator::Destroy().
    void Conclude() override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// @return CountPacketHops() of this rank
    uint64_t CountOwnHops() const;
    /// @return names of the congestion controls of all NICs
    std::set<std::string> GetControls() const;

    std::map<std::string, Ptr<Node>> m_nodes; ///< switches and hosts, by name
    std::vector<Ptr<SwitchNode>> m_switches;  ///< those among them
    std::vector<Ptr<Object>> m_nics;          ///< of any kind
    uint64_t m_foreignHops{0};                ///< of other ranks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MEASURED_NETWORK_H */
