// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TCP_SETTINGS_H
#define LOSSLESS_TCP_SETTINGS_H

#include "request-reply.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Creates TCP sockets like those in the PABO paper (Sec. IV and VI), whose authors used the INET
 * simulator.
 *
 * The socket has an initial window of one segment, slow start without a threshold, one ACK per
 * segment, and no SACK, window scaling or limited transmit. A header therefore has 20 bytes, or 32
 * with "Timestamps", and its window field is "WindowBytes". As long as the application reads data
 * immediately, ns-3 always advertises exactly this window (unless "CountUnordered" reduces it), and
 * the amount of data in flight never exceeds it.
 *
 * Without "Retransmit", duplicate ACKs have no effect, and the retransmission timeout is 240 s. In
 * a network that reorders but does not lose packets, TCP therefore performs only slow start, up to
 * the window.
 *
 * With "Retransmit", TCP is Reno (RFC 5681). The third duplicate ACK causes the retransmission of
 * one segment and halves the window. The next ACK of new data ends this recovery, so several losses
 * in one window usually lead to a timeout. ns-3 itself provides only NewReno, which remains in
 * recovery until all data that was in flight when recovery began has been acknowledged (RFC 6582).
 * In both variants, slow start increases the window by one segment per ACK. "RestartAfter" resets
 * the window after an idle time.
 *
 * The defaults of other sockets remain unchanged. Set the attribute "Sockets" of RequestClient and
 * ReplyServer to an object of this class, or call MakeSocket().
 */
class TcpSettings : public SocketMaker
{
  public:
    /// The retransmission timeout without "Retransmit", in seconds (PABO, Sec. IV).
    static constexpr int64_t UPPER_BOUND_OF_RTO_SECONDS = 240;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Creates the settings used with PABO, which disable retransmission.
    /// @param windowBytes the advertised window
    static Ptr<TcpSettings> ForPabo(uint32_t windowBytes);
    /// Creates the settings used without PABO, which are those of TCP Reno.
    /// @param windowBytes the advertised window
    static Ptr<TcpSettings> ForReno(uint32_t windowBytes);

    Ptr<Socket> MakeSocket(Ptr<Node> node) const override;

  private:
    void CheckConfiguration() const;
    void SetSizes(Ptr<Socket> socket) const;
    /// Configures the reaction of a socket to duplicate ACKs and timeouts.
    void SetRetransmission(Ptr<Socket> socket) const;

    uint32_t m_segmentBytes{0};    ///< the payload of a segment and its timestamps, in bytes
    bool m_timestamps{false};      ///< whether segments carry timestamps
    uint32_t m_windowBytes{0};     ///< the advertised window, in bytes
    uint32_t m_initialSegments{0}; ///< the initial window in segments
    uint32_t m_sendBufferBytes{0}; ///< the size of the send buffer, in bytes
    bool m_retransmit{false};      ///< whether segments are retransmitted
    bool m_newReno{false};         ///< whether to retransmit as in NewReno
    Time m_minRto;                 ///< the minimum retransmission timeout if segments are
                                   ///< retransmitted
    bool m_countUnordered{false};  ///< whether out-of-order data occupies the receive buffer
    Time m_restartAfter;           ///< the idle time after which the congestion window is reset
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TCP_SETTINGS_H */
