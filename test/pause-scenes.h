// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_PAUSE_SCENES_H
#define LOSSLESS_PAUSE_SCENES_H

#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"
#include "ns3/switch-helper.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::lossless::tests
{

/// A network, its traffic and the settings of its run.
struct PauseScene
{
    Topology topology;               ///< nodes and links
    SwitchHelper switches;           ///< helper that creates the switches
    FlowList flows;                  ///< list of all flows
    bool isRing{false};              ///< true if routes follow the order of the switches
    bool isRandom{false};            ///< true if switches draw random numbers
    bool hasSlowHosts{false};        ///< true if ports to hosts have a tenth of the rate
    bool isStopped{false};           ///< true if a final deadlock ends the run
    Time confirm{MicroSeconds(100)}; ///< ConfirmTime of the detector
    Time end{MilliSeconds(6)};       ///< end of the run
};

/// @return scenes in which switches deadlock or pauses propagate, keyed by name
std::map<std::string, PauseScene> GetPauseScenes();

PauseScene DrawPauseScene(uint32_t seed);

/// @return the deadlocks, depths of pauses and victims found in the scene
std::string Play(const PauseScene& scene);

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_PAUSE_SCENES_H */
