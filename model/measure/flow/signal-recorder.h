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

/// What RoCE NICs have said and heard of congestion and loss, one of them or all together.
struct NicSignals
{
    uint64_t dataSent{0};      ///< data packets sent, with retransmissions
    uint64_t retransmitted{0}; ///< data packets sent again
    uint64_t timeouts{0};      ///< repeats for want of an answer
    uint64_t cnpsSent{0};      ///< congestion notifications made
    uint64_t cnpsReceived{0};  ///< congestion notifications taken
    uint64_t naksSent{0};      ///< negative acknowledgements made
    uint64_t outOfOrder{0};    ///< data packets that came beyond a gap
    uint64_t duplicates{0};    ///< data packets that came again
    uint64_t trimmed{0};       ///< data packets that came without their payload
    uint64_t reorderExtent{0}; ///< most packets that one was ahead of the expected one
    uint64_t pathSwitches{0};  ///< most switches that telemetry counted on a path

    /// @return what is told to other ranks, see record-archive.h
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

/**
 * @ingroup lossless
 * Counts the signals of congestion and loss: marks by flow and by port of switches, trimmed frames,
 * congestion notifications, negative acknowledgements and retransmissions by flow and by NIC.
 *
 * It listens to marks and to the end of flows, and asks the NICs for all else when it is itself
 * asked: before Simulator::Destroy().
 */
class SignalRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    SignalRecorder();

    /// @param name name of the switch @param node the switch
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    /// @param name name of the host @param port of it @param nic its NIC, which is installed
    void WatchNic(const std::string& name, PortId port, Ptr<RoceNic> nic);
    void WatchNic(const WatchedNic& nic) override;

    /// @return by id, what the receivers of flows have heard and said, until the flow had arrived;
    /// of flows that no NIC has known, nothing
    std::map<uint64_t, FlowSignals> GetFlows() const;
    /// @return frames that switches have marked
    uint64_t CountMarks() const;
    /// @return frames that switches have trimmed
    uint64_t CountTrims() const;
    /// @return the signals of all NICs
    NicSignals GetTotal() const;

    /// @return ports.csv: ports of switches that have marked or trimmed, in the order in which
    /// the switches were given, and then NICs that have sent data, notifications or negative
    /// acknowledgements
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// What a port of a switch has done.
    struct PortSignals
    {
        uint64_t marks{0}; ///< frames marked
        uint64_t trims{0}; ///< frames trimmed, which were to leave by it

        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(marks, trims);
        }
    };

    /// What one switch has marked and trimmed; kept alive by it, so that a recorder may go first.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        /// @return what is told to other ranks, see record-archive.h
        auto Tie()
        {
            return std::tie(m_ports);
        }

        std::string m_name;                    ///< of the switch
        uint32_t m_rank{0};                    ///< of the switch
        std::map<PortId, PortSignals> m_ports; ///< by egress port
    };

    /// Flows that have arrived; kept alive by the NICs.
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
        NicSignals foreign; ///< what another rank has told of it
    };

    /// @param place a NIC @return its signals
    static NicSignals Read(const NicPlace& place);
    /// @param place a NIC @param s what it has counted @return its row of the table
    static ResultTable::Row MakeRow(const NicPlace& place, const NicSignals& s);
    /// @param signal one of PortSignals @return its sum over all ports
    uint64_t CountAtPorts(uint64_t PortSignals::*signal) const;

    std::vector<Ptr<SwitchLog>> m_switches; ///< one per switch
    std::vector<NicPlace> m_nics;           ///< NICs
    Ptr<FlowLog> m_flows;                   ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SIGNAL_RECORDER_H */
