// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_RETRY_H
#define LOSSLESS_LINK_RETRY_H

#include "ns3/drop-reason.h"
#include "ns3/event-id.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ring-buffer.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::lossless
{

class LosslessChannel;
class LosslessNetDevice;

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
 *     any ------- too many replays in vain (FLUSH) ---> INIT
 *
 * In INIT frames leave unprotected (SAI's action BEST_EFFORT). A FLUSH gives up what is kept
 * (`llr-flush`) and begins again at once (RE_INIT_ON_FLUSH).
 *
 * MAC control frames such as PAUSEs have no number: they go ahead of a replay and are not sent
 * again, so that one that is lost is mended by its scheme, as PFC's are by refresh and timer.
 *
 * Ordered sets take no time of the wire from frames (0.4 % of it at the default spacing), and
 * numbers do not wrap here. PCS_LOST_TIMEOUT and DATA_AGE_TIMEOUT are not modelled.
 */
class LinkRetry : public Object
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

    /// What has happened so far.
    struct Counts
    {
        uint64_t acksSent{0};       ///< LLR_ACKs
        uint64_t nacksSent{0};      ///< LLR_NACKs
        uint64_t replays{0};        ///< times that a replay began
        uint64_t timeouts{0};       ///< of them, for want of an acknowledgement
        uint64_t replayedFrames{0}; ///< frames sent again
        uint64_t discarded{0};      ///< frames that arrived, but corrupt or out of order
        uint64_t flushes{0};        ///< times that what was kept was given up
    };

    /// @return the type
    static TypeId GetTypeId();

    /**
     * Protects both directions of a cable, on one rank.
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

    /// A frame is put on the wire. @param frame it
    void NoteSent(const Frame& frame);
    /// @return whether new frames have to wait: for a replay, or for room to keep them
    bool IsHolding() const;
    /// @return a frame to be sent again now; nothing: there is none
    std::optional<Frame> TakeReplay();
    /// A data frame has come to the end of the wire. @return whether it has a number
    bool NoteArrival();
    /// The same frame is looked at. @param isCorrupt it is @return whether it is the next one
    bool Accept(bool isCorrupt);
    /// The link went down or came up: begins anew. @param up whether it came up
    void NotifyLinkChanged(bool up);

  protected:
    void DoDispose() override;

  private:
    /// A frame that is kept.
    struct Kept
    {
        uint64_t number; ///< of the frame
        Frame frame;     ///< a copy
    };

    /// Number of a frame under way; nothing: it is unprotected.
    using Label = std::optional<uint64_t>;

    /// Puts it on a device. @param device it @param peer the other end
    void Attach(LosslessNetDevice* device, LinkRetry* peer);
    /// @return time from the sending of an ordered set to its arrival
    Time GetSetTime() const;
    /// @return how long the transmitter waits for an acknowledgement
    Time GetReplayTime() const;
    /// Has the other end do something when an ordered set has reached it, unless it is lost.
    /// @tparam METHOD a member function @tparam ARGS its arguments
    /// @param method what it does @param args arguments of it
    template <typename METHOD, typename... ARGS>
    void SendSet(METHOD method, ARGS... args);

    /// Begins the handshake.
    void SendInit();
    /// An LLR_INIT has come. @param first number of the first protected frame
    void TakeInit(uint64_t first);
    /// Its echo has come. @param first the number that was sent @param next number behind the last
    /// good frame before
    void TakeEcho(uint64_t first, uint64_t next);
    /// An acknowledgement has come. @param next number behind the last good frame
    void TakeAck(uint64_t next);
    /// A NACK has come. @param next number behind the last good frame
    void TakeNack(uint64_t next);
    /// An acknowledgement, or NACK, may be sent now.
    void SendState();
    /// Sends one as soon as the spacing allows.
    void RequestState();
    /// Forgets what has been received. @param next number behind the last good frame
    void Free(uint64_t next);
    /// Sends again all that is kept.
    void StartReplay();
    /// No acknowledgement has come in time.
    void NotifyTimeout();
    /// Waits for acknowledgements if anything is kept.
    void RestartTimer();
    /// Gives up what is kept. @param next number behind the last frame that the other end has
    /// @param reason why the others are lost
    void GiveUp(uint64_t next, DropReason reason);

    uint32_t m_maxFrames{0};  ///< that are kept
    uint32_t m_maxBytes{0};   ///< that are kept
    Time m_replayTime;        ///< see GetReplayTime(); 0: by the link
    uint32_t m_maxReplays{0}; ///< in vain
    uint32_t m_spacing{0};    ///< between ordered sets, bytes

    LosslessNetDevice* m_device{nullptr}; ///< owns this object
    LinkRetry* m_peer{nullptr};           ///< of the other end; not owned
    uint32_t m_generation{0};             ///< counts the changes of the link
    Counts m_counts;                      ///< see GetCounts()

    // Of the transmitter

    State m_state{State::OFF}; ///< see GetState()
    std::deque<Kept> m_kept;   ///< not acknowledged, in order
    uint64_t m_keptBytes{0};   ///< of these
    uint64_t m_next{0};        ///< number of the next new frame
    std::size_t m_replayed{0}; ///< of m_kept, sent again in this replay
    bool m_isReplayed{false};  ///< the frame that is put on the wire was sent before
    uint32_t m_vain{0};        ///< replays without an acknowledgement of anything new
    EventId m_timer;           ///< of the replay, or of the handshake

    // Of the receiver

    RingBuffer<Label> m_underWay;        ///< to this end, in order
    uint64_t m_current{0};               ///< number of the frame that has come
    uint64_t m_expected{0};              ///< number of the next frame in order
    bool m_isMissing{false};             ///< a NACK is to be sent, or was; until the frame comes
    bool m_isNacked{false};              ///< it was
    std::optional<uint64_t> m_initFirst; ///< of the latest LLR_INIT; nothing: there was none
    uint64_t m_initNext{0};              ///< m_expected before that
    Time m_nextSet;                      ///< when the spacing allows the next ordered set
    EventId m_set;                       ///< the next one
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_RETRY_H */
