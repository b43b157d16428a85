// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-controls.h"

#include "ns3/abort.h"
#include "ns3/named-choices.h"

namespace ns3::lossless
{

namespace
{

/// @return how both public simulators mark, by the rate of the port, see RedMarker; its other
/// thresholds are the defaults
CongestionConstants::Value
MarkByRate()
{
    return {"ns3::lossless::EcnMarker::ReferenceRate", "100Gbps"};
}

/// @return MIN_RATE of run.py of the HPCC simulator (alibaba-edu, commit 08d4ba0b01)
CongestionConstants::Value
HaveLeastRate()
{
    return {"ns3::lossless::RateCongestionControl::MinRate", "1Gbps"};
}

/// @return ACK_HIGH_PRIO there, which is 0 with HPCC and with DCTCP
CongestionConstants::Value
AnswerInDataClass()
{
    return {"ns3::lossless::RoceNic::AnswersInDataClass", "true"};
}

/// @return when that simulator marks
CongestionConstants::Value
MarkOnDequeue()
{
    return {"ns3::lossless::EcnMarker::MarkOnDequeue", "true"};
}

/// @return published sets of DCTCP
std::vector<CongestionConstants>
GetDctcpConstants()
{
    return {{"default", {}},
            {"hpcc-simulator", {HaveLeastRate(), AnswerInDataClass(), MarkOnDequeue()}}};
}

/// @return published sets of HPCC
std::vector<CongestionConstants>
GetHpccConstants()
{
    return {{"default", {}},
            {"hpcc-simulator",
             {HaveLeastRate(), AnswerInDataClass(), {"ns3::lossless::Hpcc::MaxStage", "0"}}}};
}

/// @return published sets of DCQCN
std::vector<CongestionConstants>
GetDcqcnConstants()
{
    const std::string dcqcn = "ns3::lossless::Dcqcn::";
    const std::string marker = "ns3::lossless::RedMarker::";
    return {{"default", {}},
            {"paper",
             {{dcqcn + "AlphaTimer", "55us"},
              {dcqcn + "RateCutInterval", "0us"},
              {dcqcn + "RateTimer", "55us"},
              {dcqcn + "ByteCounter", "10000000"},
              {dcqcn + "AdditiveStep", "40Mbps"},
              {dcqcn + "ClampTarget", "true"},
              {"ns3::lossless::RoceNic::CnpInterval", "50us"},
              {marker + "MinBytes", "5000"},
              {marker + "MaxBytes", "200000"},
              {marker + "MaxProbability", "0.01"}}},
            {"hpcc-simulator",
             {{dcqcn + "FastRecoverySteps", "1"}, HaveLeastRate(), MarkOnDequeue(), MarkByRate()}},
            {"powertcp-simulator",
             {{dcqcn + "RateTimer", "900us"},
              {dcqcn + "FastRecoverySteps", "1"},
              {dcqcn + "AdditiveStep", "50Mbps"},
              {dcqcn + "HyperStep", "100Mbps"},
              MarkByRate()}}};
}

/// @return published sets of PowerTCP
std::vector<CongestionConstants>
GetPowerTcpConstants()
{
    const std::string powertcp = "ns3::lossless::PowerTcp::";
    return {{"default", {}},
            {"paper", {{powertcp + "Target", "1"}}},
            {"powertcp-simulator",
             {{powertcp + "AdditiveStep", "150Mbps"}, {powertcp + "OldOncePerRound", "true"}}}};
}

/// @return all that there are
std::vector<CongestionControlChoice>&
GetChoices()
{
    static std::vector<CongestionControlChoice> choices = {
        {"None", "ns3::lossless::NoCongestionControl", "", "line rate, and the NIC's fixed window"},
        {"DCQCN",
         "ns3::lossless::Dcqcn",
         "ns3::lossless::RedMarker",
         "rate, by congestion notification packets (Zhu et al.)",
         GetDcqcnConstants()},
        {"DCTCP",
         "ns3::lossless::Dctcp",
         "ns3::lossless::StepMarker",
         "rate and window, by the share of marked packets (Alizadeh et al.)",
         GetDctcpConstants()},
        {"TIMELY",
         "ns3::lossless::Timely",
         "",
         "rate, by round trip times (Mittal et al.)",
         {{"default", {}}, {"hpcc-simulator", {HaveLeastRate()}}}},
        {"HPCC",
         "ns3::lossless::Hpcc",
         "",
         "rate and window, by in-band telemetry (Li et al.)",
         GetHpccConstants()},
        {"PowerTCP",
         "ns3::lossless::PowerTcp",
         "",
         "rate and window, by in-band telemetry (Addanki et al.)",
         GetPowerTcpConstants()},
        {"NSCC",
         "ns3::lossless::Nscc",
         "ns3::lossless::RedMarker",
         "window, by marks, delay and trimmed packets (Ultra Ethernet)",
         {{"default", {}}},
         {{"ns3::lossless::Nscc::Trimming", "true"}}},
    };
    return choices;
}

} // namespace

const std::vector<CongestionControlChoice>&
GetCongestionControls()
{
    return GetChoices();
}

void
AddCongestionControl(const CongestionControlChoice& choice)
{
    NS_ABORT_MSG_IF(FindCongestionControl(choice.name),
                    "The congestion control \"" << choice.name << "\" is registered twice.");
    for (const CongestionControlChoice& other : GetChoices())
    {
        NS_ABORT_MSG_IF(other.type == choice.type,
                        "The congestion controls \""
                            << other.name << "\" and \"" << choice.name << "\" have the same type, "
                            << choice.type << "; give the class a GetTypeId() of its own.");
    }
    GetChoices().push_back(choice);
}

std::string
DescribeCongestionControls()
{
    std::string text;
    for (const CongestionControlChoice& choice : GetCongestionControls())
    {
        text += (text.empty() ? "" : "; ") + choice.name + ": " + choice.what;
    }
    return text;
}

std::string
DescribeCongestionConstants()
{
    std::string text;
    for (const CongestionControlChoice& choice : GetCongestionControls())
    {
        if (choice.constants.size() > 1)
        {
            text += (text.empty() ? "" : "; ") + choice.name + ": " + ListNames(choice.constants);
        }
    }
    return text;
}

std::optional<CongestionControlChoice>
FindCongestionControl(const std::string& name)
{
    return FindByName(GetCongestionControls(), name);
}

std::string
GetCongestionControlName(TypeId type)
{
    for (const CongestionControlChoice& choice : GetCongestionControls())
    {
        if (choice.type == type.GetName())
        {
            return choice.name;
        }
    }
    return type.GetName();
}

} // namespace ns3::lossless
