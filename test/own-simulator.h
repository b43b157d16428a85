// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_OWN_SIMULATOR_H
#define LOSSLESS_OWN_SIMULATOR_H

#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wheel-simulator-impl.h"

#include <string>

namespace ns3::lossless::tests
{

/// For as long as it exists, simulations run in WheelSimulatorImpl.
class OwnSimulator
{
  public:
    /// @param longestWindow most of the lookahead to be used
    explicit OwnSimulator(Time longestWindow = Time::Max())
    {
        StringValue before;
        GlobalValue::GetValueByName("SimulatorImplementationType", before);
        m_before = before.Get();
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue("ns3::lossless::WheelSimulatorImpl"));
        Simulator::Now(); // makes it
        Get().SetAttribute("LongestWindow", TimeValue(longestWindow));
    }

    ~OwnSimulator()
    {
        Simulator::Destroy();
        GlobalValue::Bind("SimulatorImplementationType", StringValue(m_before));
    }

    OwnSimulator(const OwnSimulator&) = delete;
    OwnSimulator& operator=(const OwnSimulator&) = delete;

    /// @return it
    static WheelSimulatorImpl& Get()
    {
        return *WheelSimulatorImpl::Peek();
    }

  private:
    std::string m_before; ///< the type that is used otherwise
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_OWN_SIMULATOR_H */
