// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MEASURED_NETWORK_H
#define LOSSLESS_MEASURED_NETWORK_H

#include "ns3/lossless-types.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/ranked-record.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::lossless
{

class AttributeSurvey;

/// Headroom of classes without flows.
struct IdleHeadroom
{
    PrioritySet classes{
        0};            ///< lossless ones without flows; none: all have some, or there is no flow
    uint64_t bytes{0}; ///< their headroom in a switch
    uint64_t bufferBytes{0}; ///< packet memory of that switch
};

/**
 * @ingroup lossless
 * The switches, hosts and NICs of a run: what they are called, what they are made of and how much
 * they have sent.
 */
class MeasuredNetwork : public RankedRecord
{
  public:
    /// A name that is taken or that a CSV file cannot hold stops the program.
    /// @param name its name @param node a switch or host
    void AddNode(const std::string& name, Ptr<Node> node);
    /// @param nic a NIC
    void AddNic(Ptr<Object> nic);

    /// @return whether nothing was added
    bool IsEmpty() const;

    /// Stops the program if the simulation of the nodes is no more, as after Simulator::Destroy().
    void RequireSimulation() const;

    /// @param node any @return its name; empty: it was not added
    std::string GetName(const Node& node) const;
    /// @return whether a switch spreads the frames of a flow over paths
    bool IsAdaptive() const;
    /// @return the congestion control of a NIC that lives on ECN marks; empty: none does
    std::string FindControlByMarks() const;
    /// @return whether a switch may mark frames
    bool HasMarker() const;
    /// @return whether a NIC sends packets that may be marked, or there is none
    bool IsEcnCapable() const;
    /// @return the congestion control of a NIC that reads telemetry; empty: none does
    std::string FindControlByTelemetry() const;
    /// @param used classes of the flows @return headroom of others, of the switch with most of it
    IdleHeadroom FindIdleHeadroom(PrioritySet used) const;
    /// @return data packets that share an answer, of the NIC where these are most; 0: no NIC says
    uint64_t FindAckInterval() const;
    /// @return whether a switch writes telemetry, or there is none
    bool HasTelemetry() const;
    /// @return transmissions of frames by switches and RoCE NICs
    uint64_t CountPacketHops() const;
    /// @return how a NIC repairs loss that does not go back N; empty: none does so
    std::string FindReliability() const;
    /// @return names of the congestion controls of all NICs, separated by commas
    std::string DescribeCongestionControl() const;
    /// @param label what the program calls the scheme, which may be empty
    /// @return the same, unless it names a registered scheme, or none: then that of the switches,
    /// several separated by commas; of a class that is not registered, the name of its type
    std::string DescribeSchemes(const std::string& label) const;
    /// @param survey takes up all parts
    void AddTo(AttributeSurvey& survey) const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// @return what CountPacketHops() does, of the nodes of this rank
    uint64_t CountOwnHops() const;
    /// @return names of the congestion controls of all NICs
    std::set<std::string> GetControls() const;

    std::map<std::string, Ptr<Node>> m_nodes;   ///< switches and hosts, by name
    std::map<const Node*, std::string> m_names; ///< of the same, by node
    std::vector<Ptr<Object>> m_nics;            ///< NICs
    uint64_t m_foreignHops{0};                  ///< of the nodes of other ranks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MEASURED_NETWORK_H */
