// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_RECEIVER_H
#define LOSSLESS_CBFC_RECEIVER_H

#include "cbfc-sender.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The receiver of CBFC on one link: counts the credits of frames that have arrived and that have
 * left, and reports the latter by CF_Updates, one channel each, at least UpdateSpacing apart.
 *
 * All channels have the same limit, so the one with most unreported credits is the first that may
 * have to wait for them and is reported first. A channel that fills the link thus gets most of the
 * updates, whatever others send beside it. Repetitions get at most every second update; otherwise a
 * channel whose update was lost could wait as long as others are busy.
 *
 * Every RefreshSpacing it reports all channels with news since the last refresh again, in case an
 * update was lost or others went first. An idle port would repeat for ever; this one falls silent
 * after one repetition, until frames leave or the sender, which continues as long as credits are in
 * use, sends its counters. So simulations end, and no loss of messages causes a stall.
 */
class CbfcReceiver
{
  public:
    ~CbfcReceiver();

    /// Sets up the receiver; called first, once.
    /// @param settings of this end
    /// @param limits of the neighbour
    /// @param rate returns the present rate of this end, which converts spacings to times
    /// @param request requests the wire: MakeUpdate() is called as soon as it is free
    void Configure(const CbfcSettings& settings,
                   const CbfcLimits& limits,
                   Callback<DataRate> rate,
                   Callback<void> request);

    /// Counts the credits of a frame that has arrived.
    void Arrive(uint8_t channel, uint32_t credits);
    /// Counts the credits of a frame that has left the memory.
    void Free(uint8_t channel, uint32_t credits);
    /// Handles a counter of a CC_Update, which follows the frames it counts: those that have not
    /// arrived are lost, and their credits are free.
    void Reconcile(const CbfcCount& count);

    /// The link came up: both ends count from 0, and the neighbour needs to know what is stored.
    void Restart();

    /// The wire is free: returns a CF_Update; null if none is due.
    Ptr<Packet> MakeUpdate();

    /// Whether the neighbour, according to the reports so far, may have to wait before it sends a
    /// frame.
    bool MayWait(uint8_t channel) const
    {
        return !m_told.MayTake(channel, m_told.GetLimits().largest);
    }

    /// Credits that the neighbour has in use, according to what has been reported to it.
    uint32_t GetUsed(uint8_t channel) const
    {
        return m_told.GetUsed(channel);
    }

    /// Returns the neighbour's limits.
    const CbfcLimits& GetLimits() const
    {
        return m_told.GetLimits();
    }

    /// Credits of a channel that have arrived and are not freed.
    uint32_t GetStored(uint8_t channel) const
    {
        return WrapCredits(m_consumed[channel] - m_freed[channel]);
    }

    /// Freed credits of a channel that have not been reported to the neighbour.
    uint32_t GetUntold(uint8_t channel) const
    {
        return m_told.GetUsed(channel) - GetStored(channel);
    }

    /// Credits of a channel that have arrived, R_CC.
    uint32_t GetConsumed(uint8_t channel) const
    {
        return m_consumed[channel];
    }

    /// Ends all sending.
    void Stop();

  private:
    /// Time that the wire takes now for this number of bytes.
    Time GetTimeOf(uint32_t bytes) const;
    void Note(uint8_t channel);
    /// Returns the channel of the next update; there must be one.
    uint8_t ChooseChannel();
    /// Requests the wire, or waits until it may.
    void Request();
    /// Reports channels with news since the last refresh again.
    void Refresh();
    void UpdateTold(uint8_t channel);

    CbfcPool m_told;                                 ///< what the neighbour has in use, as reported
    std::array<uint32_t, NUM_CHANNELS> m_consumed{}; ///< R_CC
    std::array<uint32_t, NUM_CHANNELS> m_freed{};    ///< R_CF
    std::array<uint32_t, NUM_CHANNELS> m_toldFreed{}; ///< R_CF as reported
    uint32_t m_pending{0};                            ///< channels to report, bit n for n
    uint32_t m_repeats{0};                            ///< of these, those to repeat
    bool m_isRepeating{false};                        ///< the latest update was a repetition
    uint32_t m_recent{0};                             ///< channels with news since the last refresh
    uint8_t m_next{0};                                ///< channel to consider first
    uint32_t m_updateSpacing{0};                      ///< minimum between updates, bytes
    uint32_t m_refreshSpacing{0};                     ///< until a refresh, bytes
    Time m_earliest;                                  ///< of the next update
    Callback<DataRate> m_rate;                        ///< returns the present rate of the wire
    Callback<void> m_request;                         ///< requests the wire
    EventId m_wait;                                   ///< pending: end of the spacing
    EventId m_refresh;                                ///< pending: Refresh()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_RECEIVER_H */
