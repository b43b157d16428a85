// SPDX-License-Identifier: GPL-2.0-only
#include "dctcp.h"

#include "congestion-control-info.h"

#include "ns3/double.h"
#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Dctcp);

const RegisterCongestionControl<Dctcp> g_dctcp("DCTCP", 30, [](CongestionControlInfo& control) {
    control.what = "rate and window, by the share of marked packets (Alizadeh et al.)";
    control.marker = "ns3::lossless::StepMarker";
    control.constants.push_back({"hpcc-simulator",
                                 {hpcc_simulator::LEAST_RATE,
                                  hpcc_simulator::ANSWERS_IN_DATA_CLASS,
                                  hpcc_simulator::MARKS_ON_DEQUEUE}});
});

TypeId
Dctcp::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<Dctcp, RateCongestionControl>("Dctcp")
            .AddAttribute("Gain",
                          "Weight g of a new observation in alpha (default 1/16: the paper).",
                          DoubleValue(1.0 / 16),
                          MakeDoubleAccessor(&Dctcp::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AdditiveStep",
                          "Increase of the rate per round trip, in bit/s (default 615 Mb/s: the "
                          "HPCC simulator, one packet of 1000 B in 13 us).",
                          DataRateValue(DataRate("615Mbps")),
                          MakeDataRateAccessor(&Dctcp::m_additiveStep),
                          MakeDataRateChecker())
            .AddAttribute("BaseRtt",
                          "Round-trip time without queues; the window is what the rate yields in "
                          "it. 0: no window. It should not be below that of the longest path "
                          "(default 13 us: the HPCC paper, SIGCOMM 2019, Sec. 5.1).",
                          TimeValue(MicroSeconds(13)),
                          MakeTimeAccessor(&Dctcp::m_baseRtt),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
Dctcp::NotifyAck(const AckSignals& signals, Time /* now */)
{
    m_sent = signals.sent;
    if (m_cut && signals.acknowledged > *m_cut)
    {
        m_cut.reset();
    }
    const bool isNewRound = UpdateAlpha(signals);
    if (signals.isMarked)
    {
        Cut(m_alpha / 2);
    }
    if (isNewRound && !m_cut)
    {
        SetCurrentRate(GetCurrentRate() + static_cast<double>(m_additiveStep.GetBitRate()));
    }
}

bool
Dctcp::UpdateAlpha(const AckSignals& signals)
{
    m_answeredBytes += signals.newBytes;
    m_markedBytes += signals.isMarked ? signals.newBytes : 0;
    if (m_round && signals.acknowledged <= *m_round)
    {
        return false;
    }
    if (m_round)
    {
        const double share =
            static_cast<double>(m_markedBytes) / static_cast<double>(m_answeredBytes);
        m_alpha = (1 - m_gain) * m_alpha + m_gain * share;
    }
    m_round = signals.sent;
    m_answeredBytes = 0;
    m_markedBytes = 0;
    return true;
}

void
Dctcp::NotifyLoss(const LossSignals& signals, Time /* now */)
{
    if (signals.isFirst)
    {
        m_sent = signals.sent;
        Cut(0.5);
    }
}

void
Dctcp::Cut(double share)
{
    if (!m_cut)
    {
        SetCurrentRate(GetCurrentRate() * (1 - share));
        m_cut = m_sent;
    }
}

uint64_t
Dctcp::GetWindow() const
{
    return GetBytesIn(m_baseRtt.GetSeconds());
}

} // namespace ns3::lossless
