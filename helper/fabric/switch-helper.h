// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_HELPER_H
#define LOSSLESS_SWITCH_HELPER_H

#include "ns3/class-scheduler.h"
#include "ns3/ecn-marker.h"
#include "ns3/factory-attribute.h"
#include "ns3/object-factory.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Creates identical switches from a switch type and the attributes of its parts.
 */
class SwitchHelper
{
  public:
    /// @param type the TypeId of SwitchNode or of a subclass
    explicit SwitchHelper(const std::string& type = "ns3::lossless::PfcSwitchNode");
    /// @param scheme the scheme of the switches, which must be one of GetParts<SchemeInfo>()
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

    /// Sets an attribute of the BufferPolicy if the policy has it. Use this in programs in which an
    /// option selects the policy. Aborts if no registered policy has the attribute.
    void SetPolicyAttributeIfPresent(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of the FlowControl if the FlowControl has it; see
    /// SetPolicyAttributeIfPresent().
    void SetFlowControlAttributeIfPresent(const std::string& name, const AttributeValue& value);

    /// Replaces the policy of the switch type.
    /// @param type the TypeId of a BufferPolicy
    void SetBufferPolicy(const std::string& type);

    /// Adds a delay between ingress and egress.
    /// @param type the TypeId of a PacketProcessor
    /// @param args alternating attribute names and values
    template <typename... ARGS>
    void SetProcessor(const std::string& type, ARGS&&... args)
    {
        RequireType(type, PacketProcessor::GetTypeId());
        m_processor = ObjectFactory(type, std::forward<ARGS>(args)...);
    }

    /// Replaces the egress queues.
    /// @param type the TypeId of an EgressQueue
    /// @param args alternating attribute names and values
    template <typename... ARGS>
    void SetEgressQueue(const std::string& type, ARGS&&... args)
    {
        RequireType(type, EgressQueue::GetTypeId());
        m_switch.Set("EgressQueue",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /// Configures the switches to trim frames that they cannot store.
    /// @param args alternating attribute names and values of PacketTrimmer
    template <typename... ARGS>
    void SetTrimmer(ARGS&&... args)
    {
        m_trimmer = ObjectFactory("ns3::lossless::PacketTrimmer", std::forward<ARGS>(args)...);
    }

    /// Replaces the default forwarding, EcmpForwarding.
    /// @param type the TypeId of a Forwarding
    void SetForwarding(const std::string& type);

    /// Replaces the scheduler of the ports.
    /// @param type the TypeId of a ClassScheduler
    /// @param args alternating attribute names and values
    template <typename... ARGS>
    void SetScheduler(const std::string& type, ARGS&&... args)
    {
        RequireType(type, ClassScheduler::GetTypeId());
        m_switch.Set("Scheduler",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /// Configures the ports to mark frames.
    /// @param type the TypeId of an EcnMarker
    /// @param args alternating attribute names and values
    template <typename... ARGS>
    void SetMarker(const std::string& type, ARGS&&... args)
    {
        RequireType(type, EcnMarker::GetTypeId());
        m_switch.Set("Marker",
                     ObjectFactoryValue(ObjectFactory(type, std::forward<ARGS>(args)...)));
    }

    /// Adds a watchdog for received PAUSE frames to each switch.
    /// @param type the TypeId of a PfcWatchdog
    /// @param args alternating attribute names and values
    template <typename... ARGS>
    void SetWatchdog(const std::string& type, ARGS&&... args)
    {
        RequireType(type, PfcWatchdog::GetTypeId());
        m_watchdog = ObjectFactory(type, std::forward<ARGS>(args)...);
    }

    /// @return a new switch without ports
    Ptr<SwitchNode> Create() const;

    /// Creates a switch and destroys the simulation. Call this before anything else is simulated.
    /// @tparam POLICY a BufferPolicy
    /// @return true if the switches have this policy or one derived from it
    template <typename POLICY>
    bool HasPolicy() const
    {
        const bool hasPolicy = static_cast<bool>(DynamicCast<POLICY>(Create()->GetBufferPolicy()));
        Simulator::Destroy(); // otherwise, the next run would include the switch
        return hasPolicy;
    }

    /// Assigns fixed random variable streams to a switch and its watchdog, if any.
    /// @param stream the first stream index to use
    /// @return the number of streams used
    static int64_t AssignStreams(SwitchNode& node, int64_t stream);

  private:
    /// An attribute of a part.
    struct Setting
    {
        std::string name;
        Ptr<AttributeValue> value;
        bool isIfPresent{false}; ///< true if parts without the attribute are skipped

        /// Sets the attribute. Aborts on failure.
        void Apply(Ptr<Object> part) const;
    };

    /// The attributes of one part, in the order in which they are set.
    using Attributes = std::vector<Setting>;

    ObjectFactory m_switch;
    std::string m_policyType;                 ///< name of the TypeId; empty for the default of the
                                              ///< switch type
    std::string m_forwardingType;             ///< name of the TypeId; empty for the default of the
                                              ///< switch type
    std::optional<ObjectFactory> m_processor; ///< factory of the processor; if not set, the switch
                                              ///< type's default is used
    /// Factory of the trimmer; if not set, the switches do not trim.
    std::optional<ObjectFactory> m_trimmer;
    /// Factory of the watchdog; if not set, the switches have no watchdog.
    std::optional<ObjectFactory> m_watchdog;
    Attributes m_bufferAttributes;
    Attributes m_policyAttributes;
    Attributes m_controlAttributes;
    Attributes m_routeAttributes; ///< attributes of the Forwarding
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_HELPER_H */
