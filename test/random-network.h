// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_NETWORK_H
#define LOSSLESS_RANDOM_NETWORK_H

#include "test-network.h"

#include "ns3/headroom-buffer-policy.h"
#include "ns3/lossless-topology.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/scheme-registry.h"

#include <cstdint>

// Random networks under random traffic, and laws that hold in them. Whoever has a part of switches
// registers what is random about it (RegisterRandomPart), whoever knows what must hold registers a
// Law (RegisterLaw): each in the file of the suite concerned. The suite lossless-conservation runs
// all of them; lossless-windows and lossless-ranks compare the results of the same networks.

namespace ns3::lossless::tests
{

class RandomNetwork;

/// What disturbs a random network.
enum class Trouble : uint8_t
{
    SOME_CUTS, ///< in a quarter of the networks cables are cut and restored
    WATCHDOG,  ///< the same, and one acts beside the scheme as if it saw storms everywhere
    NONE,      ///< nothing
    CUTS,      ///< cables are cut and restored
    ERRORS,    ///< frames are corrupt now and then, those of flow control as well
    RETRY,     ///< bits are wrong, also of acknowledgements, but links send frames again
};

/// @return in words, as in "random networks, with a watchdog"
std::string ToString(Trouble trouble);

inline bool
IsForAll(Trouble trouble)
{
    return trouble == Trouble::SOME_CUTS || trouble == Trouble::WATCHDOG;
}

/// A kind of switches: a scheme over a buffer policy, and what can be expected of it.
struct SwitchKind
{
    std::string name;       ///< for messages
    SchemeInfo scheme;      ///< what it promises
    std::string policy;     ///< TypeId of the policy
    bool isStandard{false}; ///< neighbours take as long as IEEE 802.3 lets them

    SwitchKind(const SchemeInfo& scheme, const BufferPolicyInfo& policy);

    SwitchHelper MakeSwitchHelper() const;
    bool HasHeadroom() const;
};

/// What is random about a part of switches.
struct RandomPart
{
    std::string type; ///< TypeId of a buffer policy or a switch

    /// Draws its settings; those of a switch when the MTU is known.
    void (*draw)(RandomNetwork& network, SwitchHelper& switches){nullptr};
    /// @return bytes of memory that a switch needs; for policies without headroom
    uint64_t (*fit)(RandomNetwork& network, SwitchNode& node){nullptr};
    /// @return the least that must be shared, where thresholds must exceed a level, bytes; for
    /// policies with headroom
    uint64_t (*share)(const RandomNetwork& network,
                      const HeadroomBufferPolicy& policy,
                      uint64_t level){nullptr};
    /// What it can bear besides what all schemes can.
    std::vector<Trouble> troubles{};
    double corrupt{0.05}; ///< share of frames that may be corrupt in Trouble::ERRORS, at most
};

/// Registers it, as a constant in the file of its suite.
struct RegisterRandomPart
{
    explicit RegisterRandomPart(const RandomPart& part);
};

/// @return what is registered for it; as good as nothing otherwise
const RandomPart& FindRandomPart(const std::string& type);

/// Classes under flow control; the others may be dropped.
inline constexpr PrioritySet RANDOM_LOSSLESS = 0x0e;

/// What must hold in random networks of one kind with one trouble, one network after the other.
class Law
{
  public:
    virtual ~Law() = default;
    virtual void Begin(RandomNetwork& network) = 0;

    /// Looks at random times. @return what contradicts the law; empty: nothing
    virtual std::string Check()
    {
        return "";
    }

    /// Looks when everything is over.
    virtual std::string End()
    {
        return Check();
    }

    /// A test in which nothing happens would hold whatever the code does.
    /// @return what has been too rare; empty: nothing
    virtual std::string FindRare(uint64_t /* networks */) const
    {
        return "";
    }
};

/// Several laws.
using Laws = std::vector<std::unique_ptr<Law>>;

/// Makes a law for networks of a kind with a trouble; null where it does not apply to them.
using MakeLaw = std::unique_ptr<Law> (*)(const SwitchKind& kind, Trouble trouble);

/// Registers a law, as a constant.
struct RegisterLaw
{
    explicit RegisterLaw(MakeLaw make);
};

Laws MakeLaws(const SwitchKind& kind, Trouble trouble);

/// Numbers of one stream, so that a seed tells all that is random.
class Dice
{
  public:
    explicit Dice(int64_t seed);

    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return m_random->GetInteger(least, most);
    }

    /// @return a power of two between 2^least and 2^most
    double DrawPower(double least, double most);
    std::string DrawOf(const std::vector<std::string>& values);

  protected:
    Ptr<UniformRandomVariable> m_random; ///< the stream
};

/// What laws must know of a random network.
struct RandomFacts
{
    bool hasCuts{false};    ///< cables were cut
    bool isIgnoring{false}; ///< a watchdog had frames sent in spite of pauses
    PrioritySet watched{0}; ///< classes that the watchdog looks after
    uint64_t excused{0}; ///< frames of lossless classes of which a law knows why they may be lost
};

/// A random network with random traffic: single frames, with laws that look at every switch; or
/// flows, with all results.
class RandomNetwork : public Dice
{
  public:
    /// Who sends.
    enum class Traffic : uint8_t
    {
        FRAMES, ///< hosts send bursts of frames, for Run()
        FLOWS,  ///< NICs send flows, for Write()
    };

    /// Draws the network.
    RandomNetwork(const SwitchKind& kind,
                  Trouble trouble,
                  int64_t seed,
                  Traffic traffic = Traffic::FRAMES);

    /// Simulates. @return every arrival, and what each switch has sent
    std::string Run(const Laws& laws);
    /// Simulates.
    void Write(const std::string& folder);

    /// @return what contradicts the laws; empty: nothing
    const std::string& GetError() const
    {
        return m_error;
    }

    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /// @return of all devices, bytes
    uint32_t GetMtu() const
    {
        return m_mtu;
    }

    const std::vector<std::unique_ptr<TestHost>>& GetHosts() const
    {
        return m_hosts;
    }

    void ForEachSwitch(const std::function<void(SwitchNode&)>& function) const;
    void ForEachDevice(const std::function<void(LosslessNetDevice&)>& function) const;

    /// @return what its parts will be given, with unlimited memory: a policy then shows what it
    /// sets aside
    SwitchShape MakeShape(SwitchNode& node) const;
    /// @param threshold of an empty switch, bytes @return what must be shared for it, bytes
    uint64_t GetShared(uint64_t threshold) const;

    RandomFacts& GetFacts()
    {
        return m_facts;
    }

  private:
    /// @return whether flows are sent, by NICs
    bool HasFlows() const
    {
        return m_traffic == Traffic::FLOWS;
    }

    DataRate DrawRate();
    /// @return a random propagation delay: 10 m to 600 m, and now and then 4 km, or with flows none
    Time DrawDelay();
    /// @return a star, a random tree or a leaf-spine network
    Topology DrawTopology();
    /// @return one switch and hosts at unequal links, as many as 63 of them
    Topology DrawStar();
    /// @return switches and hosts at unequal links; with flows, some hosts have two
    Topology DrawTree();
    uint32_t DrawLink(Topology& topology, uint32_t node, const std::vector<uint32_t>& others);
    SwitchHelper DrawSwitches();
    /// Has the switches forward flows in several ways, and mark.
    void DrawPaths();
    /// Gives each switch little more buffer than the least that it accepts.
    void DrawBuffers();
    /// @param node a switch over a policy with headroom @return bytes of memory
    uint64_t DrawBuffer(SwitchNode& node);
    /// @return what a threshold must exceed, bytes
    static uint64_t GetLevel(const FlowControl& flowControl);

    /// Builds the network.
    void Build(const ObjectFactory& nics = ObjectFactory("ns3::lossless::RoceNic"));
    ObjectFactory DrawNics();
    /// @return flows among all hosts, and several to one at once
    FlowList DrawFlows();
    /// Makes the hosts send bursts of frames.
    void DrawTraffic();
    void DrawBursts(TestHost& host);

    /// Disturbs the network.
    void DrawTrouble();
    /// Cuts and restores links at random times.
    void DrawCuts(uint32_t cuts);
    /// @param device where frames arrive that may be corrupt
    void DrawErrors(LosslessNetDevice& device);
    /// @param device gets a retry of its link, and errors of bits that arrive there
    void DrawBitErrors(LosslessNetDevice& device);
    /// Acts beside the scheme at random times, as a watchdog that sees storms everywhere.
    void DrawWatchdog();
    /// Acts once, and takes it back later. @param priority class that it concerns
    void DrawAct(Priority priority);

    void Ask(const Laws& laws, std::string (Law::*ask)());
    /// @return every arrival, and what each switch has sent
    std::string Record() const;

    const SwitchKind& m_kind;
    Trouble m_trouble;
    Traffic m_traffic;
    int64_t m_seed;
    double m_alpha{1}; ///< of the policy, if it has it
    SwitchHelper m_switches;
    Topology m_topology;
    uint32_t m_mtu{1500};
    std::unique_ptr<Fabric> m_fabric;
    std::vector<std::unique_ptr<TestHost>> m_hosts;
    RandomFacts m_facts;
    std::string m_error;
};

/// @param function called with each of its queues, by port and class
template <typename Function>
void
ForEachQueue(const SwitchNode& node, const Function& function)
{
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            function(QueueId{PortId{port}, Priority{p}});
        }
    }
}

/// @return the schemes over each buffer policy that they take
std::vector<SwitchKind> GetSwitchKinds(const std::function<bool(const SchemeInfo&)>& choice);

/// Why the watchdog of random networks has frames dropped: not for lack of buffer.
bool IsOfRandomWatchdog(DropReason reason);

/// @return the kind of its switches: as many seeds in turn have all schemes of the module
SwitchKind GetRandomKind(uint32_t seed);

std::string ReadTables(const std::string& folder);

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_RANDOM_NETWORK_H */
