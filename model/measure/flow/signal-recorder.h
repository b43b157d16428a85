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

/// The congestion and loss signals of one RoCE NIC, or of all NICs.
struct NicSignals
{
    uint64_t dataSent{0};      ///< the number of data packets sent, including retransmissions
    uint64_t retransmitted{0}; ///< the number of data packets retransmitted
    uint64_t timeouts{0};      ///< the number of retransmission timeouts
    uint64_t cnpsSent{0};      ///< the number of congestion notifications sent
    uint64_t cnpsReceived{0};  ///< the number of congestion notifications received
    uint64_t naksSent{0};      ///< the number of negative acknowledgements sent
    uint64_t outOfOrder{0};    ///< the number of data packets that arrived ahead of a missing one
    uint64_t duplicates{0};    ///< the number of duplicate data packets that arrived
    uint64_t trimmed{0};       ///< the number of data packets that arrived without their payload
    uint64_t reorderExtent{0}; ///< the largest number of packets by which an arrival was ahead of
                               ///< the expected packet
    uint64_t pathSwitches{0};  ///< the largest number of switches that telemetry counted on a path

    /// @return references to all members; see record-archive.h
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

/// Adds trimmed frames to the verdict. Reports a problem if there are any.
void JudgeTrims(uint64_t frames, RunVerdict& verdict);

/**
 * @ingroup lossless
 * Counts congestion and loss signals. Marks are counted per flow and per switch port, whereas
 * trimmed frames are counted only per switch port. Congestion notifications, negative
 * acknowledgements and retransmissions are counted per flow and per NIC.
 *
 * The recorder traces marks and the ends of flows, and it reads the counters of NICs when results
 * are requested.
 */
class SignalRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    SignalRecorder();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    /// @param name the name of the host
    /// @param port the port of the host
    /// @param nic a NIC that is installed on a device
    void WatchNic(const std::string& name, PortId port, Ptr<RoceNic> nic);
    void WatchNic(const WatchedNic& nic) override;

    /// Makes the recorder discard the signals of flows that complete at NICs added after this call.
    void KeepNoFlows()
    {
        m_keepsNoFlows = true;
    }

    /// @return the signals that the receiver of each flow has recorded until the flow was complete,
    /// keyed by flow ID; only flows known to a NIC are included
    std::map<uint64_t, FlowSignals> GetFlows() const;
    /// @return the number of frames that switches have marked
    uint64_t CountMarks() const;
    /// @return the number of frames that switches have trimmed
    uint64_t CountTrims() const;
    /// @return the signals of all NICs
    NicSignals GetTotal() const;

    /// @return the contents of ports.csv. The switch ports that have marked or trimmed frames come
    /// first, in the order of the switches. They are followed by the NICs that have sent data,
    /// notifications or negative acknowledgements or have received data packets that were out of
    /// order, duplicate or trimmed.
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The counts of a switch port.
    struct PortSignals
    {
        uint64_t marks{0}; ///< the number of marked frames
        uint64_t trims{0}; ///< the number of trimmed frames that leave through the port

        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(marks, trims);
        }
    };

    /// The counts of one switch. The switch's traces hold a reference to this object.
    struct SwitchLog : public SimpleRefCount<SwitchLog>
    {
        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(m_ports);
        }

        std::string m_name;                    ///< the name of the switch
        uint32_t m_rank{0};                    ///< the rank of the switch
        std::map<PortId, PortSignals> m_ports; ///< the counts of each egress port
    };

    /// The signals of flows that have arrived. The NICs' traces hold references to this object.
    struct FlowLog : public SimpleRefCount<FlowLog>
    {
        std::unordered_map<uint64_t, FlowSignals> m_flows; ///< the signals of each flow, keyed by
                                                           ///< ID
    };

    /// A NIC and its location.
    struct NicPlace
    {
        std::string name;   ///< the name of the NIC's host
        PortId port{0};     ///< the port of the host
        uint32_t rank{0};   ///< the rank of the host
        Ptr<RoceNic> nic;   ///< the NIC
        NicSignals foreign; ///< the signals of a NIC on another rank
    };

    static NicSignals Read(const NicPlace& place);
    static ResultTable::Row MakeRow(const NicPlace& place, const NicSignals& s);
    /// @return the sum of a count over all ports
    uint64_t CountAtPorts(uint64_t PortSignals::*signal) const;

    std::vector<Ptr<SwitchLog>> m_switches; ///< one log per switch
    std::vector<NicPlace> m_nics;           ///< the watched NICs
    Ptr<FlowLog> m_flows;                   ///< the signals of flows that have arrived; never null
    bool m_keepsNoFlows{false};             ///< see KeepNoFlows()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SIGNAL_RECORDER_H */
