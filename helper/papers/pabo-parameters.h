// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_PARAMETERS_H
#define LOSSLESS_PABO_PARAMETERS_H

#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// Common parameters of the PABO paper's networks (Sec. IV to VI), with the paper's values where
/// stated, for comparisons of PABO with schemes that drop frames.
struct PaboParameters
{
    /// Maximum value of options that count frames, chosen so that twice this value does not
    /// overflow.
    static constexpr uint32_t MOST_FRAMES = 1 << 30;

    uint32_t capacity{100};      ///< frames per sub-queue of a switch; 0 means the program's value
    double theta{0.95};          ///< PABO's threshold
    Time delay{NanoSeconds(50)}; ///< delay of each link; not stated in the paper
    uint32_t hostCapacity{0}; ///< frames that wait at a host to be sent again; 0 means `capacity`

    /// Adds the command-line options, except for the hosts' capacity.
    void AddOptions(Experiment& experiment);
    /// Creates a helper for switches of the chosen scheme. With PABO, each egress queue consists of
    /// two sub-queues. Otherwise, it is a single queue of twice the size, plus room for the frame
    /// on the wire. Also sets the gap between frames to that of Ethernet for all devices.
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// Sets the capacity of the hosts. Stops the program if the switches have thresholds, to which
    /// the capacity does not apply.
    void SetHosts(const Experiment& experiment, const Fabric& fabric) const;
};

/// The raw traffic of the PABO paper (Sec. V): hosts that send bursts to another host, without a
/// transport protocol; see RawSource.
struct RawBursts
{
    uint32_t packets{500};           ///< N; each burst has N + 1 frames of 1514 bytes
    Time interval{MicroSeconds(10)}; ///< time between the frames of a burst
    Time pause{MilliSeconds(200)};   ///< time from the last frame of a burst to the next burst

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Adds the sources and the sink.
    /// @param senders the number of sending hosts, which are the first ones
    /// @param receiver the index of the receiving host
    /// @param stop the time after which no frame becomes due
    void Install(const Fabric& fabric, uint32_t senders, uint32_t receiver, Time stop) const;
};

/// Partition/aggregate traffic over TCP (PABO, Sec. IV): a client queries several servers
/// simultaneously; see RequestClient and ReplyServer.
struct RequestTraffic
{
    uint32_t requests{4};         ///< number of requests per connection
    uint64_t replyBytes{1 << 20}; ///< size of a reply, in bytes
    uint32_t windowBytes{45535};  ///< window advertised by the client, in bytes
    Time restartAfter{Time(0)};   ///< idle time after which TCP slow-starts again; 0 means never
    bool timestamps{false};       ///< whether timestamps replace some payload of each segment

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if options were given without this traffic; see Experiment::RequireUse().
    static void RequireUse(const Experiment& experiment, bool isUsed, const std::string& purpose);
    /// Installs ns-3's Internet stack and adds the TCP connections. The run ends when the last
    /// reply has arrived. Call this at most once. TCP is Reno or, with PABO, does not retransmit.
    /// @param pairs the host indices of the client and the server of each connection
    void Install(Fabric& fabric, const std::vector<std::pair<uint32_t, uint32_t>>& pairs) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_PARAMETERS_H */
