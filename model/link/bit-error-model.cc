// SPDX-License-Identifier: GPL-2.0-only
#include "bit-error-model.h"

#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/ordered-set.h"
#include "ns3/packet.h"

#include <cmath>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(BitErrorModel);

namespace
{

/// The size of the frame check sequence (FCS), which this module's frames do not contain.
constexpr uint32_t FCS_BYTES = 4;

} // namespace

TypeId
BitErrorModel::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<BitErrorModel, ErrorModel>("BitErrorModel")
            .AddAttribute("BitErrorRate",
                          "Probability that a bit arrives wrong, independently of others.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&BitErrorModel::m_rate),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

BitErrorModel::BitErrorModel()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

double
BitErrorModel::GetProbability(uint32_t bytes) const
{
    // 1 - (1 - p)^n would round to 0 at the error rates of real links.
    return m_isDead ? 1 : -std::expm1(8.0 * bytes * std::log1p(-m_rate));
}

bool
BitErrorModel::Hits(uint32_t bytes)
{
    const double probability = GetProbability(bytes);
    return probability > 0 && m_random->GetValue() < probability;
}

bool
BitErrorModel::DoCorrupt(Ptr<Packet> packet)
{
    const bool wasCorrupt = m_before && m_before->IsCorrupt(packet);
    const uint32_t fcs = IsOrderedSet(*packet) ? 0 : FCS_BYTES;
    return Hits(packet->GetSize() + fcs) || wasCorrupt;
}

void
BitErrorModel::DoReset()
{
    if (m_before)
    {
        m_before->Reset();
    }
}

int64_t
BitErrorModel::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    if (const auto before = DynamicCast<RateErrorModel>(m_before))
    {
        return 1 + before->AssignStreams(stream + 1);
    }
    if (const auto before = DynamicCast<BurstErrorModel>(m_before))
    {
        return 1 + before->AssignStreams(stream + 1);
    }
    const auto before = DynamicCast<BitErrorModel>(m_before);
    return 1 + (before ? before->AssignStreams(stream + 1) : 0);
}

} // namespace ns3::lossless
