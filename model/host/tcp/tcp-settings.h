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
 * The socket has an initial window of one segment, slow start without a threshold, an ACK for every
 * segment, and neither SACK nor window scaling nor limited transmit. So a header has 20 bytes, with
 * "Timestamps" 32, and its window is "WindowBytes". As long as the application reads at once, ns-3
 * always advertises exactly that (unless "CountUnordered" reduces it), and never has more in
 * flight.
 *
 * Without "Retransmit", duplicate ACKs change nothing, and a retransmission timeout takes 240 s: in
 * a network that reorders but loses nothing, TCP only does slow start up to the window.
 *
 * With it, TCP is Reno (RFC 5681): the third duplicate ACK resends one segment and halves the
 * window, and the next ACK of something new ends this recovery, so several losses in one window
 * mostly end in a timeout. ns-3 itself only has "NewReno", which stays in recovery until everything
 * in flight at its start is acknowledged (RFC 6582). In both, slow start grows a window by one
 * segment per ACK. "RestartAfter" lets an unused window expire.
 *
 * Defaults of other sockets are unchanged: set the attribute "Sockets" of RequestClient and
 * ReplyServer to an object of this class, or call MakeSocket().
 */
class TcpSettings : public SocketMaker
{
  public:
    /// Retransmission timeout of sockets that do not retransmit (PABO, Sec. IV).
    static constexpr int64_t UPPER_BOUND_OF_RTO_SECONDS = 240;

    /// @return the type
    static TypeId GetTypeId();

    /// Makes settings with PABO: no retransmission.
    /// @param windowBytes advertised window
    static Ptr<TcpSettings> ForPabo(uint32_t windowBytes);
    /// Makes settings without PABO: TCP Reno.
    /// @param windowBytes advertised window
    static Ptr<TcpSettings> ForReno(uint32_t windowBytes);

    Ptr<Socket> MakeSocket(Ptr<Node> node) const override;

  private:
    static Ptr<TcpSettings> MakeSettings(uint32_t windowBytes, bool retransmit);

    void CheckConfiguration() const;
    void SetSizes(Ptr<Socket> socket) const;
    /// Sets the reaction of a socket to duplicate ACKs and timeouts.
    void SetRetransmission(Ptr<Socket> socket) const;

    uint32_t m_segmentBytes{0};    ///< payload of a segment
    bool m_timestamps{false};      ///< in each segment
    uint32_t m_windowBytes{0};     ///< advertised window
    uint32_t m_initialSegments{0}; ///< initial window
    uint32_t m_sendBufferBytes{0}; ///< send buffer
    bool m_retransmit{false};      ///< whether anything is sent again
    bool m_newReno{false};         ///< if so, as by NewReno
    Time m_minRto;                 ///< if so, the minimum retransmission timeout
    bool m_countUnordered{false};  ///< out-of-order data takes room in the receive buffer
    Time m_restartAfter;           ///< idle time after which the congestion window is reset
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TCP_SETTINGS_H */
