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
 * A kind of MAC control frame that keeps its place among data frames, because it tells what was
 * sent before it: LinkRetry protects it as it protects these. A constant in the source file of its
 * scheme.
 */
class RegisterRetriedOpcode
{
  public:
    /// @param opcode of such frames
    explicit RegisterRetriedOpcode(uint16_t opcode);
};

/**
 * @ingroup lossless
 * One end of link layer retry (LLR) in the manner of Ultra Ethernet, as SAI describes it
 * (opencomputeproject/SAI, doc/LLR/SAI-Link_Layer_Retry.md): frames that the link corrupts are sent
 * again by the link itself.
 *
 * The transmitter numbers data frames and keeps a copy of each until the other end has
 * acknowledged it. The receiver acknowledges what has come in order, cumulatively, by control
 * ordered sets of 8 bytes, at least "ControlSpacing" bytes of time apart. When a frame is corrupt
 * or missing it sends a NACK with the last good number, and discards what follows, silently, until
 * the frame that it misses comes: go-back-N. The transmitter then sends again all that it keeps,
 * before any new frame. It does so as well when "ReplayTime" has passed without an
 * acknowledgement, which mends lost NACKs and lost last frames.
 *
 * States of the transmitter:
 *
 *     OFF ------- the link comes up ------------------> INIT
 *     INIT ------ a round trip of LLR_INIT and echo --> ADVANCE
 *     ADVANCE --- NACK, or ReplayTime ----------------> REPLAY
 *     REPLAY ---- all that is kept was sent again ----> ADVANCE
 *     any ------- FLUSH ------------------------------> INIT, or OFF
 *
 * A FLUSH gives up what is kept (`llr-flush`): after too many replays in vain, when a frame has
 * been kept for "DataAgeTimeout", or when the link has been down for "PcsLostTimeout". LLR begins
 * again at once (RE_INIT_ON_FLUSH); in INIT frames leave unprotected (SAI's action BEST_EFFORT), or
 * wait with "BlockInInit" (BLOCK).
 *
 * MAC control frames such as PAUSEs have no number: they go ahead of a replay and are not sent
 * again, so that one that is lost is mended by its scheme, as PFC's are by refresh and timer. Those
 * of a RegisterRetriedOpcode are protected.
 *
 * Ordered sets take their time of the wire, between frames. The numbers in them, and those of
 * frames, have 20 bits. How Ultra Ethernet encodes them is not public; here a code and a kind come
 * first, and then two numbers of 24 bits.
 *
 * The ends may be of two ranks, see Ranks: they share nothing. What a preamble would carry, the
 * number of each frame, goes beside the frame.
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

    /// What has happened so far; the names are SAI's, without LLR_ and CTL_OS.
    struct Counts
    {
        uint64_t txInit{0};            ///< LLR_INITs sent
        uint64_t txInitEcho{0};        ///< LLR_INIT_ECHOs sent
        uint64_t txAck{0};             ///< LLR_ACKs sent
        uint64_t txNack{0};            ///< LLR_NACKs sent
        uint64_t txOk{0};              ///< protected frames sent, each time
        uint64_t txReplay{0};          ///< replays that were completed
        uint64_t rxInit{0};            ///< LLR_INITs received
        uint64_t rxInitEcho{0};        ///< LLR_INIT_ECHOs received
        uint64_t rxAck{0};             ///< LLR_ACKs received
        uint64_t rxNack{0};            ///< LLR_NACKs received
        uint64_t rxAckNackSeqError{0}; ///< of both, those whose number was not expected
        uint64_t rxOk{0};              ///< protected frames received intact
        uint64_t rxBad{0};             ///< protected frames received corrupt
        uint64_t rxExpectedSeqGood{0}; ///< of rxOk, the next one in order
        uint64_t rxExpectedSeqBad{0};  ///< of rxBad, the next one in order
        uint64_t rxMissingSeq{0};      ///< received, though one before it is missing
        uint64_t rxDuplicateSeq{0};    ///< received, though it had come before
        uint64_t rxReplay{0};          ///< replays whose beginning was seen
        uint64_t replays{0};           ///< replays that began; this and the following are not SAI's
        uint64_t timeouts{0};          ///< of them, for want of an acknowledgement
        uint64_t replayedFrames{0};    ///< frames sent again
        uint64_t flushes{0};           ///< times that what was kept was given up
        uint64_t setsLost{0};          ///< ordered sets that have come corrupt, or with a cut

        /// @return all of them, as other ranks are told, see record-archive.h
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

    /**
     * Protects both directions of a cable; on all ranks in the same order.
     * @param cable with both devices, before the first frame
     */
    static void Install(Ptr<LosslessChannel> cable);

    /// @return the state of the transmitter
    State GetState() const
    {
        return m_state;
    }

    /// @return what has happened so far
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    // Called by the device and its wire

    /// @param frame a frame @return whether such frames are protected
    static bool IsEligible(const Frame& frame);
    /// @param frame a frame @return whether it is an ordered set of LLR
    static bool IsSet(const Frame& frame);

    /// A frame is put on the wire. @param frame it
    void NoteSent(const Frame& frame);
    /// @return whether new frames have to wait: for a replay, for room to keep them, or for the
    /// handshake
    bool IsHolding() const;
    /// @return a frame to be sent again now; nothing: there is none
    std::optional<Frame> TakeReplay();
    /// A MAC control frame is to be sent. @param frame it @return whether it follows the replay
    bool Defer(const Frame& frame);
    /// An eligible frame has come to the end of the wire. @return whether it has a number
    bool NoteArrival();
    /// The same frame is looked at. @param isCorrupt it is @return whether it is the next one
    bool Accept(bool isCorrupt);
    /// An ordered set has come. @param frame it @param isLost it is corrupt, or the cable was cut
    void TakeSet(const Frame& frame, bool isLost);
    /// The link went down or came up: begins anew. @param up whether it came up
    void NotifyLinkChanged(bool up);

  protected:
    void DoDispose() override;

  private:
    /// A frame that is kept.
    struct Kept
    {
        uint64_t number; ///< of the frame
        Time since;      ///< when it was sent first
        Frame frame;     ///< a copy
    };

    /// What was kept when the link went down.
    struct Remains
    {
        uint32_t change;       ///< of the link, see m_change
        std::deque<Kept> kept; ///< in order
        DropReason reason;     ///< why it is lost, unless it has come
    };

    /// Kind of an ordered set.
    enum class Set : uint8_t
    {
        INIT = 0xd0,
        INIT_ECHO,
        ACK,
        NACK,
    };

    /// What is told to the other end beside frames and ordered sets.
    struct Note
    {
        bool isLabel;    ///< of a frame under way; else that the link went down
        uint32_t change; ///< of the link, see m_change
        uint32_t number; ///< of the frame, or UNNUMBERED; or the next one in order
        Ticks due;       ///< when it is so
        uint32_t first;  ///< of an LLR_INIT that no frame has followed; UNNUMBERED: there is none
        uint32_t before; ///< the next one in order before that
    };

    /// Puts it on a device. @param device it @param peer the other end
    void Attach(LosslessNetDevice* device, LinkRetry* peer);
    /// Tells the other end something at the end of the cable. @param note what
    void Tell(const Note& note);
    /// The other end has told something. @param note what
    void TakeNote(const Note& note);
    /// The link has gone down, and the other end tells what it had. @param note it
    void TakeLastNote(const Note& note);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// @return time from the sending of an ordered set to its arrival, over an idle wire
    Time GetSetTime() const;
    /// @param bytes of the wire @return their time
    Time GetTimeOf(uint32_t bytes) const;
    /// @return longest time from the sending of an ordered set to its answer
    Time GetRoundTrip() const;
    /// @return bytes of a full frame on the wire
    uint32_t GetFullFrame() const;
    /// @return how long the transmitter waits for an acknowledgement
    Time GetReplayTime() const;
    /// Sends an ordered set. @param kind of it @param first of its numbers @param second of them
    void SendSet(Set kind, uint64_t first, uint64_t second);

    /// Begins the handshake.
    void SendInit();
    /// An LLR_INIT has come. @param first number of the first protected frame
    void TakeInit(uint32_t first);
    /// Its echo has come. @param first the number that was sent @param next number behind the last
    /// good frame before
    void TakeEcho(uint32_t first, uint32_t next);
    /// An acknowledgement or NACK has come. @param next number behind the last good frame
    /// @param isNack what it is
    void TakeState(uint32_t next, bool isNack);
    /// An acknowledgement, or NACK, may be sent now.
    void SendState();
    /// Sends one as soon as the spacing allows.
    void RequestState();
    /// Keeps a copy of a frame. @param frame it, which gets the next number
    void Keep(const Frame& frame);
    /// Forgets what has been received. @param next number behind the last good frame
    void Free(uint64_t next);
    /// Sends again all that is kept.
    void StartReplay();
    /// The last frame of a replay is sent, or none is left.
    void EndReplay();
    /// No acknowledgement has come in time.
    void NotifyTimeout();
    /// The first frame has been kept for too long.
    void NotifyAged();
    /// Gives up what is kept as soon as the other end tells what it has, and begins anew.
    void Flush();
    /// Waits for acknowledgements if anything is kept.
    void RestartTimer();
    /// The link went down.
    void GoDown();
    /// The link came up.
    void ComeUp();
    /// It stays down: what is kept is lost. @param reason why
    void AbandonKept(DropReason reason);
    /// Counts what the other end does not have. @param remains of the link before @param note what
    /// it had
    void Bury(const Remains& remains, const Note& note);
    /// Forgets what is kept.
    void Clear();

    uint32_t m_maxFrames{0};  ///< that are kept
    uint32_t m_maxBytes{0};   ///< that are kept
    Time m_replayTime;        ///< see GetReplayTime(); 0: by the link
    uint32_t m_maxReplays{0}; ///< in vain
    uint32_t m_spacing{0};    ///< between ordered sets, bytes
    bool m_blocks{false};     ///< new frames wait in INIT
    Time m_dataAge;           ///< longest time that a frame is kept; 0: any
    Time m_pcsLost;           ///< longest time that the link is down without a flush

    LosslessNetDevice* m_device{nullptr}; ///< owns this object
    LinkRetry* m_peer{nullptr};           ///< of the other end; not owned, perhaps of another rank
    uint32_t m_change{0};                 ///< counts the changes of the link
    Counts m_counts;                      ///< see GetCounts()

    // Of the transmitter

    State m_state{State::OFF};      ///< see GetState()
    std::deque<Kept> m_kept;        ///< not acknowledged, in order
    uint64_t m_keptBytes{0};        ///< of these
    uint64_t m_next{0};             ///< number of the next new frame; 20 bits of it are sent
    std::size_t m_replayed{0};      ///< of m_kept, sent again in this replay
    bool m_isReplayed{false};       ///< the frame that is put on the wire was sent before
    uint32_t m_vain{0};             ///< replays without an acknowledgement of anything new
    EventId m_timer;                ///< of the replay, or of the handshake
    EventId m_age;                  ///< of the first frame that is kept
    EventId m_down;                 ///< until the flush, while the link is down
    std::optional<Note> m_lastNote; ///< what the other end had when the link went down
    std::vector<Remains> m_remains; ///< whose fate the other end has not told yet

    // Of the receiver

    RingBuffer<uint32_t> m_underWay;     ///< numbers of frames to this end, or UNNUMBERED
    uint32_t m_current{0};               ///< number of the frame that has come
    uint32_t m_expected{0};              ///< number of the next frame in order
    bool m_isMissing{false};             ///< a NACK is to be sent, or was; until the frame comes
    bool m_isNacked{false};              ///< it was
    bool m_isRepeating{false};           ///< frames come that had come before
    std::optional<uint32_t> m_initFirst; ///< of an LLR_INIT that no numbered frame has followed
    uint32_t m_initNext{0};              ///< m_expected before that
    Time m_nextSet;                      ///< when the spacing allows the next ordered set
    EventId m_set;                       ///< the next one
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_RETRY_H */
