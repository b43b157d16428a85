// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECORDER_H
#define LOSSLESS_RECORDER_H

#include "result-table.h"
#include "run-verdict.h"

#include "ns3/lossless-net-device.h"
#include "ns3/object.h"
#include "ns3/part-registry.h"
#include "ns3/ranked-record.h"
#include "ns3/roce-nic.h"
#include "ns3/switch-node.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::lossless
{

class RecorderList;

/// A NIC, as recorders get it.
struct WatchedNic
{
    std::string host;              ///< name of its host, or its address
    Ptr<Object> nic;               ///< the NIC, of any kind
    Ptr<RoceNic> roce;             ///< the same; null: another kind, or not installed on a device
    Ptr<LosslessNetDevice> device; ///< its device; null with `roce`
};

/**
 * @ingroup lossless
 * Measures something of a run. A recorder receives the network before the simulation begins,
 * connects to the traces it needs, and has tables, facts, problems and hints at the end. A
 * ResultsWriter makes one of each registered kind (RegisterRecorder) and writes what all of them
 * have.
 *
 * All methods may be left as they are. Traces must keep alive what they write to, since a recorder
 * may be destroyed before the network. With several ranks (see Ranks), each records what happens at
 * its own nodes, and a recorder overrides Save() and Merge().
 */
class Recorder : public Object, public RankedRecord
{
  public:
    /// A file of the result folder.
    struct NamedTable
    {
        std::string name;                  ///< of the file, without ".csv"
        std::function<ResultTable()> make; ///< called when the folder is written
        uint32_t position{0};              ///< among all files; 0: that of the recorder
    };

    /// @return the type
    static TypeId GetTypeId();

    // Before the run

    /// @param node with its parts and ports
    virtual void WatchSwitch(const std::string& name, Ptr<SwitchNode> node);
    /// @param node with its devices
    virtual void WatchHost(const std::string& name, Ptr<Node> node);
    /// Called after WatchHost() of its host.
    virtual void WatchNic(const WatchedNic& nic);

    // Results

    /// Called before any of the methods below, on all ranks, once for each time that results are
    /// wanted. For what is to be worked out once.
    virtual void Conclude();
    /// Tables to write; a recorder may omit those without data.
    virtual std::vector<NamedTable> GetTables() const;
    /// Members of run.json: "/name" is one of run.json itself, "/name/part" one of its object
    /// "name", and any other name a member of "measures" under the recorder's own name.
    virtual ResultFacts GetFacts() const;
    /// Adds counts to the verdict, and problems, which `--strict` does not accept.
    virtual void Judge(RunVerdict& verdict) const;
    /// Sentences on what made the run slow, or its results other than expected; part of run.json.
    virtual std::vector<std::string> GetHints() const;
    /// Sentences on the results themselves, which are only printed.
    virtual std::vector<std::string> GetRemarks() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  protected:
    /// The recorders of the run, this one among them; a recorder outside a list must not ask.
    const RecorderList& GetRun() const;

  private:
    friend class RecorderList; // sets m_run

    const RecorderList* m_run{nullptr}; ///< null: this recorder is in no list
};

/// A kind of recorder; its type is a subclass of Recorder.
using RecorderInfo = PartOf<Recorder>;

/// Registers a recorder, see RegisterPart.
template <typename RECORDER>
using RegisterRecorder = RegisterPart<RECORDER, RecorderInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_H */
