// SPDX-License-Identifier: GPL-2.0-only
#include "run-hints.h"

#include "flow-plan.h"

#include "ns3/boolean.h"
#include "ns3/class-scheduler.h"
#include "ns3/congestion-control-info.h"
#include "ns3/drop-recorder.h"
#include "ns3/ecn-marker.h"
#include "ns3/go-back-n.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/pause-propagation.h"
#include "ns3/quantity-text.h"
#include "ns3/recorder-list.h"
#include "ns3/reliability.h"
#include "ns3/short-text.h"
#include "ns3/string.h"
#include "ns3/switch-node.h"
#include "ns3/telemetry-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <bitset>

namespace ns3::lossless
{

namespace
{

/// A hint is given if at least one in PACKETS_PER_HINT data packets is retransmitted.
constexpr uint64_t PACKETS_PER_HINT = 1000;

/// A hint is given if the idle headroom exceeds the packet buffer divided by this number.
constexpr uint64_t BUFFERS_PER_HINT = 20;

/// A hint is given if fewer frames are marked than the number of pauses divided by this number.
constexpr uint64_t PAUSES_PER_MARK = 100;

/// @param symptoms the symptoms of a run with retransmissions
/// @return a sentence about the cause
std::string
ExplainRetransmissions(const RunSymptoms& symptoms)
{
    const NicSignals& signals = symptoms.signals;
    const std::string text = FormatCount(signals.retransmitted) + " of " +
                             FormatCount(signals.dataSent) + " data packets were sent again";
    const bool isGoBackN = symptoms.reliability.empty();
    const uint64_t lost = symptoms.lostFrames;
    const uint64_t trimmed = symptoms.trimmedFrames;
    if (lost + trimmed > 0)
    {
        return text + " for " + (lost > 0 ? FormatThings(lost, "lost frame") : "") +
               (lost > 0 && trimmed > 0 ? " and " : "") +
               (trimmed > 0 ? FormatThings(trimmed, "trimmed frame") : "") +
               (signals.retransmitted <= lost + trimmed ? ""
                : isGoBackN ? ": go-back-N repeats all that was sent behind a lost one"
                            : ": the others were late, and taken for lost") +
               (isGoBackN && signals.timeouts > 0
                    ? "; flows waited for " + FormatThings(signals.timeouts, "timeout") +
                          " (RoceNic::RetransmitTimeout)."
                    : ".");
    }
    if (signals.outOfOrder > 0)
    {
        // The counts do not show how many retransmissions each cause accounts for.
        const bool hasTimeouts = !isGoBackN && signals.timeouts > 0;
        return text + " though no frame was lost: packets overtook each other" +
               (symptoms.isAdaptive ? " under adaptive routing" : "") + ", which " +
               (isGoBackN ? "go-back-N" : symptoms.reliability) + " takes for loss" +
               (hasTimeouts ? "; besides, " + FormatThings(signals.timeouts, "timeout") : "") + ".";
    }
    return text + " though no frame was lost: their answers took longer than " +
           (isGoBackN ? "RoceNic::RetransmitTimeout."
                      : "the timeouts of " + symptoms.reliability + ".");
}

/// @param symptoms the symptoms of a run with few or no marks
/// @return a sentence about the cause
std::string
ExplainMissingMarks(const RunSymptoms& symptoms)
{
    if (!symptoms.hasMarker)
    {
        return "No switch marks frames, so that " + symptoms.livesOnMarks +
               " never slowed a flow down; set SwitchNode::Marker, or choose the congestion "
               "control by the option --congestion-control, which sets both.";
    }
    if (!symptoms.isEcnCapable)
    {
        return "No packet can be marked, since RoceNic::EcnCapable is false, so that " +
               symptoms.livesOnMarks + " never slowed a flow down.";
    }
    return FormatThings(symptoms.pauses, "pause") + ", but " +
           FormatThings(symptoms.markedFrames, "frame") +
           " marked: flow control acted before ECN, so that " + symptoms.livesOnMarks +
           (symptoms.markedFrames == 0 ? " never" : " hardly") + " slowed a flow down.";
}

/// Adds sentences about marking that does not work as intended.
void
ExplainMarks(const RunSymptoms& symptoms, std::vector<std::string>& sentences)
{
    const MisfitMarker& misfit = symptoms.misfit;
    if (!symptoms.livesOnMarks.empty() && !misfit.marker.empty() &&
        symptoms.markedFrames + symptoms.pauses > 0)
    {
        const std::string meant = FormatRate(misfit.meantRate);
        sentences.push_back(
            "The default thresholds of " + misfit.marker + " are meant for " + meant +
            ", and no switch port has that rate (the fastest: " + FormatRate(misfit.fastestRate) +
            "); --ns3::lossless::EcnMarker::ReferenceRate=" + meant +
            " scales them to each port's rate (doc/congestion-control.rst).");
    }
    if (!symptoms.withoutCnps.empty() && symptoms.markedFrames > 0)
    {
        sentences.push_back(FormatThings(symptoms.markedFrames, "frame") + " marked, but " +
                            symptoms.withoutCnps +
                            " received no CNP for its NotifyCnp(); its GetFeedback() must return "
                            "notifications = true.");
    }
}

/// Adds sentences if a congestion control algorithm needs telemetry but did not receive enough of
/// it.
void
ExplainTelemetry(const RunSymptoms& symptoms, std::vector<std::string>& sentences)
{
    const std::string& control = symptoms.livesOnTelemetry;
    if (!symptoms.hasTelemetry)
    {
        sentences.push_back("No switch writes telemetry, since SwitchNode::Telemetry is false, so "
                            "that " +
                            control + " never slowed a flow down.");
        return;
    }
    if (symptoms.signals.pathSwitches > TelemetryHeader::MAX_HOPS)
    {
        sentences.push_back("A path has " + std::to_string(symptoms.signals.pathSwitches) +
                            " switches, and telemetry has room for the first " +
                            std::to_string(TelemetryHeader::MAX_HOPS) + " of them, so that " +
                            control + " did not see the queues of the others.");
    }
    if (symptoms.ackInterval > 1)
    {
        sentences.push_back("Up to " + std::to_string(symptoms.ackInterval) +
                            " packets share an answer (RoceNic::AckInterval), and " + control +
                            " measures once an answer: flows may take longer to get equal shares "
                            "than with an answer to each packet, as in its paper.");
    }
}

std::string
ExplainIdleHeadroom(const IdleHeadroom& idle)
{
    std::string classes;
    for (std::size_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const bool isIdle = Contains(idle.classes, Priority{static_cast<uint8_t>(p)});
        classes += isIdle ? (classes.empty() ? "" : ", ") + std::to_string(p) : "";
    }
    return "Classes without flows (" + classes +
           ") have headroom that no other class can use: " + FormatCount(idle.bytes) +
           " B of a switch's " + FormatCount(idle.bufferBytes) +
           " B; leave them out (--lossless-classes in lossless-run and hpcc-run; elsewhere the bit "
           "mask --ns3::lossless::SwitchNode::LosslessClasses=" +
           std::to_string(idle.used) + ").";
}

/// @return whether so few frames were marked that a control by marks could not act
bool
HasFewMarks(const RunSymptoms& symptoms)
{
    const bool isSpeaking = symptoms.pauses > 0 || !symptoms.hasMarker ||
                            (!symptoms.isEcnCapable && symptoms.signals.dataSent > 0);
    return symptoms.markedFrames * PAUSES_PER_MARK < symptoms.pauses ||
           (symptoms.markedFrames == 0 && isSpeaking);
}

/// @return a marker with default thresholds intended for a rate that no switch port has, if there
/// is one
MisfitMarker
FindMisfitMarker(const MeasuredNetwork& network)
{
    MisfitMarker found;
    for (const Ptr<SwitchNode>& node : network.GetSwitches())
    {
        ObjectFactoryValue marker;
        node->GetAttribute("Marker", marker);
        const DataRate meant = marker.Get().Create<EcnMarker>()->GetMeantRate();
        for (uint32_t i = 0; meant.GetBitRate() > 0 && i < node->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i));
            const DataRate rate = device ? device->GetFirstRate() : DataRate(0);
            if (rate == meant)
            {
                return {};
            }
            const std::string type = marker.Get().GetTypeId().GetName();
            found = {type.substr(type.rfind(':') + 1), meant, std::max(found.fastestRate, rate)};
        }
    }
    return found;
}

/// @param used the traffic classes of the flows
/// @return the headroom of the other lossless classes in the switch where this headroom is largest
IdleHeadroom
FindIdleHeadroom(const MeasuredNetwork& network, PrioritySet used)
{
    IdleHeadroom most;
    for (const Ptr<SwitchNode>& node : network.GetSwitches())
    {
        const auto policy = DynamicCast<HeadroomBufferPolicy>(node->GetBufferPolicy());
        const SwitchShape shape = policy ? node->GetShape() : SwitchShape();
        const auto idle = static_cast<PrioritySet>(shape.lossless & ~used);
        if (idle == 0)
        {
            continue;
        }
        SwitchShape idleShape = shape;
        idleShape.lossless = idle;
        const uint64_t bytes =
            policy->GetReservedHeadroom() * idleShape.CountLossless() / shape.CountLossless();
        most = bytes > most.bytes ? IdleHeadroom{used, idle, bytes, shape.bufferBytes} : most;
    }
    return most;
}

/// @return the name of a ClassScheduler in use that has different shares for classes (`Quanta`), or
/// an empty string
std::string
FindSchedulerOfShares(const MeasuredNetwork& network)
{
    for (const Ptr<SwitchNode>& node : network.GetSwitches())
    {
        ObjectFactoryValue scheduler;
        node->GetAttribute("Scheduler", scheduler);
        StringValue quanta;
        scheduler.Get().Create<ClassScheduler>()->GetAttributeFailSafe("Quanta", quanta);
        if (!quanta.Get().empty())
        {
            const std::string type = scheduler.Get().GetTypeId().GetName();
            return type.substr(type.rfind(':') + 1);
        }
    }
    return "";
}

/// Adds what the switches show.
void
AddSwitches(const MeasuredNetwork& network, RunSymptoms& symptoms)
{
    symptoms.hasMarker = false;
    symptoms.hasTelemetry = network.GetSwitches().empty();
    for (const Ptr<SwitchNode>& node : network.GetSwitches())
    {
        ObjectFactoryValue marker;
        node->GetAttribute("Marker", marker);
        BooleanValue telemetry;
        node->GetAttribute("Telemetry", telemetry);
        symptoms.isAdaptive |= !node->GetForwarding()->KeepsPath();
        symptoms.hasMarker |= marker.Get().GetTypeId() != EcnMarker::GetTypeId();
        symptoms.hasTelemetry |= telemetry.Get();
    }
    for (const auto& [name, node] : network.GetNodes())
    {
        const bool isEnd = node->GetNDevices() == 1 && DynamicCast<SwitchNode>(node);
        symptoms.deadEnd = isEnd && symptoms.deadEnd.empty() ? name : symptoms.deadEnd;
    }
}

/// Adds what the NICs show.
void
AddNics(const MeasuredNetwork& network, RunSymptoms& symptoms)
{
    symptoms.isEcnCapable = network.GetNics().empty();
    symptoms.ackInterval = 0;
    for (const Ptr<Object>& nic : network.GetNics())
    {
        BooleanValue isCapable(true);
        nic->GetAttributeFailSafe("EcnCapable", isCapable);
        symptoms.isEcnCapable |= isCapable.Get();
        UintegerValue interval;
        nic->GetAttributeFailSafe("AckInterval", interval);
        symptoms.ackInterval = std::max(symptoms.ackInterval, interval.Get());
        ObjectFactoryValue reliability;
        if (symptoms.reliability.empty() && nic->GetAttributeFailSafe("Reliability", reliability) &&
            reliability.Get().GetTypeId() != GoBackN::GetTypeId())
        {
            symptoms.reliability = GetPartName<ReliabilityInfo>(reliability.Get().GetTypeId());
        }
    }
}

/// Adds what the congestion control algorithms show. The first of them is named.
void
AddControls(const MeasuredNetwork& network, RunSymptoms& symptoms)
{
    for (const auto& [name, factory] : network.GetControls())
    {
        const auto info = FindPart<CongestionControlInfo>(name);
        const auto control = factory.Create<CongestionControl>();
        const auto note = [&name = name](std::string& found, bool matches) {
            found = matches && found.empty() ? name : found;
        };
        note(symptoms.livesOnMarks, info && !info->marker.empty());
        note(symptoms.livesOnTelemetry, control->GetFeedback().telemetry);
        note(symptoms.withoutCnps, !control->GetFeedback().notifications && control->HandlesCnps());
    }
}

} // namespace

RunSymptoms
FindSymptoms(const MeasuredNetwork& network)
{
    RunSymptoms symptoms;
    AddSwitches(network, symptoms);
    AddNics(network, symptoms);
    AddControls(network, symptoms);
    symptoms.misfit = FindMisfitMarker(network);
    return symptoms;
}

std::vector<std::string>
ExplainSlowness(const RunSymptoms& symptoms)
{
    std::vector<std::string> sentences;
    const NicSignals& signals = symptoms.signals;
    if (signals.retransmitted > 0 && signals.retransmitted * PACKETS_PER_HINT >= signals.dataSent)
    {
        sentences.push_back(ExplainRetransmissions(symptoms));
    }
    if (!symptoms.livesOnMarks.empty() && HasFewMarks(symptoms))
    {
        sentences.push_back(ExplainMissingMarks(symptoms));
    }
    ExplainMarks(symptoms, sentences);
    if (!symptoms.livesOnTelemetry.empty() && signals.dataSent > 0)
    {
        ExplainTelemetry(symptoms, sentences);
    }
    if (symptoms.isInControlClass)
    {
        sentences.emplace_back("Flows have class 7, which switches send before all others for the "
                               "acknowledgements and CNPs in it; write another one (lossless-run: "
                               "--classes, or --collective-class).");
    }
    if (!symptoms.idleShares.empty())
    {
        sentences.push_back("All flows have one class, so that " + symptoms.idleShares +
                            "::Quanta had no classes to divide a port between.");
    }
    if (symptoms.idle.bytes * BUFFERS_PER_HINT > symptoms.idle.bufferBytes)
    {
        sentences.push_back(ExplainIdleHeadroom(symptoms.idle));
    }
    if (!symptoms.deadEnd.empty())
    {
        sentences.push_back("Switch " + symptoms.deadEnd +
                            " has a single link, so that no path leads through it; a host in a "
                            "file of links is named h and a number, or has the kind host (kind_a, "
                            "kind_b).");
    }
    return sentences;
}

namespace
{

/// Provides the hints of ExplainSlowness(). They are based on the data of other recorders.
class SlownessHints : public Recorder
{
  public:
    static TypeId GetTypeId();

    std::vector<std::string> GetHints() const override;

  private:
    /// Adds the symptoms that depend on the classes of the flows, such as the losses in these
    /// classes.
    void AddFlows(RunSymptoms& symptoms) const;
};

NS_OBJECT_ENSURE_REGISTERED(SlownessHints);

const RegisterRecorder<SlownessHints> g_hints("hints", 4);

TypeId
SlownessHints::GetTypeId()
{
    static TypeId tid = MakeTypeId<SlownessHints, Recorder>("SlownessHints");
    return tid;
}

std::vector<std::string>
SlownessHints::GetHints() const
{
    const auto signals = GetRun().Get<SignalRecorder>();
    RunSymptoms symptoms = FindSymptoms(*GetRun().Get<MeasuredNetwork>());
    symptoms.signals = signals->GetTotal();
    symptoms.markedFrames = signals->CountMarks();
    symptoms.trimmedFrames = signals->CountTrims();
    AddFlows(symptoms);
    for (const PauseDepthRecord& record : GetRun().Get<PausePropagation>()->GetDepths())
    {
        symptoms.pauses += record.pauses;
    }
    return ExplainSlowness(symptoms);
}

void
SlownessHints::AddFlows(RunSymptoms& symptoms) const
{
    const auto network = GetRun().Get<MeasuredNetwork>();
    PrioritySet used = 0;
    PrioritySet recovered = 0; // classes of the RoCE flows
    for (const FlowRow& row : GetRun().Get<FlowPlan>()->GetRows())
    {
        const PrioritySet own = SetOf(Priority{static_cast<uint8_t>(row.priority)});
        used |= own;
        recovered |= row.signals ? own : PrioritySet(0);
    }
    if (const auto groups = GetRun().Get<FlowGroups>(); groups->IsOn())
    {
        used = recovered = groups->GetClasses();
    }
    recovered |= recovered != 0 ? SetOf(CONTROL_PRIORITY) : PrioritySet(0);
    symptoms.isInControlClass = Contains(used, CONTROL_PRIORITY);
    if (std::bitset<NUM_PRIORITIES>(used).count() == 1)
    {
        symptoms.idleShares = FindSchedulerOfShares(*network);
    }
    if (used != 0)
    {
        symptoms.idle = FindIdleHeadroom(*network, used);
    }
    for (const DropRecord& drop : GetRun().Get<DropRecorder>()->GetDrops())
    {
        const bool isOfThem = !drop.priority || Contains(recovered, *drop.priority);
        symptoms.lostFrames += drop.isControl || !isOfThem ? 0 : drop.frames;
    }
}

} // namespace

} // namespace ns3::lossless
