// SPDX-License-Identifier: GPL-2.0-only
#include "topology-part.h"

#include "topology-checks.h"
#include "topology-options.h"

#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(TopologyPart);
NS_OBJECT_ENSURE_REGISTERED(RegularTopology);

namespace
{

/// A regular network created by a builder of Topology.
/// @tparam OPTIONS the options of the builder
/// @tparam BUILD the builder
template <typename OPTIONS, Topology (*BUILD)(const OPTIONS&)>
class BuiltTopology : public RegularTopology
{
  public:
    std::optional<std::string> Check() const override
    {
        return GetOptions().Check();
    }

    Topology Make() const override
    {
        return BUILD(GetOptions());
    }

  private:
    /// @return the attributes, converted to options of the builder
    virtual OPTIONS GetOptions() const = 0;
};

/// The network of Topology::Star().
class StarTopology : public BuiltTopology<StarOptions, &Topology::Star>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<StarTopology, RegularTopology>("StarTopology")
                                .AddAttribute("Hosts",
                                              "Star: hosts.",
                                              UintegerValue(8),
                                              MakeUintegerAccessor(&StarTopology::m_hosts),
                                              MakeNodeCountChecker());
        return tid;
    }

  private:
    StarOptions GetOptions() const override
    {
        return {m_hosts, GetHostRate(), GetDelay()};
    }

    uint32_t m_hosts{0};
};

/// The network of Topology::Dumbbell().
class DumbbellTopology : public BuiltTopology<DumbbellOptions, &Topology::Dumbbell>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<DumbbellTopology, RegularTopology>("DumbbellTopology")
                                .AddAttribute("Left",
                                              "Dumbbell: hosts of the first switch.",
                                              UintegerValue(2),
                                              MakeUintegerAccessor(&DumbbellTopology::m_left),
                                              MakeNodeCountChecker())
                                .AddAttribute("Right",
                                              "Dumbbell: hosts of the second switch.",
                                              UintegerValue(2),
                                              MakeUintegerAccessor(&DumbbellTopology::m_right),
                                              MakeNodeCountChecker());
        return tid;
    }

  private:
    DumbbellOptions GetOptions() const override
    {
        return {m_left, m_right, GetHostRate(), GetFabricRate(), GetDelay(), GetDelay()};
    }

    uint32_t m_left{0};  ///< number of hosts at the first switch
    uint32_t m_right{0}; ///< number of hosts at the second switch
};

/// The network of Topology::LeafSpine().
class LeafSpineTopology : public BuiltTopology<LeafSpineOptions, &Topology::LeafSpine>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeTypeId<LeafSpineTopology, RegularTopology>("LeafSpineTopology")
                .AddAttribute("Leaves",
                              "Leaf-spine: leaf switches.",
                              UintegerValue(4),
                              MakeUintegerAccessor(&LeafSpineTopology::m_leaves),
                              MakeNodeCountChecker())
                .AddAttribute("Spines",
                              "Leaf-spine: spine switches.",
                              UintegerValue(4),
                              MakeUintegerAccessor(&LeafSpineTopology::m_spines),
                              MakeNodeCountChecker())
                .AddAttribute("HostsPerLeaf",
                              "Leaf-spine: hosts at each leaf.",
                              UintegerValue(4),
                              MakeUintegerAccessor(&LeafSpineTopology::m_hostsPerLeaf),
                              MakeNodeCountChecker());
        return tid;
    }

  private:
    LeafSpineOptions GetOptions() const override
    {
        return {m_leaves, m_spines, m_hostsPerLeaf, GetHostRate(), GetFabricRate(), GetDelay()};
    }

    uint32_t m_leaves{0};
    uint32_t m_spines{0};
    uint32_t m_hostsPerLeaf{0};
};

/// The network of Topology::FatTree().
class FatTreeTopology : public BuiltTopology<FatTreeOptions, &Topology::FatTree>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeTypeId<FatTreeTopology, RegularTopology>("FatTreeTopology")
                .AddAttribute("K",
                              "Fat-tree: ports of a switch.",
                              UintegerValue(4),
                              MakeUintegerAccessor(&FatTreeTopology::m_k),
                              MakeUintegerChecker<uint32_t>(FatTreeOptions::PORTS.least,
                                                            FatTreeOptions::PORTS.most))
                .AddAttribute("Pods",
                              "Fat-tree: pods, at most k; 0: k.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&FatTreeTopology::m_pods),
                              MakeUintegerChecker<uint32_t>(0, FatTreeOptions::PORTS.most))
                .AddAttribute("Oversubscription",
                              "Fat-tree: ratio of an edge switch's hosts to its uplinks.",
                              DoubleValue(1),
                              MakeDoubleAccessor(&FatTreeTopology::m_oversubscription),
                              MakeDoubleChecker<double>());
        return tid;
    }

  private:
    FatTreeOptions GetOptions() const override
    {
        FatTreeOptions options;
        options.k = m_k;
        options.pods = m_pods;
        options.oversubscription = m_oversubscription;
        options.hostRate = GetHostRate();
        options.fabricRate = GetFabricRate();
        options.delay = GetDelay();
        return options;
    }

    uint32_t m_k{0};              ///< number of ports per switch without oversubscription
    uint32_t m_pods{0};           ///< number of pods; 0 to use k
    double m_oversubscription{0}; ///< number of hosts per uplink of an edge switch
};

NS_OBJECT_ENSURE_REGISTERED(StarTopology);
NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);
NS_OBJECT_ENSURE_REGISTERED(LeafSpineTopology);
NS_OBJECT_ENSURE_REGISTERED(FatTreeTopology);

const RegisterTopology<StarTopology> g_star("star", 10, [](TopologyInfo& part) {
    part.what = "hosts around one switch";
    part.options = {{"hosts", "StarTopology::Hosts"}};
});
const RegisterTopology<DumbbellTopology> g_dumbbell("dumbbell", 20, [](TopologyInfo& part) {
    part.what = "two switches with hosts, joined by one link";
    part.options = {{"left", "DumbbellTopology::Left"}, {"right", "DumbbellTopology::Right"}};
});
const RegisterTopology<LeafSpineTopology> g_leafSpine("leaf-spine", 30, [](TopologyInfo& part) {
    part.what = "leaf switches with hosts, each joined to every spine switch";
    part.options = {{"leaves", "LeafSpineTopology::Leaves"},
                    {"spines", "LeafSpineTopology::Spines"},
                    {"hosts-per-leaf", "LeafSpineTopology::HostsPerLeaf"}};
});
const RegisterTopology<FatTreeTopology> g_fatTree("fat-tree", 40, [](TopologyInfo& part) {
    part.what = "three layers of switches (Al-Fares et al.)";
    part.options = {{"k", "FatTreeTopology::K"},
                    {"pods", "FatTreeTopology::Pods"},
                    {"oversubscription", "FatTreeTopology::Oversubscription"}};
});

} // namespace

TypeId
TopologyPart::GetTypeId()
{
    static TypeId tid = MakeTypeId<TopologyPart, Object>("TopologyPart");
    return tid;
}

std::optional<std::string>
TopologyPart::Check() const
{
    return std::nullopt;
}

TypeId
RegularTopology::GetTypeId()
{
    static TypeId tid = MakeTypeId<RegularTopology, TopologyPart>("RegularTopology")
                            .AddAttribute("HostRate",
                                          "Rate of the hosts' links.",
                                          DataRateValue(DataRate("100Gbps")),
                                          MakeDataRateAccessor(&RegularTopology::m_hostRate),
                                          MakeDataRateChecker())
                            .AddAttribute("FabricRate",
                                          "Rate of the links between switches; 0: that of the "
                                          "hosts' links.",
                                          DataRateValue(DataRate(0)),
                                          MakeDataRateAccessor(&RegularTopology::m_fabricRate),
                                          MakeDataRateChecker())
                            .AddAttribute("Delay",
                                          "Propagation delay of every link.",
                                          TimeValue(MicroSeconds(2)),
                                          MakeTimeAccessor(&RegularTopology::m_delay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

DataRate
RegularTopology::GetHostRate() const
{
    return m_hostRate;
}

DataRate
RegularTopology::GetFabricRate() const
{
    return m_fabricRate.GetBitRate() > 0 ? m_fabricRate : m_hostRate;
}

Time
RegularTopology::GetDelay() const
{
    return m_delay;
}

} // namespace ns3::lossless
