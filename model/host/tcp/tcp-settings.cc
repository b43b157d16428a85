// SPDX-License-Identifier: GPL-2.0-only
#include "tcp-settings.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/boolean.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(TcpSettings);

namespace
{

const RegisterCondition<TcpSettings> g_recovery({"NewReno", "MinRto"},
                                                "Retransmit",
                                                Where::IS,
                                                "true");

/// The maximum value of the 16-bit window field in a TCP header, which applies without window
/// scaling.
constexpr uint32_t MAX_WINDOW_BYTES = 65535;
/// The size of the timestamps in each header, in bytes (RFC 7323, appendix A).
constexpr uint32_t TIMESTAMP_BYTES = 12;

/// The reaction of a socket to duplicate ACKs.
enum class LossRecovery : uint8_t
{
    NONE,     ///< no reaction
    RENO,     ///< recovery until new data is acknowledged
    NEW_RENO, ///< recovery until all data that was in flight when it began is acknowledged
};

/// The rules of TcpSettings that ns-3's socket attributes do not cover.
struct SocketRules
{
    LossRecovery recovery{LossRecovery::NONE}; ///< the reaction to duplicate ACKs
    bool countUnordered{false};                ///< see TcpSettings
    Time restartAfter;                         ///< see TcpSettings
};

/// A socket of ns-3 that supports Reno and lacks the features that are unsuitable for a small
/// advertised window.
class RenoSocket : public TcpSocketBase
{
  public:
    explicit RenoSocket(const SocketRules& rules)
        : m_rules(rules)
    {
    }

    /// Installs TcpNewReno, which after a loss halves the bytes in flight. TcpLinuxReno would halve
    /// the congestion window, which grows far beyond the advertised window if ssthresh is
    /// unlimited.
    void ResetCongestionControl()
    {
        SetCongestionControlAlgorithm(CreateObject<TcpNewReno>());
    }

  protected:
    /// Creates a socket for an accepted connection. Since ns-3.47, a copy of TcpNewReno does not
    /// preserve the fraction of the window that remains after a loss.
    Ptr<TcpSocketBase> Fork() override
    {
        auto socket = CopyObject<RenoSocket>(this);
        socket->ResetCongestionControl();
        return socket;
    }

    /// Returns the number of bytes that can be sent now. Resets the congestion window if the
    /// connection has been idle ("RestartAfter"). In recovery, ns-3.37 sends as many bytes as the
    /// congestion window allows, even if the advertised window cuts the segment short, and crashes
    /// if no byte of the segment remains (SkbSent). This class cuts a segment short only at the end
    /// of the data.
    uint32_t AvailableWindow() const override
    {
        const Time idle = Simulator::Now() - m_lastSent;
        if (!m_rules.restartAfter.IsZero() && idle > m_rules.restartAfter)
        {
            m_tcb->m_cWnd = std::min(m_tcb->m_cWnd.Get(), GetInitialCwnd() * GetSegSize());
        }
        const uint32_t window = TcpSocketBase::AvailableWindow();
        SequenceNumber32 begin;
        SequenceNumber32 end;
        if (window == 0 || !m_txBuffer->NextSeg(&begin, &end, false))
        {
            return window;
        }
        const uint32_t whole = std::min(GetSegSize(), m_txBuffer->SizeFromSequence(begin));
        return static_cast<uint32_t>(end - begin) < whole ? 0 : window;
    }

    uint32_t SendDataPacket(SequenceNumber32 first, uint32_t bytes, bool withAck) override
    {
        m_lastSent = Simulator::Now();
        return TcpSocketBase::SendDataPacket(first, bytes, withAck);
    }

    uint16_t AdvertisedWindowSize(bool scale) const override
    {
        if (!m_rules.countUnordered)
        {
            return TcpSocketBase::AdvertisedWindowSize(scale);
        }
        // The right edge of the window never moves back (RFC 9293, Sec. 3.8.6.2.1).
        const TcpRxBuffer& buffer = *m_tcb->m_rxBuffer;
        const SequenceNumber32 next = buffer.NextRxSequence();
        m_rightEdge = std::max(m_rightEdge, next + (buffer.MaxBufferSize() - buffer.Size()));
        return static_cast<uint16_t>(m_rightEdge - next);
    }

    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override
    {
        const SequenceNumber32 head = m_txBuffer->HeadSequence();
        const SequenceNumber32 ack = header.GetAckNumber();
        // Unlike in ns-3, a segment with payload is not a duplicate ACK (RFC 5681, Sec. 2).
        if (ack == head && (packet->GetSize() > 0 || m_rules.recovery == LossRecovery::NONE))
        {
            if (packet->GetSize() > 0)
            {
                ReceivedData(packet, header);
            }
            SendPendingData(m_connected);
            return;
        }
        if (ack > head && m_rules.recovery == LossRecovery::RENO &&
            m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
        {
            // Reno's recovery ends at this point. The state derived from duplicate ACKs is
            // discarded, because otherwise the first remaining segment would be considered lost.
            m_txBuffer->ResetRenoSack();
            m_recover = ack;
        }
        TcpSocketBase::ReceivedAck(packet, header);
    }

  private:
    SocketRules m_rules;
    Time m_lastSent;                         ///< the time at which data was last sent
    mutable SequenceNumber32 m_rightEdge{0}; ///< the right edge of the advertised window
};

} // namespace

TypeId
TcpSettings::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<TcpSettings, SocketMaker>("TcpSettings")
            .AddAttribute("SegmentBytes",
                          "Largest payload of a segment in bytes; PABO does not state it; 536 is "
                          "the default of its simulator (RFC 1122).",
                          UintegerValue(536),
                          MakeUintegerAccessor(&TcpSettings::m_segmentBytes),
                          MakeUintegerChecker<uint32_t>(1, MAX_WINDOW_BYTES))
            .AddAttribute("Timestamps",
                          "Whether segments carry timestamps (RFC 7323), which take 12 of their "
                          "SegmentBytes.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpSettings::m_timestamps),
                          MakeBooleanChecker())
            .AddAttribute("WindowBytes",
                          "Window that a receiver advertises, in bytes; PABO has 45535 (Sec. IV) "
                          "and 50000 (Sec. VI).",
                          UintegerValue(45535),
                          MakeUintegerAccessor(&TcpSettings::m_windowBytes),
                          MakeUintegerChecker<uint32_t>(1, MAX_WINDOW_BYTES))
            .AddAttribute("InitialWindow",
                          "Congestion window of a new connection, in segments.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TcpSettings::m_initialSegments),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("SendBufferBytes",
                          "Send buffer in bytes; at least WindowBytes + SegmentBytes, so that it "
                          "never cuts a segment short. The default holds a whole reply of PABO.",
                          UintegerValue(2 << 20),
                          MakeUintegerAccessor(&TcpSettings::m_sendBufferBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Retransmit",
                          "Whether three duplicate ACKs or a timeout make TCP retransmit and "
                          "reduce its window: false with PABO, true without (Sec. VI-B).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpSettings::m_retransmit),
                          MakeBooleanChecker())
            .AddAttribute("NewReno",
                          "With Retransmit: whether recovery lasts until all data in flight at its "
                          "start is acknowledged (RFC 6582) instead of up to the first new ACK as "
                          "in TCP Reno (RFC 5681), which the paper uses without PABO.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpSettings::m_newReno),
                          MakeBooleanChecker())
            .AddAttribute("CountUnordered",
                          "Whether data that has arrived out of order takes room in the receive "
                          "buffer, so that the window advances by less, as in PABO's simulator; "
                          "ns-3 itself counts from the first missing byte.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpSettings::m_countUnordered),
                          MakeBooleanChecker())
            .AddAttribute(
                "RestartAfter",
                "Idle time after which the congestion window restarts from InitialWindow (RFC "
                "5681, Sec. 4.1: one retransmission timeout); 0: never, as in ns-3 itself.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&TcpSettings::m_restartAfter),
                MakeTimeChecker(Time(0)))
            .AddAttribute("MinRto",
                          "Minimum retransmission timeout with Retransmit (default 1 s: RFC 6298; "
                          "PABO states none). Without Retransmit, it is 240 s.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&TcpSettings::m_minRto),
                          MakeTimeChecker(Time(0)));
    return tid;
}

Ptr<TcpSettings>
TcpSettings::ForPabo(uint32_t windowBytes)
{
    NS_ABORT_MSG_IF(windowBytes == 0 || windowBytes > MAX_WINDOW_BYTES,
                    "TcpSettings: the window is " << windowBytes << " bytes; it can be 1 to "
                                                  << MAX_WINDOW_BYTES << ".");
    auto settings = CreateObject<TcpSettings>();
    settings->SetAttribute("WindowBytes", UintegerValue(windowBytes));
    settings->SetAttribute("Retransmit", BooleanValue(false));
    return settings;
}

Ptr<TcpSettings>
TcpSettings::ForReno(uint32_t windowBytes)
{
    auto settings = ForPabo(windowBytes);
    settings->SetAttribute("Retransmit", BooleanValue(true));
    return settings;
}

Ptr<Socket>
TcpSettings::MakeSocket(Ptr<Node> node) const
{
    CheckConfiguration();
    auto tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_IF(!tcp,
                    "TcpSettings: node " << node->GetId()
                                         << " has no TCP; install ns-3's Internet stack on it "
                                            "first.");
    const LossRecovery reno = m_newReno ? LossRecovery::NEW_RENO : LossRecovery::RENO;
    const LossRecovery recovery = m_retransmit ? reno : LossRecovery::NONE;
    auto socket = CreateObject<RenoSocket>(SocketRules{recovery, m_countUnordered, m_restartAfter});
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateObject<RttMeanDeviation>());
    socket->ResetCongestionControl();
    socket->SetRecoveryAlgorithm(CreateObject<TcpClassicRecovery>());
    tcp->AddSocket(socket);
    SetSizes(socket);
    SetRetransmission(socket);
    return socket;
}

void
TcpSettings::CheckConfiguration() const
{
    NS_ABORT_MSG_IF(m_timestamps && m_segmentBytes <= TIMESTAMP_BYTES,
                    "TcpSettings: SegmentBytes is " << m_segmentBytes
                                                    << "; with Timestamps it must be above "
                                                    << TIMESTAMP_BYTES << ".");
    NS_ABORT_MSG_IF(m_windowBytes < m_segmentBytes,
                    "TcpSettings: WindowBytes is " << m_windowBytes << " and SegmentBytes is "
                                                   << m_segmentBytes
                                                   << "; the window must hold a segment.");
    NS_ABORT_MSG_IF(m_sendBufferBytes < m_windowBytes + m_segmentBytes,
                    "TcpSettings: SendBufferBytes is "
                        << m_sendBufferBytes << "; it must be at least WindowBytes + SegmentBytes, "
                        << m_windowBytes + m_segmentBytes << ".");
}

void
TcpSettings::SetSizes(Ptr<Socket> socket) const
{
    const uint32_t payload = m_segmentBytes - (m_timestamps ? TIMESTAMP_BYTES : 0);
    socket->SetAttribute("SegmentSize", UintegerValue(payload));
    socket->SetAttribute("InitialCwnd", UintegerValue(m_initialSegments));
    socket->SetAttribute("InitialSlowStartThreshold",
                         UintegerValue(std::numeric_limits<uint32_t>::max()));
    socket->SetAttribute("SndBufSize", UintegerValue(m_sendBufferBytes));
    socket->SetAttribute("RcvBufSize", UintegerValue(m_windowBytes));
    socket->SetAttribute("MaxWindowSize", UintegerValue(MAX_WINDOW_BYTES));
    socket->SetAttribute("WindowScaling", BooleanValue(false));
    socket->SetAttribute("Sack", BooleanValue(false));
    socket->SetAttribute("Timestamp", BooleanValue(m_timestamps));
    socket->SetAttribute("DelAckCount", UintegerValue(1));
}

void
TcpSettings::SetRetransmission(Ptr<Socket> socket) const
{
    socket->SetAttribute("ReTxThreshold", UintegerValue(3));
    // The authors' simulator enables limited transmit. In ns-3 without SACK, limited transmit makes
    // some ACKs that follow reordering mark the oldest segment as lost. This segment is then
    // retransmitted after fewer than three duplicate ACKs.
    socket->SetAttribute("LimitedTransmit", BooleanValue(false));
    const Time upperBound = Seconds(UPPER_BOUND_OF_RTO_SECONDS);
    socket->SetAttribute("MinRto", TimeValue(m_retransmit ? m_minRto : upperBound));
}

} // namespace ns3::lossless
