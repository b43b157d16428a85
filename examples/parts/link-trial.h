// SPDX-License-Identifier: GPL-2.0-only
#ifndef LINK_TRIAL_H
#define LINK_TRIAL_H

#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::lossless
{

/// Result of a run.
struct LinkOutcome
{
    bool isLossless{false}; ///< whether the switch lost no frame
    bool isFull{false};     ///< whether the output was never idle after its release
};

/// A sender at line rate and a switch whose output is blocked until all traffic has stopped and is
/// then released.
class LinkTrial
{
  public:
    /// Class of the frames.
    static constexpr uint8_t CLASS = 3;

    /// @param experiment the experiment that runs the simulations
    /// @param rate the rate of both links
    /// @param metres the length of the cable to the switch
    /// @param mtu the maximum payload of a frame, in bytes
    LinkTrial(Experiment& experiment, DataRate rate, double metres, uint32_t mtu)
        : m_experiment(experiment),
          m_rate(rate),
          m_delay(Time::FromDouble(5 * metres, Time::NS)),
          m_mtu(mtu)
    {
    }

    /// @param set a function that configures the switch
    LinkOutcome Run(const std::function<void(SwitchHelper&)>& set) const;

    /// @return the transmission time of a frame of maximum size
    Time GetFrameTime() const
    {
        return m_rate.CalculateBytesTxTime(GetFrameBytes() + WIRE_OVERHEAD_BYTES);
    }

    /// @return the size of a frame of maximum size, in bytes without FCS
    uint32_t GetFrameBytes() const
    {
        return m_mtu + ETHERNET_BYTES;
    }

    /// @return a number of bytes that is sufficient for any trial
    uint64_t GetPlenty() const
    {
        const double bits = 2 * m_delay.GetSeconds() * m_rate.GetBitRate();
        return static_cast<uint64_t>(bits / 8) + 8 * GetFrameBytes() + 40000;
    }

  private:
    Experiment& m_experiment;
    DataRate m_rate;
    Time m_delay; ///< delay of the cable
    uint32_t m_mtu;
};

} // namespace ns3::lossless

#endif /* LINK_TRIAL_H */
