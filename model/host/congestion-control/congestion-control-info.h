// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONGESTION_CONTROL_INFO_H
#define LOSSLESS_CONGESTION_CONTROL_INFO_H

#include "ns3/part-registry.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/// A published set of constants of a congestion control and its marker.
struct CongestionConstants
{
    /// The value of an attribute.
    struct Value
    {
        std::string attribute; ///< with its class, as "ns3::lossless::Dcqcn::RateTimer"
        std::string value;     ///< as on the command line
    };

    std::string name;          ///< for `--congestion-control-constants`
    std::vector<Value> values; ///< those that differ from the defaults
};

/// A subclass of CongestionControl for RoCE queue pairs, for `--congestion-control`.
struct CongestionControlInfo : public PartInfo
{
    std::string marker{}; ///< TypeId of the EcnMarker that it needs; empty: it needs no marks

    /// Sets of constants, the defaults first.
    std::vector<CongestionConstants> constants{{"default", {}}};

    /// Settings for networks whose switches trim.
    std::vector<CongestionConstants::Value> whereTrimmed{};
};

/// Registers a congestion control.
/// @tparam CONTROL its class
template <typename CONTROL>
using RegisterCongestionControl = RegisterPart<CONTROL, CongestionControlInfo>;

/// Settings of the HPCC simulator (alibaba-edu, commit 08d4ba0b01) for several congestion controls.
namespace hpcc_simulator
{

/// MIN_RATE of its run.py.
inline const CongestionConstants::Value LEAST_RATE{"ns3::lossless::RateCongestionControl::MinRate",
                                                   "1Gbps"};
/// ACK_HIGH_PRIO there, which is 0 with HPCC and DCTCP.
inline const CongestionConstants::Value ANSWERS_IN_DATA_CLASS{
    "ns3::lossless::RoceNic::AnswersInDataClass",
    "true"};
/// When it marks.
inline const CongestionConstants::Value MARKS_ON_DEQUEUE{"ns3::lossless::EcnMarker::MarkOnDequeue",
                                                         "true"};

} // namespace hpcc_simulator

} // namespace ns3::lossless

#endif /* LOSSLESS_CONGESTION_CONTROL_INFO_H */
