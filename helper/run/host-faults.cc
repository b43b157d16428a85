// SPDX-License-Identifier: GPL-2.0-only
#include "host-faults.h"

#include "ns3/lossless-net-device.h"
#include "ns3/option-text.h"
#include "ns3/pause-storm.h"
#include "ns3/quantity-text.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"
#include "ns3/slow-receiver.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// @param text HOST:REST
/// @return host index and the rest; an error stops the program
std::pair<uint32_t, std::string>
ReadHost(const Experiment& experiment,
         const Topology& topology,
         const std::string& option,
         const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    const auto node = topology.FindNode(text.substr(0, colon));
    const auto host = node ? topology.FindHostIndex(*node) : std::nullopt;
    experiment.Require(colon != std::string::npos && host,
                       "--" + option + ": the network has no host \"" + text.substr(0, colon) +
                           "\", or nothing follows it; write " +
                           (option == "storm" ? "HOST:CLASS, as h3:3" : "HOST:RATE, as h3:10Gbps") +
                           ", with names as topology.csv has them");
    return {*host, text.substr(colon + 1)};
}

/// @return value of the text; an error stops the program
template <typename T>
T
ReadValue(const Experiment& experiment, const std::string& option, const std::string& text)
{
    T value{};
    const std::string allowed = ReadOption(text, value);
    experiment.Require(allowed.empty(),
                       "--" + option + " has \"" + text + "\"; it must be " + allowed);
    return value;
}

} // namespace

void
HostFaults::AddOptions(Experiment& experiment)
{
    experiment.AddValue("storm",
                        "Broken hosts, which send PAUSEs whatever they receive: HOST:CLASS from "
                        "the start, HOST:CLASS@1ms or HOST:CLASS@1ms..5ms from that time on or in "
                        "it; several, separated by commas.",
                        m_stormText);
    experiment.AddValue("slow-receiver",
                        "Hosts that take what arrives at a lower rate than that of their link, "
                        "and pause the classes that fill their receive buffer: HOST:RATE, as "
                        "h3:10Gbps; several, separated by commas.",
                        m_slowText);
}

void
HostFaults::Read(const Experiment& experiment, const Topology& topology)
{
    for (const std::string& text : SplitList(m_stormText))
    {
        ReadStorm(experiment, topology, text);
    }
    for (const std::string& text : SplitList(m_slowText))
    {
        ReadSlow(experiment, topology, text);
    }
}

void
HostFaults::ReadStorm(const Experiment& experiment,
                      const Topology& topology,
                      const std::string& text)
{
    const std::size_t at = text.find('@');
    const auto [host, number] = ReadHost(experiment, topology, "storm", text.substr(0, at));
    const auto priority = ReadValue<uint32_t>(experiment, "storm", number);
    experiment.Require(priority < NUM_PRIORITIES,
                       "--storm has the class " + number + "; it must be 0 to 7");
    Storm storm{host, Priority{static_cast<uint8_t>(priority)}, Time(0), {}};
    if (at != std::string::npos)
    {
        const std::string times = text.substr(at + 1);
        const std::size_t dots = times.find("..");
        storm.from = ReadValue<Time>(experiment, "storm", times.substr(0, dots));
        if (dots != std::string::npos)
        {
            storm.until = ReadValue<Time>(experiment, "storm", times.substr(dots + 2));
        }
        experiment.Require(storm.from >= Time(0) && storm.from < storm.until.value_or(Time::Max()),
                           "--storm has the times \"" + times +
                               "\"; they must be at least 0, and the second one later");
    }
    const bool isTwice =
        std::any_of(m_storms.begin(), m_storms.end(), [&storm](const Storm& other) {
            return other.host == storm.host && other.priority == storm.priority;
        });
    experiment.Require(!isTwice, "--storm names the host and class of \"" + text + "\" twice");
    m_storms.push_back(storm);
}

void
HostFaults::ReadSlow(const Experiment& experiment,
                     const Topology& topology,
                     const std::string& text)
{
    const auto [host, number] = ReadHost(experiment, topology, "slow-receiver", text);
    const auto rate = ReadValue<DataRate>(experiment, "slow-receiver", number);
    experiment.Require(rate.GetBitRate() > 0,
                       "--slow-receiver has the rate " + number + "; it must be positive");
    const bool isTwice =
        std::any_of(m_slow.begin(), m_slow.end(), [index = host](const Slow& slow) {
            return slow.host == index;
        });
    experiment.Require(!isTwice,
                       "--slow-receiver names the host of \"" + text +
                           "\" twice; it can be slow "
                           "once");
    m_slow.push_back({host, rate});
}

void
HostFaults::RequireBefore(const Experiment& experiment, Time end) const
{
    for (const Storm& storm : m_storms)
    {
        experiment.Require(end.IsZero() || storm.from < end,
                           "--storm has one from " + FormatTime(storm.from) +
                               " on, but the run ends at " + FormatTime(end));
    }
}

void
HostFaults::TellMissed() const
{
    for (const Storm& storm : m_storms)
    {
        if (storm.from >= Simulator::Now() && Ranks::IsFirst())
        {
            std::cerr << "The storm of --storm from " << FormatTime(storm.from)
                      << " on did not begin: the run ended at " << FormatTime(Simulator::Now())
                      << "." << std::endl;
        }
    }
}

PrioritySet
HostFaults::GetStormClasses() const
{
    PrioritySet classes = 0;
    for (const Storm& storm : m_storms)
    {
        classes |= SetOf(storm.priority);
    }
    return classes;
}

void
HostFaults::Install(const Experiment& experiment, const Fabric& fabric) const
{
    const auto portsOf = [&fabric](uint32_t host) { return fabric.GetHost(host)->GetNDevices(); };
    for (const Storm& storm : m_storms)
    {
        for (uint32_t port = 0; port < portsOf(storm.host); ++port)
        {
            auto source = CreateObject<PauseStorm>();
            source->SetAttribute("Classes", UintegerValue(SetOf(storm.priority)));
            source->SetStartTime(storm.from);
            source->SetStopTime(storm.until.value_or(Time(0)));
            const Ptr<LosslessNetDevice> device = fabric.GetHostDevice(storm.host, port);
            source->Install(device);
            experiment.Require(Contains(device->GetLossless(), storm.priority),
                               "--storm has the class " + std::to_string(Index(storm.priority)) +
                                   ", which is not under flow control, so that no PAUSE stops it; "
                                   "it must be one of --lossless-classes");
        }
    }
    for (const Slow& slow : m_slow)
    {
        for (uint32_t port = 0; port < portsOf(slow.host); ++port)
        {
            auto receiver = CreateObject<SlowReceiver>();
            receiver->SetAttribute("Rate", DataRateValue(slow.rate));
            receiver->Install(fabric.GetHostDevice(slow.host, port));
        }
    }
}

} // namespace ns3::lossless
