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
 * The CBFC receiver of one link. It counts the credits of arriving and departing frames and reports
 * the freed credits in CF_Updates. Each CF_Update covers one channel. Consecutive CF_Updates are at
 * least UpdateSpacing apart.
 *
 * All channels have the same limit. The channel with the most unreported credits would therefore be
 * the first to wait for credits, so it is reported first. As a result, a channel that fills the
 * link receives most of the updates, regardless of other channels. At most every second update is a
 * repetition. Repetitions are necessary because a channel whose update was lost could otherwise
 * wait while other channels are busy.
 *
 * Every RefreshSpacing, the receiver repeats the reports of all channels that have changed since
 * the last refresh, in case an update was lost or delayed. Because an idle port would otherwise
 * repeat updates forever, this receiver stops after one repetition. It continues when frames leave
 * or when the sender sends its counters, which it does while credits are in use. In this way,
 * simulations can end, and lost messages do not cause a stall.
 */
class CbfcReceiver
{
  public:
    ~CbfcReceiver();

    /// Sets up the receiver. Must be called once, before any other function.
    /// @param settings the settings of this end
    /// @param limits the limits of the neighbour
    /// @param rate a function that returns the current rate of this end, which is used to convert
    /// spacings to times
    /// @param request a function that requests the wire, so that MakeUpdate() is called as soon as
    /// the wire is free
    void Configure(const CbfcSettings& settings,
                   const CbfcLimits& limits,
                   Callback<DataRate> rate,
                   Callback<void> request);

    /// Counts the credits of a frame that has arrived.
    void Arrive(uint8_t channel, uint32_t credits);
    /// Counts the credits of a frame that has left the memory.
    void Free(uint8_t channel, uint32_t credits);
    /// Handles a counter of a CC_Update. Frames that the counter covers but that have not arrived
    /// count as lost, and their credits are freed.
    void Reconcile(const CbfcCount& count);

    /// Handles the recovery of the link. Both ends restart their counters at 0, and the receiver
    /// must report the credits of the frames that it still stores.
    void Restart();

    /// Returns the next CF_Update, or null if none is due. Called when the wire is free.
    Ptr<Packet> MakeUpdate();

    /// Returns whether, according to the reports so far, the neighbour may have to wait before it
    /// sends a frame.
    bool MayWait(uint8_t channel) const
    {
        return !m_told.MayTake(channel, m_told.GetLimits().largest);
    }

    /// Returns the number of credits that, according to the reports so far, the neighbour has in
    /// use.
    uint32_t GetUsed(uint8_t channel) const
    {
        return m_told.GetUsed(channel);
    }

    /// Returns the limits of the neighbour.
    const CbfcLimits& GetLimits() const
    {
        return m_told.GetLimits();
    }

    /// Returns the credits of the stored frames of a channel.
    uint32_t GetStored(uint8_t channel) const
    {
        return WrapCredits(m_consumed[channel] - m_freed[channel]);
    }

    /// Returns the freed but unreported credits of a channel.
    uint32_t GetUntold(uint8_t channel) const
    {
        return m_told.GetUsed(channel) - GetStored(channel);
    }

    /// Returns the credits of all frames of a channel that have arrived (R_CC).
    uint32_t GetConsumed(uint8_t channel) const
    {
        return m_consumed[channel];
    }

    /// Stops all updates.
    void Stop();

  private:
    /// Returns the time that the given number of bytes takes on the wire at the current rate.
    Time GetTimeOf(uint32_t bytes) const;
    void Note(uint8_t channel);
    /// Returns the channel of the next update. At least one channel must be pending.
    uint8_t ChooseChannel();
    /// Requests the wire now or at the end of the minimum spacing.
    void Request();
    /// Repeats the reports of channels that have changed since the last refresh.
    void Refresh();
    void UpdateTold(uint8_t channel);

    CbfcPool m_told; ///< the credits in use by the neighbour, as reported
    std::array<uint32_t, NUM_CHANNELS> m_consumed{};  ///< R_CC, the credits of the frames that have
                                                      ///< arrived
    std::array<uint32_t, NUM_CHANNELS> m_freed{};     ///< R_CF, the credits freed
    std::array<uint32_t, NUM_CHANNELS> m_toldFreed{}; ///< R_CF as last reported
    uint32_t m_pending{0};                            ///< the channels to report; bit n represents
                                                      ///< channel n
    uint32_t m_repeats{0};                            ///< the pending channels whose report is a
                                                      ///< repetition
    bool m_isRepeating{false};    ///< whether the latest update was a repetition
    uint32_t m_recent{0};         ///< the channels that have changed since the last refresh
    uint8_t m_next{0};            ///< the channel to consider first
    uint32_t m_updateSpacing{0};  ///< the minimum spacing of updates, in bytes
    uint32_t m_refreshSpacing{0}; ///< the spacing of refreshes, in bytes
    Time m_earliest;              ///< the earliest time of the next update
    Callback<DataRate> m_rate;    ///< the function that returns the current rate of the wire
    Callback<void> m_request;     ///< the function that requests the wire
    EventId m_wait;               ///< the pending event at the end of the spacing
    EventId m_refresh;            ///< the pending event that calls Refresh()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_RECEIVER_H */
