// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_OWN_SIMULATOR_H
#define LOSSLESS_OWN_SIMULATOR_H

#include "chosen-simulator.h"

#include "ns3/wheel-simulator-impl.h"

namespace ns3::lossless::tests
{

/// While an object of this class exists, simulations run in WheelSimulatorImpl.
struct OwnSimulator : ChosenSimulator
{
    explicit OwnSimulator(Time longestWindow = Time::Max())
        : ChosenSimulator(OWN_SIMULATOR)
    {
        Simulator::Now(); // creates the simulator
        Get().SetAttribute("LongestWindow", TimeValue(longestWindow));
    }

    static WheelSimulatorImpl& Get()
    {
        return *WheelSimulatorImpl::Peek();
    }
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_OWN_SIMULATOR_H */
