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
 * The receiver of CBFC on one link: it counts the credits of what has arrived and of what has left
 * its memory, and tells the latter by CF_Updates, one channel each, at least UpdateSpacing apart.
 *
 * All channels have the same limit, so the one with most credits that the neighbour does not know
 * of is the first that may have to wait for them: it is told of first. So a channel that fills the
 * link has most of the updates, whatever others send beside it. What is repeated has every second
 * update at most, or a channel whose update was lost could wait as long as others are busy.
 *
 * Every RefreshSpacing it tells again of all channels with news since the last time, in case that
 * was lost or others went first. A port that idles would go on with repetitions for ever; here it
 * is silent after one, until frames leave or the sender, which goes on as long as credits are in
 * use, sends its counters. So simulations end, and no loss of messages makes a stall.
 */
class CbfcReceiver
{
  public:
    ~CbfcReceiver();

    /**
     * Called once, before all others.
     * @param settings of this end @param limits that the neighbour has
     * @param rate tells at which rate this end sends now, by which spacings are times
     * @param request asks for the wire: MakeUpdate() is called as soon as it is free
     */
    void Configure(const CbfcSettings& settings,
                   const CbfcLimits& limits,
                   Callback<DataRate> rate,
                   Callback<void> request);

    /// A frame has arrived. @param channel its channel @param credits that it takes
    void Arrive(uint8_t channel, uint32_t credits);
    /// A frame has left the memory. @param channel its channel @param credits that it took
    void Free(uint8_t channel, uint32_t credits);
    /// A CC_Update has arrived, behind the frames that it counts. What of them has not come is
    /// lost, and its credits are free. @param count a counter of it
    void Reconcile(const CbfcCount& count);

    /// The link came up: both ends count from 0, and the neighbour waits to be told what of the
    /// memory is still taken.
    void Restart();

    /// The wire is free. @return a CF_Update; null: none is due
    Ptr<Packet> MakeUpdate();

    /// @param channel a channel @return whether the neighbour, as far as it has been told, may have
    /// to wait before it sends a frame
    bool MayWait(uint8_t channel) const
    {
        return !m_told.MayTake(channel, m_told.GetLimits().largest);
    }

    /// @param channel a channel @return credits that the neighbour has in use, as far as it has
    /// been told
    uint32_t GetUsed(uint8_t channel) const
    {
        return m_told.GetUsed(channel);
    }

    /// @return the neighbour's limits
    const CbfcLimits& GetLimits() const
    {
        return m_told.GetLimits();
    }

    /// @param channel a channel @return its credits that are taken: arrived and not freed
    uint32_t GetStored(uint8_t channel) const
    {
        return WrapCredits(m_consumed[channel] - m_freed[channel]);
    }

    /// @param channel a channel @return credits that are freed, which the neighbour was not told
    uint32_t GetUntold(uint8_t channel) const
    {
        return m_told.GetUsed(channel) - GetStored(channel);
    }

    /// @param channel a channel @return credits of what has arrived, R_CC
    uint32_t GetConsumed(uint8_t channel) const
    {
        return m_consumed[channel];
    }

    /// Nothing is sent any more.
    void Stop();

  private:
    /// @param bytes that the wire could carry @return how long that takes now
    Time GetTimeOf(uint32_t bytes) const;
    /// There is news of a channel. @param channel which
    void Note(uint8_t channel);
    /// @return the channel of the next update; there is one
    uint8_t ChooseChannel();
    /// Asks for the wire, or waits until it may.
    void Request();
    /// Channels with news since the last time are told of again.
    void Refresh();
    /// What the neighbour knows has changed. @param channel of which
    void UpdateTold(uint8_t channel);

    CbfcPool m_told;                                  ///< what the neighbour has in use, as told
    std::array<uint32_t, NUM_CHANNELS> m_consumed{};  ///< R_CC
    std::array<uint32_t, NUM_CHANNELS> m_freed{};     ///< R_CF
    std::array<uint32_t, NUM_CHANNELS> m_toldFreed{}; ///< R_CF as told
    uint32_t m_pending{0};                            ///< channels to tell of, bit n for n
    uint32_t m_repeats{0};                            ///< of these, those to tell again
    bool m_isRepeating{false};                        ///< the latest update was one of them
    uint32_t m_recent{0};                             ///< with news since the last refresh
    uint8_t m_next{0};                                ///< channel to be asked first
    uint32_t m_updateSpacing{0};                      ///< least from one update to the next, bytes
    uint32_t m_refreshSpacing{0};                     ///< until a refresh, bytes
    Time m_earliest;                                  ///< of the next update
    Callback<DataRate> m_rate;                        ///< tells the present rate of the wire
    Callback<void> m_request;                         ///< asks for the wire
    EventId m_wait;                                   ///< pending: the spacing is over
    EventId m_refresh;                                ///< pending: Refresh()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_RECEIVER_H */
