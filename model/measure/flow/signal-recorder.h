// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SIGNAL_RECORDER_H
#define LOSSLESS_SIGNAL_RECORDER_H

#include "ns3/lossless-types.h"
#include "ns3/queue-pair.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/roce-nic.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/// Signals of congestion and loss of one RoCE NIC, or of all together.
struct NicSignals
{
    uint64_t dataSent{0};      ///< data packets sent, with retransmissions
    uint64_t retransmitted{0}; ///< data packets sent again
    uint64_t timeouts{0};      ///< retransmissions for lack of an answer
    uint64_t cnpsSent{0};      ///< congestion notifications sent
    uint64_t cnpsReceived{0};  ///< congestion notifications received
    uint64_t naksSent{0};      ///< negative acknowledgements sent
    uint64_t outOfOrder{0};    ///< data packets that arrived beyond a gap
    uint64_t duplicates{0};    ///< data packets that arrived again
    uint64_t trimmed{0};       ///< data packets that arrived without their payload
    uint64_t reorderExtent{0}; ///< largest distance of a packet from the expected one
    uint64_t pathSwitches{0};  ///< most switches that telemetry counted on a path

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(dataSent,
                        retransmitted,
                        timeouts,
                        cnpsSent,
                        cnpsReceived,
                        naksSent,
                        outOfOrder,
                        duplicates,
                        trimmed,
                        reorderExtent,
                        pathSwitches);
    }
};

/// Adds trimmed frames to the verdict, and a problem if there are any.
void JudgeTrims(uint64_t frames, RunVerdict& verdict);

/**
 * @ingroup lossless
 * Counts the signals of congestion and loss: marks by flow and by port of switches, trimmed frames,
 * congestion notifications, negative acknowledgements and retransmissions by flow and by NIC.
 *
 * It traces marks and the ends of flows, and reads the counters of NICs when results are asked for.
 */
class SignalRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    SignalRecorder();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    /// @param name of the host
    /// @param port of the host
    /// @param nic installed on a device
    void WatchNic(const std::string& name, PortId port, Ptr<RoceNic> nic);
    void WatchNic(const WatchedNic& nic) override;

    /// Keeps no signals of single flows from here on.
    void KeepNoFlows()
    {
        m_keepsNoFlows = true;
    }

    /// @return signals of the receivers by flow, until it has arrived; only of flows that a NIC
    /// knows
    std::map<uint64_t, FlowSignals> GetFlows() const;
    /// @return frames marked by switches
    uint64_t CountMarks() const;
    /// @return frames trimmed by switches
    uint64_t CountTrims() const;
    /// @return the signals of all NICs
    NicSignals GetTotal() const;

    /// @return ports.csv: ports of switches that have marked or trimmed, in the order of the
    /// switches, and then NICs that have sent data, notifications or negative acknowledgements
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Counts of a port of a switch.
    struct PortSignals
    {
        uint64_t marks{0}; ///< frames marked
        uint64_t trims{0}; ///< frames trimmed that leave by it

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(marks, trims);
        }
    };

    /// Counts of one switch, which keeps this alive.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(m_ports);
        }

        std::string m_name;                    ///< of the switch
        uint32_t m_rank{0};                    ///< of the switch
        std::map<PortId, PortSignals> m_ports; ///< by egress port
    };

    /// Flows that have arrived; the NICs keep it alive.
    struct FlowLog : public SimpleRefCount<FlowLog>
    {
        std::unordered_map<uint64_t, FlowSignals> m_flows; ///< by id
    };

    /// A NIC.
    struct NicPlace
    {
        std::string name;   ///< of its host
        PortId port{0};     ///< of it
        uint32_t rank{0};   ///< of the host
        Ptr<RoceNic> nic;   ///< the NIC
        NicSignals foreign; ///< its signals if it is of another rank
    };

    static NicSignals Read(const NicPlace& place);
    static ResultTable::Row MakeRow(const NicPlace& place, const NicSignals& s);
    /// @return the sum of a count over all ports
    uint64_t CountAtPorts(uint64_t PortSignals::*signal) const;

    std::vector<Ptr<SwitchLog>> m_switches; ///< one per switch
    std::vector<NicPlace> m_nics;           ///< NICs
    Ptr<FlowLog> m_flows;                   ///< never null
    bool m_keepsNoFlows{false};             ///< see KeepNoFlows()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SIGNAL_RECORDER_H */
