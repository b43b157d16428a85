// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHOSEN_SIMULATOR_H
#define LOSSLESS_CHOSEN_SIMULATOR_H

#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdint>
#include <string>

// In which simulator a case runs. Suites run in the module's, which a global value names, or in
// ns-3's, the default of a test runner (test/suites-to-run.py). So a case chooses one only if it is
// about that one, and leaves the choice as it was.

namespace ns3::lossless::tests
{

inline constexpr char NS3_SIMULATOR[] = "ns3::DefaultSimulatorImpl"; ///< the usual one of ns-3
inline constexpr char OWN_SIMULATOR[] = "ns3::lossless::WheelSimulatorImpl"; ///< the module's

inline std::string
GetSimulatorType()
{
    StringValue type;
    GlobalValue::GetValueByName("SimulatorImplementationType", type);
    return type.Get();
}

/// @return by how much Simulator::Stop() of a node is late
inline Time
GetStopDelay(Time leastDelay)
{
    return GetSimulatorType() == OWN_SIMULATOR ? leastDelay : Time(0);
}

/// For as long as it exists, simulations run in a simulator of one kind.
class ChosenSimulator
{
  public:
    /// @param type TypeId of the simulator; without, the choice stays, until it is changed
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
        Simulator::Destroy(); // which ends the one that may exist
        GlobalValue::Bind("SimulatorImplementationType", StringValue(type));
    }

    std::string m_before; ///< the type that is used otherwise
};

/// All reasons for which a case runs in ns-3's simulator, whatever is chosen.
enum class Ns3Only : uint8_t
{
    EVENT_LIST, ///< the case brings an event list, and the module's simulator has its own
    PHASES,     ///< flows that are all alike keep the phases that the order of ties gives them
};

/// For as long as it exists, simulations run in ns-3's simulator.
class Ns3Simulator : public ChosenSimulator
{
  public:
    /// @param reason why not in the module's
    explicit Ns3Simulator([[maybe_unused]] Ns3Only reason)
        : ChosenSimulator(NS3_SIMULATOR)
    {
    }
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_CHOSEN_SIMULATOR_H */
