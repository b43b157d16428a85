// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_NETWORK_H
#define LOSSLESS_RANDOM_NETWORK_H

#include "test-network.h"

#include "ns3/headroom-buffer-policy.h"

#include <cstdint>

// Random networks with random traffic, and laws that hold in them. RegisterRandomPart registers the
// random settings of a switch part, and RegisterLaw registers a law, each in the file of the
// corresponding suite. The suite lossless-conservation runs all networks, and lossless-windows and
// lossless-ranks compare results of the same networks.

namespace ns3::lossless::tests
{

class RandomNetwork;

/// Disturbances of a random network.
enum class Trouble : uint8_t
{
    SOME_CUTS, ///< cables are cut and restored in a quarter of the networks
    WATCHDOG,  ///< the same cuts, and a watchdog acts as if it detected storms everywhere
    NONE,      ///< no disturbances
    CUTS,      ///< cables are cut and restored
    ERRORS,    ///< frames, including flow-control frames, are occasionally corrupted
    RETRY,     ///< bit errors occur, even in acknowledgements, but links retransmit frames
};

/// @return a description, such as "random networks, with a watchdog"
std::string ToString(Trouble trouble);

inline bool
IsForAll(Trouble trouble)
{
    return trouble == Trouble::SOME_CUTS || trouble == Trouble::WATCHDOG;
}

/// A kind of switch: its scheme, its buffer policy and its expected properties.
struct SwitchKind
{
    std::string name;       ///< name of the kind in messages
    SchemeInfo scheme;      ///< the scheme and its guarantees
    std::string policy;     ///< TypeId name of the policy
    bool isStandard{false}; ///< true if neighbours respond as late as IEEE 802.3 allows

    SwitchKind(const SchemeInfo& scheme, const BufferPolicyInfo& policy);

    SwitchHelper MakeSwitchHelper() const;
    bool HasHeadroom() const;
};

/// The random settings of a part of a switch.
struct RandomPart
{
    std::string type; ///< TypeId name of a buffer policy or a switch

    /// Draws the settings; for a switch, the MTU has already been drawn.
    void (*draw)(RandomNetwork& network, SwitchHelper& switches){nullptr};
    /// @return the memory that a switch needs, in bytes; used for policies without headroom
    uint64_t (*fit)(RandomNetwork& network, SwitchNode& node){nullptr};
    /// @return the minimum size of the shared buffer, in bytes, for which thresholds exceed a
    /// level; used for policies with headroom
    uint64_t (*share)(const RandomNetwork& network,
                      const HeadroomBufferPolicy& policy,
                      uint64_t level){nullptr};
    /// Disturbances that the part can handle in addition to those that all schemes can handle.
    std::vector<Trouble> troubles{};
    double corrupt{0.05}; ///< maximum share of corrupt frames in Trouble::ERRORS
};

/// Registers a RandomPart. An object of this type is a constant in the file of its suite.
struct RegisterRandomPart
{
    explicit RegisterRandomPart(const RandomPart& part);
};

/// @return the RandomPart registered for the type; if there is none, a part without settings
const RandomPart& FindRandomPart(const std::string& type);

/// The classes under flow control. Frames of other classes can be dropped.
inline constexpr PrioritySet RANDOM_LOSSLESS = 0x0e;

/// A property of random networks of one kind with one disturbance, which is checked in one network
/// at a time.
struct Law
{
    virtual ~Law() = default;
    virtual void Begin(RandomNetwork& network) = 0;

    /// Checks the law at random times.
    /// @return the violation, or an empty string
    virtual std::string Check()
    {
        return "";
    }

    /// Checks the law at the end of a run.
    virtual std::string End()
    {
        return Check();
    }

    /// Checks that the events under test were frequent enough. Without them, a test would pass with
    /// any code.
    /// @return the events that were too rare, or an empty string
    virtual std::string FindRare(uint64_t /* networks */) const
    {
        return "";
    }
};

/// A list of laws.
using Laws = std::vector<std::unique_ptr<Law>>;

/// Creates a law for networks of a kind with a disturbance; returns null if the law does not apply
/// to them.
using MakeLaw = std::unique_ptr<Law> (*)(const SwitchKind& kind, Trouble trouble);

/// Registers a law. An object of this type is a constant.
struct RegisterLaw
{
    explicit RegisterLaw(MakeLaw make);
};

Laws MakeLaws(const SwitchKind& kind, Trouble trouble);

/// A stream of random numbers that is determined by a seed.
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
    Ptr<UniformRandomVariable> m_random; ///< random numbers of the stream
};

/// The facts about a random network that laws require.
struct RandomFacts
{
    bool hasCuts{false};    ///< true if cables were cut
    bool isIgnoring{false}; ///< true if a watchdog caused frames to be sent despite pauses
    PrioritySet watched{0}; ///< classes that the watchdog monitors
    uint64_t excused{0};    ///< number of lossless frames whose loss is excused by a law
};

/// A random network with random traffic. The traffic consists either of single frames, in which
/// case laws inspect every switch, or of flows, in which case all results are written.
class RandomNetwork : public Dice
{
  public:
    /// The source of the traffic.
    enum class Traffic : uint8_t
    {
        FRAMES, ///< hosts send bursts of frames; see Run()
        FLOWS,  ///< NICs send flows; see Write()
    };

    /// Draws the network.
    RandomNetwork(const SwitchKind& kind,
                  Trouble trouble,
                  int64_t seed,
                  Traffic traffic = Traffic::FRAMES);

    /// Runs the simulation.
    /// @return a record of every arrival and of the number of frames sent by each switch
    std::string Run(const Laws& laws);
    /// Runs the simulation and writes its results to a folder.
    void Write(const std::string& folder);

    void ForEachSwitch(const std::function<void(SwitchNode&)>& function) const;
    void ForEachDevice(const std::function<void(LosslessNetDevice&)>& function) const;

    /// @return the shape that is passed to the switch's parts, with unlimited memory, so that the
    /// policy reveals how much it reserves
    SwitchShape MakeShape(SwitchNode& node) const;
    /// @param threshold the threshold of an empty switch, in bytes
    /// @return the required size of the shared buffer, in bytes
    uint64_t GetShared(uint64_t threshold) const;

  private:
    /// @return true if NICs send flows
    bool HasFlows() const
    {
        return m_traffic == Traffic::FLOWS;
    }

    DataRate DrawRate();
    /// @return a random propagation delay, usually that of 10 m to 600 m of cable, and occasionally
    /// that of 4 km or, with flows, zero
    Time DrawDelay();
    /// @return a star, a random tree or a leaf-spine network
    Topology DrawTopology();
    /// @return one switch and up to 63 hosts with unequal links
    Topology DrawStar();
    /// @return switches and hosts with unequal links; with flows, some hosts have two links
    Topology DrawTree();
    uint32_t DrawLink(Topology& topology, uint32_t node, const std::vector<uint32_t>& others);
    SwitchHelper DrawSwitches();
    /// Selects how the switches forward frames and makes them mark frames.
    void DrawPaths();
    /// Gives each switch slightly more buffer than the minimum with which it starts.
    void DrawBuffers();
    /// @param node a switch whose policy has headroom
    /// @return the size of the memory in bytes
    uint64_t DrawBuffer(SwitchNode& node);
    /// @return the level that thresholds must exceed, in bytes
    static uint64_t GetLevel(const FlowControl& flowControl);

    /// Builds the network.
    void Build(const ObjectFactory& nics = ObjectFactory("ns3::lossless::RoceNic"));
    ObjectFactory DrawNics();
    /// @return flows among all hosts, including simultaneous flows to one host
    FlowList DrawFlows();
    /// Makes the hosts send bursts of frames.
    void DrawTraffic();
    void DrawBursts(TestHost& host);

    /// Draws the disturbances of the network.
    void DrawTrouble();
    /// Cuts and restores links at random times.
    void DrawCuts(uint32_t cuts);
    /// @param device the device at which arriving frames can be corrupt
    void DrawErrors(LosslessNetDevice& device);
    /// @param device a device with link-layer retry, at which frames can arrive with bit errors
    void DrawBitErrors(LosslessNetDevice& device);
    /// Schedules random actions like those of a watchdog that detects storms everywhere.
    void DrawWatchdog();
    /// Performs one action of a watchdog and reverses it later.
    /// @param priority the class that is affected
    void DrawAct(Priority priority);

    void Ask(const Laws& laws, std::string (Law::*ask)());
    /// @return a record of every arrival and of the number of frames sent by each switch
    std::string Record() const;

  public:
    const SwitchKind& m_kind;
    Trouble m_trouble;
    Traffic m_traffic;
    int64_t m_seed;
    double m_alpha{1}; ///< alpha of the policy, if it has one
    SwitchHelper m_switches;
    Topology m_topology;
    uint32_t m_mtu{1500}; ///< MTU of all devices, in bytes
    std::unique_ptr<Fabric> m_fabric;
    std::vector<std::unique_ptr<TestHost>> m_hosts;
    RandomFacts m_facts;
    std::string m_error; ///< violated laws, or an empty string
};

/// @param function a function that is called for each queue of the switch, in the order of ports
/// and classes
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

/// @return the schemes with each of their buffer policies
std::vector<SwitchKind> GetSwitchKinds(const std::function<bool(const SchemeInfo&)>& choice);

/// @return true if the watchdog of random networks caused the drop
bool IsOfRandomWatchdog(DropReason reason);

/// @return the kind of switches for a seed; consecutive seeds use all schemes of the module
SwitchKind GetRandomKind(uint32_t seed);

std::string ReadTables(const std::string& folder);

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_RANDOM_NETWORK_H */
