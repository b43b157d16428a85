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
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

class RecorderList;

/// A NIC that is passed to recorders.
struct WatchedNic
{
    std::string host;              ///< the name of the NIC's host, or the NIC's address
    Ptr<Object> nic;               ///< the NIC, of any kind
    Ptr<RoceNic> roce;             ///< `nic` as a RoceNic; null if the NIC is of another kind or is
                                   ///< not installed
    Ptr<LosslessNetDevice> device; ///< the device of `roce`; null if `roce` is null
};

/**
 * @ingroup lossless
 * The base class of objects that measure a run. Before the simulation begins, a recorder receives
 * the nodes of the network and connects to their traces. At the end, it provides tables, facts,
 * problems and hints. A ResultsWriter creates one recorder of each registered kind (see
 * RegisterRecorder) and writes the results of all recorders.
 *
 * Subclasses override only the methods that they need. Traces must hold references to the objects
 * to which they write, because a recorder can be destroyed before the network. With several ranks
 * (see Ranks), each rank records the events at its own nodes, and a recorder must override Save()
 * and Merge().
 */
class Recorder : public Object, public RankedRecord
{
  public:
    /// A file in the results folder.
    struct NamedTable
    {
        std::string name;                  ///< the name of the file without ".csv"
        std::function<ResultTable()> make; ///< the function to call when the folder is written
        uint32_t position{0};              ///< the position among the files; 0 to use the position
                                           ///< of the recorder
        /// The function that replaces `make` and writes the file itself if the table is not in
        /// memory; otherwise empty.
        std::function<void(std::ostream&)> write{};
    };

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    // Functions called before the run

    /// @param node a switch, which already has its parts and ports
    virtual void WatchSwitch(const std::string& /* name */, Ptr<SwitchNode> /* node */)
    {
    }

    /// @param node a host, which already has its devices
    virtual void WatchHost(const std::string& /* name */, Ptr<Node> /* node */)
    {
    }

    /// Called after WatchHost() for the NIC's host.
    virtual void WatchNic(const WatchedNic& /* nic */)
    {
    }

    // Functions that return results

    /// Called on all ranks before the methods below, once each time results are requested. Override
    /// this method for computations that should be done only once.
    virtual void Conclude()
    {
    }

    /// Returns the tables to write. A recorder can omit tables without data.
    virtual std::vector<NamedTable> GetTables() const
    {
        return {};
    }

    /// Returns members of run.json. "/name" is a member of run.json itself, and "/name/part" is a
    /// member of its object "name". Any other name is a member of the object in "measures" that has
    /// the recorder's name.
    virtual ResultFacts GetFacts() const
    {
        return {};
    }

    /// Adds counts and problems to the verdict. With `--strict`, the program fails if there are
    /// problems.
    virtual void Judge(RunVerdict& /* verdict */) const
    {
    }

    /// Returns sentences about possible reasons for a slow run or for unexpected results. These
    /// sentences are written to run.json.
    virtual std::vector<std::string> GetHints() const
    {
        return {};
    }

    /// Returns sentences about the results themselves. These sentences are printed but not written
    /// to run.json.
    virtual std::vector<std::string> GetRemarks() const
    {
        return {};
    }

    void Save(std::ostream& /* os */) const override
    {
    }

    void Merge(std::istream& /* is */, uint32_t /* rank */) override
    {
    }

  protected:
    /// @return the recorders of the run, including this one. This recorder must be in a list.
    const RecorderList& GetRun() const;

  private:
    friend class RecorderList; // the class that sets m_run

    const RecorderList* m_run{nullptr}; ///< the list of the run's recorders; null if this recorder
                                        ///< is not in a list
};

/// Describes a kind of recorder, that is, a subclass of Recorder.
using RecorderInfo = PartOf<Recorder>;

/// Registers a recorder; see RegisterPart.
template <typename RECORDER>
using RegisterRecorder = RegisterPart<RECORDER, RecorderInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_H */
