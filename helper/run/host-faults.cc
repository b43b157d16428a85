// SPDX-License-Identifier: GPL-2.0-only
#include "host-faults.h"

#include "ns3/abort.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/option-text.h"
#include "ns3/pause-storm.h"
#include "ns3/quantity-text.h"
#include "ns3/slow-receiver.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Storms);
NS_OBJECT_ENSURE_REGISTERED(SlowReceivers);

const RegisterFault<Storms> g_storms("storm", 10, [](FaultInfo& part) {
    part.what = "hosts that send PAUSEs";
    part.attribute = "Hosts";
});
const RegisterFault<SlowReceivers> g_slow("slow-receiver", 20, [](FaultInfo& part) {
    part.what = "hosts that accept frames slowly";
    part.attribute = "Hosts";
});

namespace
{

void
RequireFault(bool condition, const std::string& sentence)
{
    NS_ABORT_MSG_UNLESS(condition, sentence << ".");
}

/// @param text the specification, HOST:REST
/// @return the host index and REST; an unknown host stops the program
std::pair<uint32_t, std::string>
ReadHost(const Topology& topology, const std::string& option, const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    const auto node = topology.FindNode(text.substr(0, colon));
    const auto host = node ? topology.FindHostIndex(*node) : std::nullopt;
    RequireFault(colon != std::string::npos && host,
                 "--" + option + ": the network has no host \"" + text.substr(0, colon) +
                     "\", or nothing follows it; write " +
                     (option == "storm" ? "HOST:CLASS, as h3:3" : "HOST:RATE, as h3:10Gbps") +
                     ", with names as topology.csv has them");
    return {*host, text.substr(colon + 1)};
}

/// @return the value of the string; an invalid string stops the program
template <typename T>
T
ReadFault(const std::string& option, const std::string& text)
{
    T value{};
    const std::string allowed = ReadOption(text, value);
    RequireFault(allowed.empty(), "--" + option + " has \"" + text + "\"; it must be " + allowed);
    return value;
}

/// @return the devices of all ports of the host
std::vector<Ptr<LosslessNetDevice>>
GetDevices(const Fabric& fabric, uint32_t host)
{
    std::vector<Ptr<LosslessNetDevice>> devices;
    for (uint32_t port = 0; port < fabric.GetHost(host)->GetNDevices(); ++port)
    {
        devices.push_back(fabric.GetHostDevice(host, port));
    }
    return devices;
}

} // namespace

TypeId
Storms::GetTypeId()
{
    static TypeId tid = MakeTypeId<Storms, Attachment>("Storms").AddAttribute(
        "Hosts",
        "Broken hosts, which send PAUSEs whatever they receive: HOST:CLASS from the start, "
        "HOST:CLASS@1ms from that time on, or HOST:CLASS@1ms..5ms between the two; several, "
        "separated by commas.",
        StringValue(),
        MakeStringAccessor(&Storms::m_hosts),
        MakeStringChecker());
    return tid;
}

Storms::Storm
Storms::Read(const Topology& topology, const std::string& text)
{
    const std::size_t at = text.find('@');
    const auto [host, number] = ReadHost(topology, "storm", text.substr(0, at));
    const auto priority = ReadFault<uint32_t>("storm", number);
    RequireFault(priority < NUM_PRIORITIES,
                 "--storm has the class " + number + "; it must be 0 to 7");
    Storm storm{host, Priority{static_cast<uint8_t>(priority)}, Time(0), {}};
    if (at != std::string::npos)
    {
        const std::string times = text.substr(at + 1);
        const std::size_t dots = times.find("..");
        storm.from = ReadFault<Time>("storm", times.substr(0, dots));
        if (dots != std::string::npos)
        {
            storm.until = ReadFault<Time>("storm", times.substr(dots + 2));
        }
        RequireFault(storm.from >= Time(0) && storm.from < storm.until.value_or(Time::Max()),
                     "--storm has the times \"" + times +
                         "\"; they must be at least 0, and the second one later");
    }
    return storm;
}

std::vector<Storms::Storm>
Storms::GetStorms(const Topology& topology) const
{
    std::vector<Storm> storms;
    for (const std::string& text : SplitList(m_hosts))
    {
        const Storm storm = Read(topology, text);
        const bool isTwice = std::any_of(storms.begin(), storms.end(), [&](const Storm& other) {
            return other.host == storm.host && other.priority == storm.priority;
        });
        RequireFault(!isTwice, "--storm names the host and class of \"" + text + "\" twice");
        storms.push_back(storm);
    }
    return storms;
}

PrioritySet
Storms::GetClasses(const Topology& topology) const
{
    PrioritySet classes = 0;
    for (const Storm& storm : GetStorms(topology))
    {
        classes |= SetOf(storm.priority);
    }
    return classes;
}

std::vector<Time>
Storms::GetStarts(const Topology& topology) const
{
    std::vector<Time> starts;
    for (const Storm& storm : GetStorms(topology))
    {
        starts.push_back(storm.from);
    }
    return starts;
}

void
Storms::Install(Fabric& fabric)
{
    for (const Storm& storm : GetStorms(fabric.GetTopology()))
    {
        for (const Ptr<LosslessNetDevice>& device : GetDevices(fabric, storm.host))
        {
            auto source = CreateObject<PauseStorm>();
            source->SetAttribute("Classes", UintegerValue(SetOf(storm.priority)));
            source->SetStartTime(storm.from);
            source->SetStopTime(storm.until.value_or(Time(0)));
            source->Install(device);
            RequireFault(Contains(device->GetLossless(), storm.priority),
                         "--storm has the class " + std::to_string(Index(storm.priority)) +
                             ", which is not under flow control, so that no PAUSE stops it; it "
                             "must be one of --lossless-classes");
        }
    }
}

TypeId
SlowReceivers::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SlowReceivers, Attachment>("SlowReceivers")
            .AddAttribute("Hosts",
                          "Hosts that accept frames at a lower rate than that of their link and "
                          "pause the classes that fill their receive buffer: HOST:RATE, such as "
                          "h3:10Gbps; several, separated by commas.",
                          StringValue(),
                          MakeStringAccessor(&SlowReceivers::m_hosts),
                          MakeStringChecker());
    return tid;
}

std::map<uint32_t, DataRate>
SlowReceivers::GetRates(const Topology& topology) const
{
    std::map<uint32_t, DataRate> rates;
    for (const std::string& text : SplitList(m_hosts))
    {
        const auto [host, number] = ReadHost(topology, "slow-receiver", text);
        const auto rate = ReadFault<DataRate>("slow-receiver", number);
        RequireFault(rate.GetBitRate() > 0,
                     "--slow-receiver has the rate " + number + "; it must be positive");
        for (const Topology::PortInfo& port : topology.GetPorts(topology.GetHosts()[host]))
        {
            const DataRate most = topology.GetLinks()[port.link].rate;
            RequireFault(rate < most,
                         "--slow-receiver has the rate " + number + "; it must be below " +
                             FormatRate(most) + ", that of the link");
        }
        RequireFault(rates.emplace(host, rate).second,
                     "--slow-receiver names the host of \"" + text +
                         "\" twice; it can be slow once");
    }
    return rates;
}

std::optional<std::string>
SlowReceivers::Check(const Topology& topology) const
{
    GetRates(topology); // stops the program on error
    return std::nullopt;
}

void
SlowReceivers::Install(Fabric& fabric)
{
    for (const auto& [host, rate] : GetRates(fabric.GetTopology()))
    {
        for (const Ptr<LosslessNetDevice>& device : GetDevices(fabric, host))
        {
            auto receiver = CreateObject<SlowReceiver>();
            receiver->SetAttribute("Rate", DataRateValue(rate));
            receiver->Install(device);
        }
    }
}

} // namespace ns3::lossless
