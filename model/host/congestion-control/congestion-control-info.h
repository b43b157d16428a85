// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONGESTION_CONTROL_INFO_H
#define LOSSLESS_CONGESTION_CONTROL_INFO_H

#include "ns3/part-registry.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/// A published set of constants for a congestion control algorithm and its ECN marker.
struct CongestionConstants
{
    /// An attribute and its value.
    struct Value
    {
        std::string attribute; ///< the full name, such as "ns3::lossless::Dcqcn::RateTimer"
        std::string value;     ///< the value as written on the command line
    };

    std::string name;          ///< the name for `--congestion-control-constants`
    std::vector<Value> values; ///< the values that differ from the defaults
};

/// Describes a congestion control algorithm for RoCE queue pairs. Users select it with
/// `--congestion-control`.
struct CongestionControlInfo : public PartInfo
{
    /// The name of the required EcnMarker's TypeId; empty if the algorithm needs no marks.
    std::string marker{};

    /// The sets of constants; the defaults come first.
    std::vector<CongestionConstants> constants{{"default", {}}};

    /// The settings that apply if switches trim packets.
    std::vector<CongestionConstants::Value> whereTrimmed{};
};

/// Registers a congestion control algorithm.
/// @tparam CONTROL the class of the algorithm
template <typename CONTROL>
using RegisterCongestionControl = RegisterPart<CONTROL, CongestionControlInfo>;

/// The settings of the HPCC simulator (alibaba-edu, commit 08d4ba0b01) that several algorithms
/// share.
namespace hpcc_simulator
{

/// The value of MIN_RATE in the simulator's script run.py.
inline const CongestionConstants::Value LEAST_RATE{"ns3::lossless::RateCongestionControl::MinRate",
                                                   "1Gbps"};
/// The equivalent of ACK_HIGH_PRIO 0, which the simulator uses with HPCC and DCTCP.
inline const CongestionConstants::Value ANSWERS_IN_DATA_CLASS{
    "ns3::lossless::RoceNic::AnswersInDataClass",
    "true"};
/// The setting with which packets are marked when they are dequeued.
inline const CongestionConstants::Value MARKS_ON_DEQUEUE{"ns3::lossless::EcnMarker::MarkOnDequeue",
                                                         "true"};

} // namespace hpcc_simulator

} // namespace ns3::lossless

#endif /* LOSSLESS_CONGESTION_CONTROL_INFO_H */
