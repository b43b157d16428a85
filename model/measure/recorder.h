// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECORDER_H
#define LOSSLESS_RECORDER_H

#include "result-table.h"

#include "ns3/lossless-net-device.h"
#include "ns3/object.h"
#include "ns3/part-registry.h"
#include "ns3/ranked-record.h"
#include "ns3/roce-nic.h"
#include "ns3/switch-node.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A NIC, as recorders get it.
struct WatchedNic
{
    std::string host;              ///< name of its host, or its address
    Ptr<Object> nic;               ///< it
    Ptr<RoceNic> roce;             ///< the same; null: another kind, or not installed on a device
    Ptr<LosslessNetDevice> device; ///< which it is installed on; null with `roce`
};

/**
 * @ingroup lossless
 * Measures something of a run. It is told of the network before the simulation begins, connects to
 * what it wants to hear, and has tables, numbers and sentences in the end. ResultsWriter makes one
 * of each kind that is registered (RegisterRecorder), and writes what all of them have; nothing
 * else knows them.
 *
 * All methods may be left as they are. What a recorder notes during a run it keeps alive from the
 * traces that it has connected to, since it may be destroyed before the network. On several ranks
 * (see Ranks) each notes what happens at its own nodes, and overrides Save() and Merge().
 */
class Recorder : public Object, public RankedRecord
{
  public:
    /// A file of the result folder.
    struct NamedTable
    {
        std::string name;                  ///< that of the file, without ".csv"
        std::function<ResultTable()> make; ///< gives the content when the folder is written
    };

    /// @return the type
    static TypeId GetTypeId();

    /// @param name of the switch @param node the switch, with its parts and ports
    virtual void WatchSwitch(const std::string& name, Ptr<SwitchNode> node);
    /// @param name of the host @param node the host, with its devices
    virtual void WatchHost(const std::string& name, Ptr<Node> node);
    /// @param nic a NIC, whose host is known already
    virtual void WatchNic(const WatchedNic& nic);

    /// @return its files; those of which there is nothing to tell may be missing
    virtual std::vector<NamedTable> GetTables() const;
    /// @return numbers and texts for the member "measures" of run.json, by name
    virtual std::map<std::string, ResultCell> GetFacts() const;
    /// @return sentences on what makes the run's results doubtful, which `--strict` refuses
    virtual std::vector<std::string> FindProblems() const;
    /// @return sentences on what made the run slow, or its results other than expected
    virtual std::vector<std::string> GetHints() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;
};

/// A kind of recorder; its type is a subclass of Recorder.
struct RecorderInfo : public PartInfo
{
    bool isOnRequest{false}; ///< a program has to ask for it, ResultsWriter::AddRecorder()
};

/// Registers a recorder. @tparam RECORDER its class
template <typename RECORDER>
using RegisterRecorder = RegisterPart<RECORDER, RecorderInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_H */
