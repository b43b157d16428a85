// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_HELPER_H
#define LOSSLESS_SWITCH_HELPER_H

#include "ns3/class-scheduler.h"
#include "ns3/ecn-marker.h"
#include "ns3/factory-attribute.h"
#include "ns3/object-factory.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/scheme-registry.h"
#include "ns3/switch-node.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Makes identical switches: a kind of switch and attributes of its parts.
 */
class SwitchHelper
{
  public:
    /// @param type TypeId of SwitchNode or one of its subclasses
    explicit SwitchHelper(const std::string& type = "ns3::lossless::PfcSwitchNode");
    /// @param scheme one of GetParts<SchemeInfo>(), whose switches and parts are made
    explicit SwitchHelper(const SchemeInfo& scheme);

    /// Sets an attribute of the switch.
    void SetAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of the SharedBuffer.
    void SetBufferAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of the BufferPolicy.
    void SetPolicyAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of the FlowControl.
    void SetFlowControlAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of the Forwarding.
    void SetForwardingAttribute(const std::string& name, const AttributeValue& value);

    /// For programs whose parts are chosen by an option: sets the attribute if the BufferPolicy has
    /// it. A name that no policy has stops the program.
    void SetPolicyAttributeIfPresent(const std::string& name, const AttributeValue& value);
    /// As SetPolicyAttributeIfPresent(), for the FlowControl.
    void SetFlowControlAttributeIfPresent(const std::string& name, const AttributeValue& value);

    /// Replaces the policy of the kind of switch. @param type TypeId of a BufferPolicy
    void SetBufferPolicy(const std::string& type);

    /// Adds a delay between ingress and egress.
    /// @param type TypeId of a PacketProcessor
    /// @param args attribute names and values, alternating
    template <typename... ARGS>
    void SetProcessor(const std::string& type, ARGS&&... args)
    {
        RequireType(type, PacketProcessor::GetTypeId());
        m_processor = ObjectFactory(type, std::forward<ARGS>(args)...);
    }

    /// Replaces the structure of the egress queues.
    /// @param type TypeId of an EgressQueue
    /// @param args attribute names and values, alternating
    template <typename... ARGS>
    void SetEgressQueue(const std::string& type, ARGS&&... args)
    {
        RequireType(type, EgressQueue::GetTypeId());
        m_switch.Set("EgressQueue",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /// Makes switches trim frames that they cannot store.
    /// @param args attribute names of PacketTrimmer and values, alternating
    template <typename... ARGS>
    void SetTrimmer(ARGS&&... args)
    {
        m_trimmer = ObjectFactory("ns3::lossless::PacketTrimmer", std::forward<ARGS>(args)...);
    }

    /// Replaces EcmpForwarding. @param type TypeId of a Forwarding
    void SetForwarding(const std::string& type);

    /// Replaces the scheduler of the ports.
    /// @param type TypeId of a ClassScheduler
    /// @param args attribute names and values, alternating
    template <typename... ARGS>
    void SetScheduler(const std::string& type, ARGS&&... args)
    {
        RequireType(type, ClassScheduler::GetTypeId());
        m_switch.Set("Scheduler",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /// Makes the ports mark frames.
    /// @param type TypeId of an EcnMarker
    /// @param args attribute names and values, alternating
    template <typename... ARGS>
    void SetMarker(const std::string& type, ARGS&&... args)
    {
        RequireType(type, EcnMarker::GetTypeId());
        m_switch.Set("Marker",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /// Adds a watchdog for the PAUSEs that each switch receives.
    /// @param type TypeId of a PfcWatchdog
    /// @param args attribute names and values, alternating
    template <typename... ARGS>
    void SetWatchdog(const std::string& type, ARGS&&... args)
    {
        RequireType(type, PfcWatchdog::GetTypeId());
        m_watchdog = ObjectFactory(type, std::forward<ARGS>(args)...);
    }

    /// @return a new switch without ports
    Ptr<SwitchNode> Create() const;

    /// Fixes the random streams of a switch and of its watchdog, if it has one.
    /// @param node a switch @param stream first stream to use @return number of streams used
    static int64_t AssignStreams(SwitchNode& node, int64_t stream);

  private:
    /// An attribute of a part.
    struct Setting
    {
        std::string name;
        Ptr<AttributeValue> value;
        bool isIfPresent{false}; ///< skip parts without the attribute

        /// Sets the attribute; stops the program on failure.
        void Apply(Ptr<Object> part) const;
    };

    /// Attributes of one part, in the order in which they were set.
    using Attributes = std::vector<Setting>;

    ObjectFactory m_switch;
    std::string m_policyType;                 ///< TypeId; empty: that of the switch
    std::string m_forwardingType;             ///< TypeId; empty: that of the switch
    std::optional<ObjectFactory> m_processor; ///< nothing: that of the switch
    std::optional<ObjectFactory> m_trimmer;   ///< nothing: no trimmer
    std::optional<ObjectFactory> m_watchdog;  ///< nothing: no watchdog
    Attributes m_bufferAttributes;
    Attributes m_policyAttributes;
    Attributes m_controlAttributes;
    Attributes m_routeAttributes; ///< of the Forwarding
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_HELPER_H */
