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
 * Traffic defined by a user, for `--traffic`. Its parameters are attributes of its class.
 */
class TrafficPart : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return a message about attributes that are not valid for this network, or nothing if Make()
    /// will succeed
    virtual std::optional<std::string> Check(const Topology& topology) const;

    /// Assigns fixed random streams, starting at `stream`.
    /// @return the number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// @return the flows, which may wait for each other
    virtual FlowGraph Make(const Topology& topology) const = 0;
};

/// Registered traffic, for `--traffic`.
using TrafficInfo = PartOf<TrafficPart>;

/// Registers a class of traffic.
template <typename TRAFFIC>
using RegisterTraffic = RegisterPart<TRAFFIC, TrafficInfo>;

/**
 * @ingroup lossless
 * An addition to a run that acts on the network, such as a fault or a watchdog, for `--attach`. Its
 * parameters are attributes of its class.
 */
class Attachment : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return a message about attributes that are not valid for this network, or nothing if
    /// Install() will succeed
    virtual std::optional<std::string> Check(const Topology& topology) const;

    /// @return the classes that the attachment affects, which must be under flow control
    virtual PrioritySet GetClasses(const Topology& topology) const;

    /// @return the times at which the attachment begins to act, all of which must be within the run
    virtual std::vector<Time> GetStarts(const Topology& topology) const;

    /// Schedules the actions or connects them to trace sources. On several ranks, each event must
    /// belong to a node (see Ranks).
    /// @param fabric the network, which outlives the run
    virtual void Install(Fabric& fabric) = 0;
};

/// Registered attachments, for `--attach`.
using AttachmentInfo = PartOf<Attachment>;

/// Registers a class of attachments.
template <typename ATTACHMENT>
using RegisterAttachment = RegisterPart<ATTACHMENT, AttachmentInfo>;

/// A registered attachment with its own option in place of `--attach`.
struct FaultInfo : public PartOf<Attachment>
{
    /// @return the full name of the attribute that the option sets
    std::string GetAttribute() const
    {
        return type + "::" + attribute;
    }

    /// The attribute of the part's class that the option sets. The option has the same name as the
    /// part.
    std::string attribute;
};

/// Registers a class of attachments with an option of its own.
template <typename ATTACHMENT>
using RegisterFault = RegisterPart<ATTACHMENT, FaultInfo>;

/// The options for faults and the options `--traffic` and `--attach`. An option exists only if
/// parts of its kind are registered.
class RunParts
{
  public:
    /// Adds `--traffic` and `--attach`.
    void AddOptions(Experiment& experiment);
    /// Adds the options for faults.
    static void AddFaultOptions(Experiment& experiment);
    /// Creates the parts that the options name. Stops the program if a part is unknown, or if
    /// `--traffic` is combined with flows from another source.
    /// @param experiment the experiment, which has parsed the options
    void Make(Experiment& experiment);

    /// @return true if `--traffic` was given
    bool HasTraffic() const;
    /// @param experiment the experiment, which stops the program on error
    FlowGraph MakeTraffic(const Experiment& experiment, const Topology& topology) const;
    /// @return true if anything is attached
    bool HasAttachments() const;
    /// @return the classes that the attachments affect
    PrioritySet GetClasses(const Topology& topology) const;
    /// Stops the program if an attachment is not valid for the network, or if it would not begin to
    /// act before the end of the run.
    /// @param end the end of the run, or 0 if it is not known
    void Check(const Experiment& experiment, const Topology& topology, Time end) const;
    /// Installs all attachments.
    void Attach(Fabric& fabric) const;
    /// Reports the attachments that did not begin to act. Call this after the run.
    void TellMissed(const Topology& topology) const;

  private:
    /// An attachment of the run.
    struct Attached
    {
        std::string origin;   ///< option that attaches it, for error messages
        Ptr<Attachment> part; ///< attachment; never null
    };

    std::string m_trafficName;     ///< value of `--traffic`; may be empty
    std::string m_attachmentNames; ///< value of `--attach`: names separated by commas; may be empty
    Ptr<TrafficPart> m_traffic;    ///< traffic, or null if there is none
    std::vector<Attached> m_attached; ///< faults, followed by the attachments in the order of
                                      ///< `--attach`
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_PARTS_H */
