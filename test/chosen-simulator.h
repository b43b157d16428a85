// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHOSEN_SIMULATOR_H
#define LOSSLESS_CHOSEN_SIMULATOR_H

#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdint>
#include <string>

// Selects the simulator of a test. Suites run in the module's simulator, which a global value
// selects, or in ns-3's simulator, which is the default of test runners (test/suites-to-run.py). A
// test thus selects a simulator only if it depends on a specific one, and then restores the
// previous selection.

namespace ns3::lossless::tests
{

inline constexpr char NS3_SIMULATOR[] = "ns3::DefaultSimulatorImpl"; ///< ns-3's default simulator
inline constexpr char OWN_SIMULATOR[] = "ns3::lossless::WheelSimulatorImpl"; ///< the module's
                                                                             ///< simulator

inline std::string
GetSimulatorType()
{
    StringValue type;
    GlobalValue::GetValueByName("SimulatorImplementationType", type);
    return type.Get();
}

/// @param leastDelay the minimum delay over all cables
/// @return the time from a node's call of Simulator::Stop() to the end of the run
inline Time
GetStopDelay(Time leastDelay)
{
    return GetSimulatorType() == OWN_SIMULATOR ? leastDelay : Time(0);
}

/// While an object of this class exists, simulations run in a simulator of the given type.
class ChosenSimulator
{
  public:
    /// @param type the TypeId name of the simulator; the default is the currently selected one
    explicit ChosenSimulator(const std::string& type = GetSimulatorType())
        : m_before(GetSimulatorType())
    {
        Choose(type);
    }

    ~ChosenSimulator()
    {
        Choose(m_before);
    }

    ChosenSimulator(const ChosenSimulator&) = delete;
    ChosenSimulator& operator=(const ChosenSimulator&) = delete;

  private:
    static void Choose(const std::string& type)
    {
        Simulator::Destroy(); // ends the existing simulation, if any
        GlobalValue::Bind("SimulatorImplementationType", StringValue(type));
    }

    std::string m_before; ///< previous type
};

/// Reasons for running a test only in ns-3's simulator.
enum class Ns3Only : uint8_t
{
    EVENT_LIST, ///< the test replaces the event list, but the module's simulator has its own
    PHASES,     ///< identical flows keep their relative phases, which depend on the order of
                ///< simultaneous events
};

/// While an object of this class exists, simulations run in ns-3's simulator.
struct Ns3Simulator : ChosenSimulator
{
    /// @param reason the reason why the test cannot run in the module's simulator
    explicit Ns3Simulator([[maybe_unused]] Ns3Only reason)
        : ChosenSimulator(NS3_SIMULATOR)
    {
    }
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_CHOSEN_SIMULATOR_H */
