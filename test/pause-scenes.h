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

/// A network and what happens in it.
struct PauseScene
{
    Topology topology;               ///< its nodes
    SwitchHelper switches;           ///< makes its switches
    FlowList flows;                  ///< all of them
    bool isRing{false};              ///< routes go around in the order of the switches
    bool isRandom{false};            ///< switches draw random numbers
    bool hasSlowHosts{false};        ///< the ports to the hosts have a tenth of the rate
    bool isStopped{false};           ///< a deadlock that is final ends the run
    Time confirm{MicroSeconds(100)}; ///< ConfirmTime
    Time end{MilliSeconds(6)};       ///< of the run
};

/// @return some in which switches lock, or pauses spread, by name
std::map<std::string, PauseScene> GetPauseScenes();

PauseScene DrawPauseScene(uint32_t seed);

/// @return what is found in it of deadlocks, depths of pauses and victims
std::string Play(const PauseScene& scene);

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_PAUSE_SCENES_H */
