// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_PARTS_H
#define LOSSLESS_RUN_PARTS_H

#include "lossless-experiment.h"

#include "ns3/flow-graph.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
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
 * Traffic defined by a user, for `--traffic`. Its parameters are attributes.
 */
class TrafficPart : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return what is wrong with the attributes, or with this network; nothing: Make() succeeds
    virtual std::optional<std::string> Check(const Topology& topology) const;

    /// Fixes random numbers, starting at `stream`. @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// @return flows, which may wait for flows
    virtual FlowGraph Make(const Topology& topology) const = 0;
};

/// Registered traffic, for `--traffic`.
using TrafficInfo = PartOf<TrafficPart>;

/// Registers a class of traffic.
template <typename TRAFFIC>
using RegisterTraffic = RegisterPart<TRAFFIC, TrafficInfo>;

/**
 * @ingroup lossless
 * Acts on the network of a run in addition to flows, such as a fault or a watchdog, for `--attach`.
 * Its parameters are attributes.
 */
class Attachment : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return what is wrong with the attributes, or with this network; nothing: Install() succeeds
    virtual std::optional<std::string> Check(const Topology& topology) const;

    /// @return classes that it concerns, which are under flow control
    virtual PrioritySet GetClasses(const Topology& topology) const;

    /// @return times at which it begins to act, all of which are in the run
    virtual std::vector<Time> GetStarts(const Topology& topology) const;

    /// Schedules or connects its actions; on several ranks each event is one of a node (see Ranks).
    /// @param fabric outlives the run
    virtual void Install(Fabric& fabric) = 0;
};

/// Registered attachments, for `--attach`.
using AttachmentInfo = PartOf<Attachment>;

/// Registers a class of attachments.
template <typename ATTACHMENT>
using RegisterAttachment = RegisterPart<ATTACHMENT, AttachmentInfo>;

/// A registered attachment with an option of its own in place of `--attach`.
struct FaultInfo : public PartOf<Attachment>
{
    /// @return full name of its attribute
    std::string GetAttribute() const
    {
        return type + "::" + attribute;
    }

    /// Attribute of its class of which the option, with the name of the part, is another name.
    std::string attribute;
};

/// Registers a class of attachments with an option.
template <typename ATTACHMENT>
using RegisterFault = RegisterPart<ATTACHMENT, FaultInfo>;

/// The options `--traffic` and `--attach`, each in programs with registered parts of that kind, and
/// the options of faults.
class RunParts
{
  public:
    /// Adds `--traffic` and `--attach`.
    void AddOptions(Experiment& experiment);
    /// Adds the options of faults.
    static void AddFaultOptions(Experiment& experiment);
    /// Makes the parts that the options name; stops the program if a part is unknown, or if there
    /// are flows of another origin as well. @param experiment has parsed the options
    void Make(Experiment& experiment);

    /// @return whether `--traffic` was given
    bool HasTraffic() const;
    /// @param experiment stops the program on error
    FlowGraph MakeTraffic(const Experiment& experiment, const Topology& topology) const;
    /// @return whether anything is attached
    bool HasAttachments() const;
    /// @return classes of the attachments
    PrioritySet GetClasses(const Topology& topology) const;
    /// Stops the program if an attachment does not fit, or begins to act only after the run.
    /// @param end of the run; 0: unknown
    void Check(const Experiment& experiment, const Topology& topology, Time end) const;
    /// Installs all attachments.
    void Attach(Fabric& fabric) const;
    /// Reports, after the run, what it ended before.
    void TellMissed(const Topology& topology) const;

  private:
    /// An attachment of the run.
    struct Attached
    {
        std::string origin;   ///< option that attaches it, for messages
        Ptr<Attachment> part; ///< never null
    };

    std::string m_trafficName;        ///< may be empty
    std::string m_attachmentNames;    ///< separated by commas; may be empty
    Ptr<TrafficPart> m_traffic;       ///< may be null
    std::vector<Attached> m_attached; ///< faults, and those of the option in its order
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_PARTS_H */
