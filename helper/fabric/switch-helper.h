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
 * Makes switches that are all alike: a kind of switch and attributes of its parts.
 */
class SwitchHelper
{
  public:
    /// @param type TypeId of SwitchNode or one of its subclasses
    explicit SwitchHelper(const std::string& type = "ns3::lossless::PfcSwitchNode");
    /// @param scheme one of GetParts<SchemeInfo>(): its switches, whose parts are as the scheme has
    /// them
    explicit SwitchHelper(const SchemeInfo& scheme);

    /// @param name attribute of the switch @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value);
    /// @param name attribute of SharedBuffer @param value its value
    void SetBufferAttribute(const std::string& name, const AttributeValue& value);
    /// @param name attribute of the BufferPolicy @param value its value
    void SetPolicyAttribute(const std::string& name, const AttributeValue& value);
    /// @param name attribute of the FlowControl @param value its value
    void SetFlowControlAttribute(const std::string& name, const AttributeValue& value);
    /// @param name attribute of the Forwarding @param value its value
    void SetForwardingAttribute(const std::string& name, const AttributeValue& value);

    /**
     * For programs whose parts are chosen by an option: sets an attribute where the BufferPolicy
     * has it. A name that no policy has stops the program.
     * @param name attribute of some policies @param value its value
     */
    void SetPolicyAttributeIfPresent(const std::string& name, const AttributeValue& value);
    /**
     * The same of the FlowControl.
     * @param name attribute of some flow controls @param value its value
     */
    void SetFlowControlAttributeIfPresent(const std::string& name, const AttributeValue& value);

    /**
     * Replaces the policy that comes with the kind of switch.
     * @param type TypeId of a BufferPolicy
     */
    void SetBufferPolicy(const std::string& type);

    /**
     * Lets frames wait between ingress and egress.
     * @tparam ARGS attribute names and values
     * @param type TypeId of a PacketProcessor
     * @param args attribute names and values, alternating
     */
    template <typename... ARGS>
    void SetProcessor(const std::string& type, ARGS&&... args)
    {
        RequireType(type, PacketProcessor::GetTypeId());
        m_processor = ObjectFactory(type, std::forward<ARGS>(args)...);
    }

    /**
     * Replaces the structure of the egress queues.
     * @tparam ARGS attribute names and values
     * @param type TypeId of an EgressQueue
     * @param args attribute names and values, alternating
     */
    template <typename... ARGS>
    void SetEgressQueue(const std::string& type, ARGS&&... args)
    {
        RequireType(type, EgressQueue::GetTypeId());
        m_switch.Set("EgressQueue",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /**
     * Lets switches trim what they cannot store.
     * @tparam ARGS attribute names and values
     * @param args attributes of PacketTrimmer and values, alternating
     */
    template <typename... ARGS>
    void SetTrimmer(ARGS&&... args)
    {
        m_trimmer = ObjectFactory("ns3::lossless::PacketTrimmer", std::forward<ARGS>(args)...);
    }

    /**
     * Replaces EcmpForwarding.
     * @param type TypeId of a Forwarding
     */
    void SetForwarding(const std::string& type);

    /**
     * Replaces the scheduler of the ports.
     * @tparam ARGS attribute names and values
     * @param type TypeId of a ClassScheduler
     * @param args attribute names and values, alternating
     */
    template <typename... ARGS>
    void SetScheduler(const std::string& type, ARGS&&... args)
    {
        RequireType(type, ClassScheduler::GetTypeId());
        m_switch.Set("Scheduler",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /**
     * Lets the ports mark frames.
     * @tparam ARGS attribute names and values
     * @param type TypeId of an EcnMarker
     * @param args attribute names and values, alternating
     */
    template <typename... ARGS>
    void SetMarker(const std::string& type, ARGS&&... args)
    {
        RequireType(type, EcnMarker::GetTypeId());
        m_switch.Set("Marker",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /**
     * Has a watchdog look after the PAUSEs that each switch receives.
     * @tparam ARGS attribute names and values
     * @param type TypeId of a PfcWatchdog
     * @param args attribute names and values, alternating
     */
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
        std::string name;          ///< of the attribute
        Ptr<AttributeValue> value; ///< for it
        bool isIfPresent{false};   ///< parts without the attribute do without

        /// Sets the attribute; stops the program if it cannot be. @param part of a switch
        void Apply(Ptr<Object> part) const;
    };

    /// Attributes of one part, in the order in which they were set.
    using Attributes = std::vector<Setting>;

    ObjectFactory m_switch;       ///< makes the switches
    std::string m_policyType;     ///< TypeId of the policy; empty: that of the switch
    std::string m_forwardingType; ///< TypeId of the forwarding; empty: that of the switch
    std::optional<ObjectFactory> m_processor; ///< makes the processor; nothing: that of the switch
    std::optional<ObjectFactory> m_trimmer;   ///< makes the trimmer; nothing: there is none
    std::optional<ObjectFactory> m_watchdog;  ///< makes the watchdog; nothing: there is none
    Attributes m_bufferAttributes;            ///< of the SharedBuffer
    Attributes m_policyAttributes;            ///< of the BufferPolicy
    Attributes m_controlAttributes;           ///< of the FlowControl
    Attributes m_routeAttributes;             ///< of the Forwarding
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_HELPER_H */
