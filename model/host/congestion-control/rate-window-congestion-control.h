// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RATE_WINDOW_CONGESTION_CONTROL_H
#define LOSSLESS_RATE_WINDOW_CONGESTION_CONTROL_H

#include "congestion-control.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What algorithms share that keep a rate alone, and to which a window may be added, as HPCC does
 * for comparison (Li et al., SIGCOMM 2019, Sec. 5.1: "DCQCN+win", "TIMELY+win").
 *
 * With "WindowRtt" the window is what the rate yields in that time, so that it shrinks with the
 * rate, as in HPCC's public simulator.
 */
class RateWindowCongestionControl : public RateCongestionControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    uint64_t GetWindow() const override;

  private:
    Time m_windowRtt; ///< of the window; 0: none
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RATE_WINDOW_CONGESTION_CONTROL_H */
