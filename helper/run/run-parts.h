// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_PARTS_H
#define LOSSLESS_RUN_PARTS_H

#include "lossless-experiment.h"

#include "ns3/flow-graph.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/object.h"
#include "ns3/part-registry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Traffic of a user's own, which `--traffic` names. What it needs to know are attributes.
 */
class TrafficPart : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param topology the network @return what is wrong with the attributes, or stands in the way
    /// in this network; nothing: Make() gives flows
    virtual std::optional<std::string> Check(const Topology& topology) const;

    /// @param stream first stream of random numbers to use @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// @param topology the network @return flows, which may wait for flows
    virtual FlowGraph Make(const Topology& topology) const = 0;
};

/// Of such traffic, for `--traffic`.
using TrafficInfo = PartOf<TrafficPart>;

/// Registers traffic. @tparam TRAFFIC its class
template <typename TRAFFIC>
using RegisterTraffic = RegisterPart<TRAFFIC, TrafficInfo>;

/**
 * @ingroup lossless
 * What acts on the network of a run besides flows, as a fault or a watchdog, which `--attach`
 * names. What it needs to know are attributes.
 */
class Attachment : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param topology the network @return what is wrong with the attributes, or stands in the way
    /// in this network; nothing: it can be installed
    virtual std::optional<std::string> Check(const Topology& topology) const;

    /// Schedules or connects what it does; on several ranks each event is one of a node (see
    /// Ranks). @param fabric the network, which outlives the run
    virtual void Install(Fabric& fabric) = 0;
};

/// Of what can be attached, for `--attach`.
using AttachmentInfo = PartOf<Attachment>;

/// Registers what can be attached. @tparam ATTACHMENT its class
template <typename ATTACHMENT>
using RegisterAttachment = RegisterPart<ATTACHMENT, AttachmentInfo>;

/// The options `--traffic` and `--attach`, each of a program that has registered such parts.
class RunParts
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Makes the parts that the options name; stops the program if there is no such part, or if
    /// flows come from elsewhere, too. @param experiment which has read the options
    void Make(Experiment& experiment);

    /// @return whether there is traffic of a part
    bool HasTraffic() const;
    /// @param experiment which stops the program if that cannot be @param topology the network
    /// @return the traffic
    FlowGraph MakeTraffic(const Experiment& experiment, const Topology& topology) const;
    /// @param experiment which stops the program if that cannot be @param fabric to which all is
    /// attached
    void Attach(const Experiment& experiment, Fabric& fabric) const;

  private:
    std::string m_trafficName;               ///< option; empty: none
    std::string m_attachmentNames;           ///< option, separated by commas; empty: none
    Ptr<TrafficPart> m_traffic;              ///< null: none
    std::vector<Ptr<Attachment>> m_attached; ///< in the order of the option
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_PARTS_H */
