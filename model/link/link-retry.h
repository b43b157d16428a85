// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_RETRY_H
#define LOSSLESS_LINK_RETRY_H

#include "ns3/drop-reason.h"
#include "ns3/event-id.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ranks.h"
#include "ns3/ring-buffer.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

class LosslessChannel;
class LosslessNetDevice;

/**
 * @ingroup lossless
 * Registers a kind of MAC control frame that must keep its place among data frames, because it
 * reports what was sent before it: LinkRetry then protects it like data. A constant in the source
 * file of its scheme.
 */
class RegisterRetriedOpcode
{
  public:
    /// Protects frames of this opcode.
    explicit RegisterRetriedOpcode(uint16_t opcode);
};

/**
 * @ingroup lossless
 * One end of link layer retry (LLR) modelled on Ultra Ethernet's, as SAI describes it
 * (opencomputeproject/SAI, doc/LLR/SAI-Link_Layer_Retry.md): the link itself retransmits frames
 * that it has corrupted.
 *
 * The transmitter numbers data frames and keeps a copy of each until the other end has acknowledged
 * it. The receiver acknowledges in-order frames cumulatively by control ordered sets of 8 bytes, at
 * least the time of "ControlSpacing" bytes apart. When a frame is corrupt or missing, it sends a
 * NACK with the last good number and silently discards all frames until the missing one arrives:
 * go-back-N. The transmitter then retransmits all kept frames before any new one. It also does so
 * when "ReplayTime" has passed without an acknowledgement, which recovers lost NACKs and lost last
 * frames.
 *
 * States of the transmitter:
 *
 *     OFF ------- the link comes up ------------------> INIT
 *     INIT ------ a round trip of LLR_INIT and echo --> ADVANCE
 *     ADVANCE --- NACK, or ReplayTime ----------------> REPLAY
 *     REPLAY ---- all that is kept was sent again ----> ADVANCE
 *     any ------- FLUSH ------------------------------> INIT, or OFF
 *
 * A FLUSH discards the kept frames (`llr-flush`): after too many unsuccessful replays, when a frame
 * has been kept for "DataAgeTimeout", or when the link has been down for "PcsLostTimeout". LLR
 * restarts at once (RE_INIT_ON_FLUSH); in INIT, frames leave unprotected (SAI's action
 * BEST_EFFORT), or wait with "BlockInInit" (BLOCK).
 *
 * MAC control frames such as PAUSEs have no number: they overtake a replay and are not
 * retransmitted. Their scheme must recover a lost one, as PFC does by refresh and timer. Those of a
 * RegisterRetriedOpcode are protected.
 *
 * Ordered sets occupy the wire between frames. Their numbers, and those of frames, have 20 bits.
 * Ultra Ethernet's encoding is not public; here, a code and a kind precede two numbers of 24 bits.
 *
 * The ends may be of two ranks, see Ranks, and share no state. The number of each frame, which a
 * preamble would carry, is sent alongside the frame.
 */
class LinkRetry : public Object, private MailReceiver
{
  public:
    /// State of the transmitter.
    enum class State : uint8_t
    {
        OFF,
        INIT,
        ADVANCE,
        REPLAY,
    };

    /// Counters; the names are SAI's, without LLR_ and CTL_OS.
    struct Counts
    {
        uint64_t txInit{0};            ///< LLR_INITs sent
        uint64_t txInitEcho{0};        ///< LLR_INIT_ECHOs sent
        uint64_t txAck{0};             ///< LLR_ACKs sent
        uint64_t txNack{0};            ///< LLR_NACKs sent
        uint64_t txOk{0};              ///< protected frames sent, including retransmissions
        uint64_t txReplay{0};          ///< replays completed
        uint64_t rxInit{0};            ///< LLR_INITs received
        uint64_t rxInitEcho{0};        ///< LLR_INIT_ECHOs received
        uint64_t rxAck{0};             ///< LLR_ACKs received
        uint64_t rxNack{0};            ///< LLR_NACKs received
        uint64_t rxAckNackSeqError{0}; ///< of both, those with an unexpected number
        uint64_t rxOk{0};              ///< protected frames received intact
        uint64_t rxBad{0};             ///< protected frames received corrupt
        uint64_t rxExpectedSeqGood{0}; ///< of rxOk, the next one in order
        uint64_t rxExpectedSeqBad{0};  ///< of rxBad, the next one in order
        uint64_t rxMissingSeq{0};      ///< received while an earlier one is missing
        uint64_t rxDuplicateSeq{0};    ///< received again
        uint64_t rxReplay{0};          ///< replays whose start was received
        uint64_t replays{0};           ///< replays started; this and the following are not SAI's
        uint64_t timeouts{0};          ///< of them, due to a missing acknowledgement
        uint64_t replayedFrames{0};    ///< frames retransmitted
        uint64_t flushes{0};           ///< times that the kept frames were discarded
        uint64_t setsLost{0}; ///< ordered sets that arrived corrupt or were lost with a cut

        /// @return all counters, see record-archive.h
        auto Tie()
        {
            return std::tie(txInit,
                            txInitEcho,
                            txAck,
                            txNack,
                            txOk,
                            txReplay,
                            rxInit,
                            rxInitEcho,
                            rxAck,
                            rxNack,
                            rxAckNackSeqError,
                            rxOk,
                            rxBad,
                            rxExpectedSeqGood,
                            rxExpectedSeqBad,
                            rxMissingSeq,
                            rxDuplicateSeq,
                            rxReplay,
                            replays,
                            timeouts,
                            replayedFrames,
                            flushes,
                            setsLost);
        }
    };

    /// @return the type
    static TypeId GetTypeId();

    /// Protects both directions of a cable; on all ranks in the same order.
    /// @param cable with both devices, before the first frame
    static void Install(Ptr<LosslessChannel> cable);

    /// @return state of the transmitter
    State GetState() const
    {
        return m_state;
    }

    /// @return counters so far
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    // Called by the device and its wire

    /// @return whether such frames are protected
    static bool IsEligible(const Frame& frame);
    /// @return whether the frame is an ordered set of LLR
    static bool IsSet(const Frame& frame);

    /// The frame is put on the wire.
    void NoteSent(const Frame& frame);
    /// @return whether new frames must wait: for a replay, for buffer space or for the handshake
    bool IsHolding() const;
    /// @return the next frame to be retransmitted now, if any
    std::optional<Frame> TakeReplay();
    /// Called for a MAC control frame to be sent.
    /// @return whether it must wait for the end of the replay
    bool Defer(const Frame& frame);
    /// An eligible frame has arrived at the end of the wire. @return whether it has a number
    bool NoteArrival();
    /// Called next for the same frame. @return whether it is the next one in order and intact
    bool Accept(bool isCorrupt);
    /// An ordered set has arrived. @param isLost it is corrupt, or the cable was cut
    void TakeSet(const Frame& frame, bool isLost);
    /// Restarts after the link went down or came up.
    void NotifyLinkChanged(bool up);

  protected:
    void DoDispose() override;

  private:
    /// A copy of a sent frame.
    struct Kept
    {
        uint64_t number;
        Time since; ///< when it was first sent
        Frame frame;
    };

    /// Frames kept when the link went down.
    struct Remains
    {
        uint32_t change;       ///< see m_change
        std::deque<Kept> kept; ///< in order
        DropReason reason;     ///< for frames that have not arrived
    };

    enum class Set : uint8_t
    {
        INIT = 0xd0,
        INIT_ECHO,
        ACK,
        NACK,
    };

    /// Message to the other end in addition to frames and ordered sets.
    struct Note
    {
        bool isLabel;    ///< of a frame under way; otherwise: the link went down
        uint32_t change; ///< see m_change
        uint32_t number; ///< of the frame, or UNNUMBERED; or the next one in order
        Ticks due;       ///< when it takes effect
        uint32_t first;  ///< of an LLR_INIT not yet followed by a frame; else UNNUMBERED
        uint32_t before; ///< the next one in order before that
    };

    /// Installs it on a device.
    void Attach(LosslessNetDevice* device, LinkRetry* peer);
    /// Sends a note to the other end, over the cable's delay.
    void Tell(const Note& note);
    void TakeNote(const Note& note);
    /// After the link went down: the other end reports what it has received.
    void TakeLastNote(const Note& note);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// @return time from the sending of an ordered set to its arrival, over an idle wire
    Time GetSetTime() const;
    Time GetTimeOf(uint32_t bytes) const;
    /// @return maximum time from the sending of an ordered set to its answer
    Time GetRoundTrip() const;
    uint32_t GetFullFrame() const;
    /// @return how long the transmitter waits for an acknowledgement
    Time GetReplayTime() const;
    void SendSet(Set kind, uint64_t first, uint64_t second);

    void SendInit();
    /// An LLR_INIT has arrived. @param first number of the first protected frame
    void TakeInit(uint32_t first);
    /// The echo of an LLR_INIT has arrived.
    /// @param first number that was sent
    /// @param next number behind the last good frame before
    void TakeEcho(uint32_t first, uint32_t next);
    /// An acknowledgement or NACK has arrived. @param next number behind the last good frame
    void TakeState(uint32_t next, bool isNack);
    /// An acknowledgement or NACK may be sent now.
    void SendState();
    /// Sends an acknowledgement or NACK as soon as the spacing allows.
    void RequestState();
    /// Keeps a copy of a frame, which gets the next number.
    void Keep(const Frame& frame);
    /// Discards copies of received frames. @param next number behind the last good frame
    void Free(uint64_t next);
    void StartReplay();
    /// The last frame of a replay was sent, or none is left.
    void EndReplay();
    /// No acknowledgement has arrived in time.
    void NotifyTimeout();
    /// The first frame has been kept for too long.
    void NotifyAged();
    /// Discards the kept frames once the other end has reported what it has received, and restarts.
    void Flush();
    /// Restarts the timeout if any frame is kept.
    void RestartTimer();
    void GoDown();
    void ComeUp();
    /// The link stays down: the kept frames are lost.
    void AbandonKept(DropReason reason);
    /// Counts the kept frames that the other end has not received. @param note of the other end
    void Bury(const Remains& remains, const Note& note);
    void Clear();

    uint32_t m_maxFrames{0};  ///< that are kept
    uint32_t m_maxBytes{0};   ///< that are kept
    Time m_replayTime;        ///< see GetReplayTime(); 0: depends on the link
    uint32_t m_maxReplays{0}; ///< without success
    uint32_t m_spacing{0};    ///< between ordered sets, bytes
    bool m_blocks{false};     ///< new frames wait in INIT
    Time m_dataAge;           ///< longest time that a frame is kept; 0: unlimited
    Time m_pcsLost;           ///< longest time that the link is down without a flush

    LosslessNetDevice* m_device{nullptr}; ///< owns this object
    LinkRetry* m_peer{nullptr};           ///< the other end; not owned, perhaps of another rank
    uint32_t m_change{0};                 ///< number of the link's changes
    Counts m_counts;                      ///< see GetCounts()

    // Of the transmitter

    State m_state{State::OFF};      ///< see GetState()
    std::deque<Kept> m_kept;        ///< unacknowledged, in order
    uint64_t m_keptBytes{0};        ///< of m_kept
    uint64_t m_next{0};             ///< of the next new frame; 20 bits of it are sent
    std::size_t m_replayed{0};      ///< frames of m_kept retransmitted in this replay
    bool m_isReplayed{false};       ///< the frame being put on the wire is a retransmission
    uint32_t m_vain{0};             ///< replays without a new acknowledgement
    EventId m_timer;                ///< of the replay or the handshake
    EventId m_age;                  ///< of the first kept frame
    EventId m_down;                 ///< until the flush, while the link is down
    std::optional<Note> m_lastNote; ///< the other end's state when the link went down
    std::vector<Remains> m_remains; ///< whose fate the other end has not reported yet

    // Of the receiver

    RingBuffer<uint32_t> m_underWay;     ///< numbers of frames to this end, or UNNUMBERED
    uint32_t m_current{0};               ///< number of the frame that has arrived
    uint32_t m_expected{0};              ///< number of the next frame in order
    bool m_isMissing{false};             ///< a NACK is due or was sent; until the frame arrives
    bool m_isNacked{false};              ///< the NACK was sent
    bool m_isRepeating{false};           ///< received frames are duplicates
    std::optional<uint32_t> m_initFirst; ///< of an LLR_INIT not yet followed by a numbered frame
    uint32_t m_initNext{0};              ///< m_expected before that
    Time m_nextSet;                      ///< when the spacing allows the next ordered set
    EventId m_set;                       ///< sends the next ordered set
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_RETRY_H */
