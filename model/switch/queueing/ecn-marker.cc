// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-marker.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(EcnMarker);
NS_OBJECT_ENSURE_REGISTERED(StepMarker);
NS_OBJECT_ENSURE_REGISTERED(RedMarker);

namespace
{

const RegisterCondition<EcnMarker> g_marks({"ReferenceRate", "MarkOnDequeue"},
                                           "ns3::lossless::SwitchNode::Marker",
                                           Where::IS_NOT,
                                           "ns3::lossless::EcnMarker");

constexpr uint64_t DEFAULT_STEP = 200000;
const char* const RATE_OF_STEP = "25Gbps";
constexpr uint64_t DEFAULT_MIN = 400000;
constexpr uint64_t DEFAULT_MAX = 1600000;
const char* const RATE_OF_RED = "100Gbps";

} // namespace

TypeId
EcnMarker::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<EcnMarker, Object>("EcnMarker")
            .AddAttribute("ReferenceRate",
                          "Port rate for which thresholds in bytes are given; at other rates, they "
                          "are scaled in proportion. 0: they are never scaled.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&EcnMarker::m_referenceRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "MarkOnDequeue",
                "Whether a frame is marked when it starts to leave, by the queue that remains "
                "behind it, instead of when it joins the egress queue (the default).",
                BooleanValue(false),
                MakeBooleanAccessor(&EcnMarker::m_onDequeue),
                MakeBooleanChecker());
    return tid;
}

void
EcnMarker::SetPortRate(DataRate rate)
{
    const auto reference = static_cast<double>(m_referenceRate.GetBitRate());
    m_scale = reference > 0 ? static_cast<double>(rate.GetBitRate()) / reference : 1;
    UpdateThresholds();
}

DataRate
EcnMarker::GetMeantRate() const
{
    return m_referenceRate.GetBitRate() > 0 ? DataRate(0) : GetDefaultsRate();
}

uint64_t
EcnMarker::Scale(uint64_t threshold) const
{
    if (m_scale == 1)
    {
        return threshold;
    }
    const double largest = 0x1p62; // longer than any queue
    return std::llround(std::min(static_cast<double>(threshold) * m_scale, largest));
}

TypeId
StepMarker::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<StepMarker, EcnMarker>("StepMarker")
            .AddAttribute(
                "Threshold",
                "Length of the egress queue, in bytes, above which a frame that joins it is "
                "marked, this frame and the one on the wire included; with MarkOnDequeue, a frame "
                "that leaves, without this frame (default 200 kB: FAFC's settings at 25 Gb/s).",
                UintegerValue(DEFAULT_STEP),
                MakeUintegerAccessor(&StepMarker::SetThreshold, &StepMarker::GetThreshold),
                MakeCountChecker());
    return tid;
}

bool
StepMarker::ShouldMark(const SwitchItem& /* item */, uint64_t egressBytes)
{
    return MayMark(egressBytes);
}

DataRate
StepMarker::GetDefaultsRate() const
{
    return m_threshold == DEFAULT_STEP ? DataRate(RATE_OF_STEP) : DataRate(0);
}

void
StepMarker::UpdateThresholds()
{
    SetQuietBytes(Scale(m_threshold));
}

void
StepMarker::SetThreshold(uint64_t bytes)
{
    m_threshold = bytes;
    UpdateThresholds();
}

uint64_t
StepMarker::GetThreshold() const
{
    return m_threshold;
}

TypeId
RedMarker::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RedMarker, EcnMarker>("RedMarker")
            .AddAttribute("MinBytes",
                          "Length of the egress queue, in bytes, up to which no frame is marked "
                          "(default 400 kB: the public DCQCN configuration scaled to 100 Gb/s).",
                          UintegerValue(DEFAULT_MIN),
                          MakeUintegerAccessor(&RedMarker::SetMin, &RedMarker::GetMin),
                          MakeCountChecker())
            .AddAttribute("MaxBytes",
                          "Length, in bytes, above which every frame is marked; at least MinBytes.",
                          UintegerValue(DEFAULT_MAX),
                          MakeUintegerAccessor(&RedMarker::SetMax, &RedMarker::GetMax),
                          MakeCountChecker())
            .AddAttribute("MaxProbability",
                          "Marking probability at MaxBytes.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&RedMarker::m_maxProbability),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

RedMarker::RedMarker()
    : m_uniform(CreateObject<UniformRandomVariable>())
{
}

void
RedMarker::DoInitialize()
{
    NS_ABORT_MSG_IF(m_max < m_min,
                    "RedMarker: MaxBytes of " << m_max << " is below MinBytes of " << m_min
                                              << "; it must be at least MinBytes.");
    EcnMarker::DoInitialize();
}

DataRate
RedMarker::GetDefaultsRate() const
{
    const bool areDefaults = m_min == DEFAULT_MIN && m_max == DEFAULT_MAX;
    return areDefaults ? DataRate(RATE_OF_RED) : DataRate(0);
}

void
RedMarker::UpdateThresholds()
{
    m_lower = Scale(m_min);
    m_upper = Scale(m_max);
    SetQuietBytes(m_lower);
}

void
RedMarker::SetMin(uint64_t bytes)
{
    m_min = bytes;
    UpdateThresholds();
}

uint64_t
RedMarker::GetMin() const
{
    return m_min;
}

void
RedMarker::SetMax(uint64_t bytes)
{
    m_max = bytes;
    UpdateThresholds();
}

uint64_t
RedMarker::GetMax() const
{
    return m_max;
}

bool
RedMarker::ShouldMark(const SwitchItem& /* item */, uint64_t egressBytes)
{
    if (!MayMark(egressBytes))
    {
        return false;
    }
    if (egressBytes > m_upper)
    {
        return true;
    }
    const double position =
        static_cast<double>(egressBytes - m_lower) / static_cast<double>(m_upper - m_lower);
    return m_uniform->GetValue() < position * m_maxProbability;
}

int64_t
RedMarker::AssignStreams(int64_t stream)
{
    m_uniform->SetStream(stream);
    return 1;
}

} // namespace ns3::lossless
