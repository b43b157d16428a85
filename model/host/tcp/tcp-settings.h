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
 * Makes TCP sockets like those of the PABO paper (Sec. IV and VI), whose simulator was INET.
 *
 * Of the socket: initial window of one segment, slow start without a threshold, an ACK for every
 * segment, neither SACK nor window scaling nor limited transmit, so that a header has 20 bytes,
 * with "Timestamps" 32, and the window in it is "WindowBytes". As long as the application reads at
 * once, ns-3 always advertises just that (unless "CountUnordered" takes something off), and never
 * has more bytes unacknowledged.
 *
 * Without "Retransmit", duplicate ACKs change nothing, and a retransmission timeout takes 240 s:
 * in a network which reorders but loses nothing, all that TCP does is slow start up to the window.
 *
 * With it, TCP is Reno (RFC 5681): the third duplicate ACK sends one segment again and halves the
 * window, and the next ACK of something new ends this recovery, so that several losses in one
 * window mostly end in a timeout. ns-3 itself has only "NewReno", which stays in recovery until
 * all is confirmed that was under way (RFC 6582). In both, a window grows in slow start by one
 * segment per ACK. "RestartAfter" lets an unused window expire.
 *
 * Defaults of other sockets are left alone: give an object to the attribute "Sockets" of
 * RequestClient and ReplyServer, or call MakeSocket().
 */
class TcpSettings : public SocketMaker
{
  public:
    /// Retransmission timeout of sockets that do not retransmit (PABO, Sec. IV).
    static constexpr int64_t UPPER_BOUND_OF_RTO_SECONDS = 240;

    /// @return the type
    static TypeId GetTypeId();

    /// @param windowBytes advertised window @return settings with PABO: no retransmission
    static Ptr<TcpSettings> ForPabo(uint32_t windowBytes);
    /// @param windowBytes advertised window @return settings without PABO: TCP Reno
    static Ptr<TcpSettings> ForReno(uint32_t windowBytes);

    Ptr<Socket> MakeSocket(Ptr<Node> node) const override;

  private:
    /// @param windowBytes advertised window @param retransmit see the attribute @return settings
    static Ptr<TcpSettings> MakeSettings(uint32_t windowBytes, bool retransmit);

    /// Stops the program if the settings contradict each other.
    void CheckConfiguration() const;
    /// @param socket a socket whose buffers and options to set
    void SetSizes(Ptr<Socket> socket) const;
    /// @param socket a socket whose reaction to duplicate ACKs and timeouts to set
    void SetRetransmission(Ptr<Socket> socket) const;

    uint32_t m_segmentBytes{0};    ///< payload of a segment
    bool m_timestamps{false};      ///< in each segment
    uint32_t m_windowBytes{0};     ///< advertised window
    uint32_t m_initialSegments{0}; ///< initial window
    uint32_t m_sendBufferBytes{0}; ///< send buffer
    bool m_retransmit{false};      ///< whether anything is sent twice
    bool m_newReno{false};         ///< if so, in the way of NewReno
    Time m_minRto;                 ///< if so, the least retransmission timeout
    bool m_countUnordered{false};  ///< data out of order takes room in the receive buffer
    Time m_restartAfter;           ///< idle time after which the congestion window starts again
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TCP_SETTINGS_H */
