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
 * Registers the opcode of MAC control frames that must keep their position among data frames
 * because they report on the frames sent before them. LinkRetry then protects such frames in the
 * same way as data. Define this object as a constant in the source file of the scheme that uses the
 * opcode.
 */
class RegisterRetriedOpcode
{
  public:
    /// Protects frames with this opcode.
    explicit RegisterRetriedOpcode(uint16_t opcode);
};

/**
 * @ingroup lossless
 * One end of a link with link-layer retry (LLR), which retransmits corrupted frames on the link
 * itself. It is modelled on Ultra Ethernet's LLR as documented by SAI (opencomputeproject/SAI,
 * doc/LLR/SAI-Link_Layer_Retry.md).
 *
 * The transmitter numbers data frames and keeps a copy of each frame until the other end has
 * acknowledged it. The receiver acknowledges in-order frames cumulatively with control ordered sets
 * of 8 bytes. Acknowledgements and NACKs are separated by at least the transmission time of
 * "ControlSpacing" bytes. When a frame is corrupt or missing, the receiver sends a NACK with the
 * number of that frame and silently discards all others until it arrives (go-back-N). The
 * transmitter then retransmits all kept frames before any new frame. A replay also starts after
 * "ReplayTime" without an acknowledgement, to recover from a lost NACK or the loss of the last
 * frames of a burst.
 *
 * The transmitter changes its state as follows:
 *
 *     OFF ------- the link comes up ---------------------------> INIT
 *     INIT ------ the echo of LLR_INIT arrives ----------------> ADVANCE
 *     ADVANCE --- a NACK arrives, or ReplayTime expires -------> REPLAY
 *     REPLAY ---- all kept frames have been retransmitted -----> ADVANCE
 *     any ------- FLUSH ---------------------------------------> INIT, or OFF if the link is down
 *
 * A FLUSH discards the kept frames (drop reason `llr-flush`). It occurs after too many unsuccessful
 * replays, when a frame has been kept for "DataAgeTimeout", or when the link has been down for
 * "PcsLostTimeout". If the link is up, LLR then restarts immediately (RE_INIT_ON_FLUSH). In INIT,
 * frames are sent unprotected (SAI's action BEST_EFFORT) or, if "BlockInInit" is set, wait (BLOCK).
 *
 * MAC control frames such as PAUSE frames have no number. They can overtake a replay and are not
 * retransmitted. Their scheme must recover from lost frames, as PFC does with refreshes and a
 * timer. By contrast, MAC control frames whose opcode is registered by RegisterRetriedOpcode are
 * protected.
 *
 * Ordered sets occupy the wire between frames. The sequence numbers in ordered sets and frames have
 * 20 bits. The encoding is specific to this model: an ordered set consists of a code, a kind and
 * two 24-bit numbers.
 *
 * The two ends share no state and can belong to different ranks (see Ranks). A real link would
 * carry the number of each frame in the preamble; here, the number is sent alongside the frame.
 */
class LinkRetry : public Object, private MailReceiver
{
  public:
    /// The states of the transmitter.
    enum class State : uint8_t
    {
        OFF,
        INIT,
        ADVANCE,
        REPLAY,
    };

    /// The counters, named as in SAI but without LLR_ and CTL_OS.
    struct Counts
    {
        uint64_t txInit{0};     ///< the number of LLR_INITs sent
        uint64_t txInitEcho{0}; ///< the number of LLR_INIT_ECHOs sent
        uint64_t txAck{0};      ///< the number of LLR_ACKs sent
        uint64_t txNack{0};     ///< the number of LLR_NACKs sent
        uint64_t txOk{0};       ///< the number of protected frames sent, including retransmissions
        uint64_t txReplay{0};   ///< the number of replays completed
        uint64_t rxInit{0};     ///< the number of LLR_INITs received
        uint64_t rxInitEcho{0}; ///< the number of LLR_INIT_ECHOs received
        uint64_t rxAck{0};      ///< the number of LLR_ACKs received
        uint64_t rxNack{0};     ///< the number of LLR_NACKs received
        uint64_t rxAckNackSeqError{0}; ///< the number of ACKs and NACKs with an unexpected sequence
                                       ///< number
        uint64_t rxOk{0};              ///< the number of protected frames received intact
        uint64_t rxBad{0};             ///< the number of protected frames received corrupt
        uint64_t rxExpectedSeqGood{0}; ///< the number of frames in rxOk that were next in sequence
        uint64_t rxExpectedSeqBad{0};  ///< the number of frames in rxBad that were next in sequence
        uint64_t rxMissingSeq{0};      ///< the number of frames received while an earlier one was
                                       ///< missing
        uint64_t rxDuplicateSeq{0};    ///< the number of frames received again
        uint64_t rxReplay{0};          ///< the number of replays whose first frame was received
        uint64_t replays{0};  ///< the number of replays started; this counter and those below are
                              ///< not part of SAI
        uint64_t timeouts{0}; ///< the number of times that ReplayTime expired without an
                              ///< acknowledgement
        uint64_t replayedFrames{0}; ///< the number of frames retransmitted
        uint64_t flushes{0};  ///< the number of FLUSHes, each of which discards the kept frames
        uint64_t setsLost{0}; ///< the number of ordered sets that arrived corrupt or were lost when
                              ///< the cable was cut

        /// @return references to all counters; see record-archive.h
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

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Protects both directions of a cable. All ranks must call this function for the same cables
    /// in the same order.
    /// @param cable the cable; both devices must be attached, no frame may have been sent, and no
    /// switch at either end may be initialized yet, because headroom includes replays
    static void Install(Ptr<LosslessChannel> cable);

    /// @return the state of the transmitter
    State GetState() const
    {
        return m_state;
    }

    /// @return the counters
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    // Functions called by the device and its wire

    /// @return whether frames of this kind are protected
    static bool IsEligible(const Frame& frame);
    /// @return whether the frame is an ordered set of LLR
    static bool IsSet(const Frame& frame);

    /// Returns the maximum number of bytes that LLR adds to those that arrive at the other end
    /// after that end has requested a PAUSE: all kept frames, which a replay retransmits, and the
    /// bytes sent while ordered sets delay the PAUSE.
    uint64_t GetReplayBytes() const;

    /// Called when a frame is put on the wire.
    void NoteSent(const Frame& frame);
    /// @return whether new frames must wait for a replay, for buffer space or for the handshake
    bool IsHolding() const;
    /// @return the next frame to retransmit now, if there is one
    std::optional<Frame> TakeReplay();
    /// Called before a MAC control frame is sent.
    /// @return whether the frame is deferred; if so, it is sent at the end of the replay
    bool Defer(const Frame& frame);
    /// Called when a frame of a protected kind has arrived.
    /// @return whether the frame has a number
    bool NoteArrival();
    /// Called after NoteArrival() for the same frame.
    /// @return whether the frame is intact and next in sequence
    bool Accept(bool isCorrupt);
    /// Processes an ordered set.
    /// @param isLost whether the ordered set is corrupt or was lost when the cable was cut
    void TakeSet(const Frame& frame, bool isLost);
    /// Called when the link has gone down or come up. When the link comes up, LLR restarts or,
    /// within "PcsLostTimeout", replays the kept frames.
    void NotifyLinkChanged(bool up);

  protected:
    void DoDispose() override;

  private:
    /// A copy of an unacknowledged frame.
    struct Kept
    {
        uint64_t number;
        Time since; ///< the time at which the copy was made
        Frame frame;
    };

    /// The kept frames that have been given up.
    struct Remains
    {
        uint32_t change;       ///< see m_change
        std::deque<Kept> kept; ///< the frames, in order of their numbers
        DropReason reason;     ///< the reason for the loss of the frames that have not arrived
    };

    enum class Set : uint8_t
    {
        INIT = 0xd0,
        INIT_ECHO,
        ACK,
        NACK,
    };

    /// A message to the other end that accompanies a frame or is sent when the link goes down.
    struct Note
    {
        bool isLabel; ///< whether the note describes a frame; otherwise, the note reports that the
                      ///< link went down
        uint32_t change; ///< see m_change
        uint32_t number; ///< for a frame, its number or UNNUMBERED; otherwise, the number of the
                         ///< next frame in sequence
        Ticks due;       ///< the time at which the note takes effect
        uint32_t first;  ///< the number in the latest LLR_INIT; UNNUMBERED if a frame has been
                         ///< accepted since then
        uint32_t before; ///< the number of the frame that was expected before this LLR_INIT
                         ///< arrived
    };

    /// Installs this object on a device.
    void Attach(LosslessNetDevice* device, LinkRetry* peer);
    /// Sends a note to the other end.
    void Tell(const Note& note);
    void TakeNote(const Note& note);
    /// Processes the other end's report on which frames had arrived when the link went down.
    void TakeLastNote(const Note& note);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// @return the maximum time that an ordered set takes to arrive if the wire is idle
    Time GetSetTime() const;
    Time GetTimeOf(uint32_t bytes) const;
    /// @return the maximum time from sending an ordered set to receiving the answer
    Time GetRoundTrip() const;
    uint32_t GetFullFrame() const;
    /// @return the time for which the transmitter waits for an acknowledgement
    Time GetReplayTime() const;
    /// @return the maximum number of kept bytes
    uint64_t GetMostKept() const;
    void SendSet(Set kind, uint64_t first, uint64_t second);

    void SendInit();
    /// Processes an LLR_INIT.
    /// @param first the number of the first protected frame that will follow
    void TakeInit(uint32_t first);
    /// Processes the echo of an LLR_INIT.
    /// @param first the number in the LLR_INIT
    /// @param next the number of the frame that the other end expected before the LLR_INIT
    void TakeEcho(uint32_t first, uint32_t next);
    /// Processes an acknowledgement or NACK.
    /// @param next the number of the frame that the other end expects next
    void TakeState(uint32_t next, bool isNack);
    /// Sends a pending acknowledgement or NACK. Called when the spacing allows it.
    void SendState();
    /// Sends an acknowledgement or NACK as soon as the spacing allows.
    void RequestState();
    /// Numbers a frame and keeps a copy of it.
    void Keep(const Frame& frame);
    /// Discards the copies of frames that the other end has received.
    /// @param next the number of the first frame that the other end has not received
    void Free(uint64_t next);
    void StartReplay();
    /// Called when the last frame of a replay is on the wire or no frame is left to retransmit.
    void EndReplay();
    /// Called when no acknowledgement has arrived within GetReplayTime().
    void NotifyTimeout();
    /// Called when the oldest copy has been kept, or the link has been down, for too long.
    void NotifyAged();
    /// Restarts LLR. The kept frames are discarded when the other end has reported which of them it
    /// has received.
    void Flush();
    /// Restarts the timers of the kept frames, or stops them if no frames are kept.
    void RestartTimer();
    void GoDown();
    void ComeUp();
    /// Gives up the kept frames. Called when the link goes down or has been down for too long.
    void AbandonKept(DropReason reason);
    /// Reports as lost the given-up frames that the other end has not received.
    /// @param note the other end's report
    void Bury(const Remains& remains, const Note& note);
    void Clear();

    uint32_t m_maxFrames{0};  ///< the maximum number of kept frames; 0 if unlimited
    uint32_t m_maxBytes{0};   ///< see GetMostKept(); 0 to derive it from the link
    Time m_replayTime;        ///< see GetReplayTime(); 0 to derive it from the link
    uint32_t m_maxReplays{0}; ///< the maximum number of consecutive unsuccessful replays
    uint32_t m_spacing{0};    ///< the minimum spacing of acknowledgements and NACKs, in bytes
    bool m_blocks{false};     ///< whether new frames wait in INIT
    Time m_dataAge;           ///< the longest time for which a frame is kept; 0 if unlimited
    Time m_pcsLost;           ///< the longest time for which the link can be down without a flush

    LosslessNetDevice* m_device{nullptr}; ///< the device that owns this object
    LinkRetry* m_peer{nullptr};           ///< the other end, possibly on another rank; not owned
    uint32_t m_change{0};                 ///< the number of times the link has gone down or come up
    Counts m_counts;                      ///< see GetCounts()

    // The state of the transmitter

    State m_state{State::OFF};      ///< see GetState()
    std::deque<Kept> m_kept;        ///< the unacknowledged frames, in order
    uint64_t m_keptBytes{0};        ///< the number of bytes in m_kept
    uint64_t m_first{0};            ///< the number of the first frame
    uint64_t m_next{0};             ///< the number of the next new frame; only its lowest 20 bits
                                    ///< are sent
    std::size_t m_replayed{0};      ///< the number of frames in m_kept that have been retransmitted
                                    ///< in the current replay
    bool m_isReplayed{false};       ///< whether the frame being put on the wire is a retransmission
    uint32_t m_vain{0};             ///< the number of replays since the last new acknowledgement
    EventId m_timer;                ///< the timeout that starts a replay or repeats the handshake
    EventId m_age;                  ///< the event that occurs when the oldest copy has been kept
                                    ///< for too long
    EventId m_down;                 ///< the flush that occurs if the link stays down
    std::optional<Note> m_lastNote; ///< the other end's state when the link went down
    std::vector<Remains> m_remains; ///< the given-up frames for which the other end's report has
                                    ///< not arrived yet

    // The state of the receiver

    RingBuffer<uint32_t> m_underWay;     ///< the numbers of frames on the cable to this end
    uint32_t m_current{0};               ///< the number of the frame that has just arrived
    uint32_t m_expected{0};              ///< the number of the next frame in sequence
    bool m_isMissing{false};             ///< true from the detection of a missing frame until that
                                         ///< frame arrives
    bool m_isNacked{false};              ///< whether a NACK for the missing frame has been sent
    bool m_isRepeating{false};           ///< whether the latest received frame was a duplicate
    std::optional<uint32_t> m_initFirst; ///< the number in the latest LLR_INIT; unset if a frame
                                         ///< has been accepted since then
    uint32_t m_initNext{0};              ///< the value of m_expected before this LLR_INIT arrived
    Time m_nextSet;                      ///< the earliest time of the next acknowledgement or NACK
    EventId m_set; ///< the event that sends the pending acknowledgement or NACK
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_RETRY_H */
