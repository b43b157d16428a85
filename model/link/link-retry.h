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
 * Registers the opcode of a MAC control frame that must keep its position among data frames,
 * because it reports the frames sent before it. LinkRetry then protects the frame like data. Define
 * this object as a constant in the source file of the frame's scheme.
 */
class RegisterRetriedOpcode
{
  public:
    /// Protects frames of this opcode.
    explicit RegisterRetriedOpcode(uint16_t opcode);
};

/**
 * @ingroup lossless
 * One end of link layer retry (LLR), in which the link itself retransmits frames that it has
 * corrupted. It is modeled on Ultra Ethernet's LLR as described by SAI (opencomputeproject/SAI,
 * doc/LLR/SAI-Link_Layer_Retry.md).
 *
 * The transmitter numbers data frames and keeps a copy of each frame until the other end has
 * acknowledged it. The receiver acknowledges in-order frames cumulatively with control ordered sets
 * of 8 bytes. The time between them is at least the transmission time of "ControlSpacing" bytes.
 * When a frame is corrupt or missing, the receiver sends a NACK with the last good number and
 * silently discards all frames until the missing one arrives (go-back-N). The transmitter then
 * retransmits all kept frames before any new frame. It also does so after "ReplayTime" without an
 * acknowledgement, which recovers lost NACKs and lost frames at the end of a burst.
 *
 * The transmitter has the following states:
 *
 *     OFF ------- the link comes up ------------------> INIT
 *     INIT ------ a round trip of LLR_INIT and echo --> ADVANCE
 *     ADVANCE --- NACK, or ReplayTime ----------------> REPLAY
 *     REPLAY ---- all kept frames were sent again ----> ADVANCE
 *     any ------- FLUSH ------------------------------> INIT, or OFF
 *
 * A FLUSH discards the kept frames (`llr-flush`). It occurs after too many unsuccessful replays,
 * when a frame has been kept for "DataAgeTimeout", or when the link has been down for
 * "PcsLostTimeout". LLR restarts immediately (RE_INIT_ON_FLUSH). In INIT, frames leave unprotected
 * (SAI's action BEST_EFFORT), or wait if "BlockInInit" is set (BLOCK).
 *
 * MAC control frames such as PAUSE frames have no number. They overtake a replay and are not
 * retransmitted. Their scheme must recover lost frames, as PFC does with refreshes and a timer.
 * Frames with a RegisterRetriedOpcode are protected.
 *
 * Ordered sets occupy the wire between frames. The numbers of ordered sets and frames have 20 bits.
 * Ultra Ethernet's encoding is not public; in this model, an ordered set consists of a code, a kind
 * and two 24-bit numbers.
 *
 * The two ends share no state and can belong to different ranks (see Ranks). The number of each
 * frame, which a preamble would carry, is sent alongside the frame.
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

    /// The counters. Their names are SAI's without LLR_ and CTL_OS.
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
        uint64_t rxAckNackSeqError{0}; ///< ACKs and NACKs with an unexpected number
        uint64_t rxOk{0};              ///< protected frames received intact
        uint64_t rxBad{0};             ///< protected frames received corrupt
        uint64_t rxExpectedSeqGood{0}; ///< frames of rxOk that were the next in order
        uint64_t rxExpectedSeqBad{0};  ///< frames of rxBad that were the next in order
        uint64_t rxMissingSeq{0};      ///< frames received while an earlier one is missing
        uint64_t rxDuplicateSeq{0};    ///< frames received again
        uint64_t rxReplay{0};          ///< replays of which the first frame was received
        uint64_t replays{0};           ///< replays started; this and the following are not SAI's
        uint64_t timeouts{0};          ///< replays started because an acknowledgement was missing
        uint64_t replayedFrames{0};    ///< frames retransmitted
        uint64_t flushes{0};           ///< times that the kept frames were discarded
        uint64_t setsLost{0};          ///< ordered sets that arrived corrupt or were lost in a cut

        /// @return all counters; see record-archive.h
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

    /// Protects both directions of a cable. Call it in the same order on all ranks.
    /// @param cable the cable, which must have both devices and have carried no frame
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

    // Functions called by the device and its wire.

    /// @return whether the frame is of a kind that is protected
    static bool IsEligible(const Frame& frame);
    /// @return whether the frame is an ordered set of LLR
    static bool IsSet(const Frame& frame);

    /// Called when a frame is put on the wire.
    void NoteSent(const Frame& frame);
    /// @return whether new frames must wait for a replay, for buffer space or for the handshake
    bool IsHolding() const;
    /// @return the next frame to retransmit now, if any
    std::optional<Frame> TakeReplay();
    /// Called before a MAC control frame is sent.
    /// @return whether the frame must wait for the end of the replay
    bool Defer(const Frame& frame);
    /// Called when an eligible frame has arrived. @return whether the frame has a number
    bool NoteArrival();
    /// Called next for the same frame. @return whether it is intact and the next one in order
    bool Accept(bool isCorrupt);
    /// Processes an ordered set. @param isLost whether it is corrupt or was lost when the cable was
    /// cut
    void TakeSet(const Frame& frame, bool isLost);
    /// Called when the link has gone down or come up. LLR then restarts.
    void NotifyLinkChanged(bool up);

  protected:
    void DoDispose() override;

  private:
    /// A copy of a sent frame.
    struct Kept
    {
        uint64_t number;
        Time since; ///< the time at which it was first sent
        Frame frame;
    };

    /// The frames that were kept when the link went down.
    struct Remains
    {
        uint32_t change;       ///< see m_change
        std::deque<Kept> kept; ///< the frames in order
        DropReason reason;     ///< the reason for the loss of frames that have not arrived
    };

    enum class Set : uint8_t
    {
        INIT = 0xd0,
        INIT_ECHO,
        ACK,
        NACK,
    };

    /// A message to the other end that accompanies frames and ordered sets.
    struct Note
    {
        bool isLabel;    ///< whether it describes a frame; otherwise, the link went down
        uint32_t change; ///< see m_change
        uint32_t number; ///< the frame's number or UNNUMBERED, or the next number in order
        Ticks due;       ///< the time at which it takes effect
        uint32_t first;  ///< the number in an LLR_INIT not yet followed by a frame
        uint32_t before; ///< the next number in order before that LLR_INIT
    };

    /// Installs this object on a device.
    void Attach(LosslessNetDevice* device, LinkRetry* peer);
    /// Sends a note to the other end; it arrives after the cable's delay.
    void Tell(const Note& note);
    void TakeNote(const Note& note);
    /// Processes the other end's report, sent when the link went down, of the frames it has
    /// received.
    void TakeLastNote(const Note& note);
    void TakeMail(const char* bytes, std::size_t size) override;
    /// @return the time from the sending of an ordered set to its arrival over an idle wire
    Time GetSetTime() const;
    Time GetTimeOf(uint32_t bytes) const;
    /// @return the maximum time from the sending of an ordered set to its answer
    Time GetRoundTrip() const;
    uint32_t GetFullFrame() const;
    /// @return the time for which the transmitter waits for an acknowledgement
    Time GetReplayTime() const;
    void SendSet(Set kind, uint64_t first, uint64_t second);

    void SendInit();
    /// Processes an LLR_INIT. @param first the number of the first protected frame
    void TakeInit(uint32_t first);
    /// Processes the echo of an LLR_INIT.
    /// @param first the number that was sent
    /// @param next the number after the last good frame before the LLR_INIT
    void TakeEcho(uint32_t first, uint32_t next);
    /// Processes an acknowledgement or NACK. @param next the number after the last good frame
    void TakeState(uint32_t next, bool isNack);
    /// Sends a pending acknowledgement or NACK; called when the spacing allows it.
    void SendState();
    /// Sends an acknowledgement or NACK as soon as the spacing allows.
    void RequestState();
    /// Keeps a copy of a frame and gives it the next number.
    void Keep(const Frame& frame);
    /// Discards copies of received frames. @param next the number after the last good frame
    void Free(uint64_t next);
    void StartReplay();
    /// Called when the last frame of a replay was sent or no frame is left.
    void EndReplay();
    /// Called when no acknowledgement has arrived in time.
    void NotifyTimeout();
    /// Called when the first frame has been kept for too long.
    void NotifyAged();
    /// Discards the kept frames once the other end has reported the frames it received, and
    /// restarts.
    void Flush();
    /// Restarts the timeout if any frames are kept.
    void RestartTimer();
    void GoDown();
    void ComeUp();
    /// Called when the link stays down. The kept frames are lost.
    void AbandonKept(DropReason reason);
    /// Counts the kept frames that the other end has not received. @param note the other end's
    /// report
    void Bury(const Remains& remains, const Note& note);
    void Clear();

    uint32_t m_maxFrames{0};  ///< the maximum number of kept frames
    uint32_t m_maxBytes{0};   ///< the maximum number of kept bytes
    Time m_replayTime;        ///< see GetReplayTime(); with 0, it depends on the link
    uint32_t m_maxReplays{0}; ///< the maximum number of unsuccessful replays
    uint32_t m_spacing{0};    ///< the number of bytes between ordered sets
    bool m_blocks{false};     ///< whether new frames wait in INIT
    Time m_dataAge;           ///< the longest time to keep a frame; 0 if unlimited
    Time m_pcsLost;           ///< the longest time that the link is down without a flush

    LosslessNetDevice* m_device{nullptr}; ///< the device that owns this object
    LinkRetry* m_peer{nullptr};           ///< the other end, possibly on another rank; not owned
    uint32_t m_change{0};                 ///< the number of changes of the link
    Counts m_counts;                      ///< see GetCounts()

    // State of the transmitter

    State m_state{State::OFF};      ///< see GetState()
    std::deque<Kept> m_kept;        ///< the unacknowledged frames in order
    uint64_t m_keptBytes{0};        ///< the number of bytes of m_kept
    uint64_t m_next{0};             ///< the number of the next new frame, of which 20 bits are sent
    std::size_t m_replayed{0};      ///< the number of frames of m_kept retransmitted in this replay
    bool m_isReplayed{false};       ///< whether the frame being put on the wire is a retransmission
    uint32_t m_vain{0};             ///< the number of replays without a new acknowledgement
    EventId m_timer;                ///< the timeout of the replay or the handshake
    EventId m_age;                  ///< the timeout of the first kept frame
    EventId m_down;                 ///< the flush of a link that stays down
    std::optional<Note> m_lastNote; ///< the other end's state when the link went down
    std::vector<Remains> m_remains; ///< kept frames whose fate the other end has not reported yet

    // State of the receiver

    RingBuffer<uint32_t> m_underWay;     ///< the numbers of frames on the cable to this end
    uint32_t m_current{0};               ///< the number of the frame that has arrived
    uint32_t m_expected{0};              ///< the number of the next frame in order
    bool m_isMissing{false};             ///< whether a frame is missing, until it arrives
    bool m_isNacked{false};              ///< whether the NACK was sent
    bool m_isRepeating{false};           ///< whether received frames are duplicates
    std::optional<uint32_t> m_initFirst; ///< the number in an LLR_INIT not yet used
    uint32_t m_initNext{0};              ///< m_expected before that LLR_INIT
    Time m_nextSet;                      ///< the earliest time of the next ordered set
    EventId m_set;                       ///< the event that sends the next ordered set
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_RETRY_H */
