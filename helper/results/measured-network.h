// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MEASURED_NETWORK_H
#define LOSSLESS_MEASURED_NETWORK_H

#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"
#include "ns3/lossless-types.h"
#include "ns3/object-factory.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::lossless
{

class AttributeSurvey;

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

    /// @return the switches and hosts, by name
    const std::map<std::string, Ptr<Node>>& GetNodes() const
    {
        return m_nodes;
    }

    /// @return the switches
    const std::vector<Ptr<SwitchNode>>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return the NICs, of any type
    const std::vector<Ptr<Object>>& GetNics() const
    {
        return m_nics;
    }

    /// @return the congestion control algorithms of all NICs, by name
    std::map<std::string, ObjectFactory> GetControls() const;
    /// @return true if any NIC is not a RoCE NIC, so that CountPacketHops() lacks its frames
    bool HasOtherNics() const;
    /// @return the number of frames that switches and RoCE NICs have transmitted
    uint64_t CountPacketHops() const;
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
    std::map<std::string, Ptr<Node>> m_nodes; ///< switches and hosts, by name
    std::vector<Ptr<SwitchNode>> m_switches;  ///< all switches
    std::vector<Ptr<Object>> m_nics;          ///< all NICs, of any type
    uint64_t m_foreignHops{0};                ///< number of packet hops on the other ranks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MEASURED_NETWORK_H */
