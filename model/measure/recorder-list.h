// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECORDER_LIST_H
#define LOSSLESS_RECORDER_LIST_H

#include "recorder.h"

#include "ns3/abort.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The recorders of a run: one of each registered kind and those added by the program.
 */
class RecorderList
{
  public:
    /// A recorder in the list.
    struct Entry
    {
        std::string name;       ///< the name under which it was registered or added
        uint32_t position{0};   ///< the position of the recorder in the list and of its tables
                                ///< among the files
        Ptr<Recorder> recorder; ///< the recorder; never null
    };

    /// Creates all registered recorders.
    RecorderList();
    ~RecorderList();
    RecorderList(const RecorderList&) = delete;
    RecorderList& operator=(const RecorderList&) = delete;

    /// Adds a recorder. It is placed after the recorders with a smaller or equal position.
    void Add(Ptr<Recorder> recorder, const std::string& name, uint32_t position);

    /// @return the first recorder of a class, or null if the list does not contain one
    template <typename T>
    Ptr<T> Find() const
    {
        for (const Entry& entry : m_entries)
        {
            if (auto found = DynamicCast<T>(entry.recorder))
            {
                return found;
            }
        }
        return nullptr;
    }

    /// @return the first recorder of a class. The program stops if the list does not contain one.
    template <typename T>
    Ptr<T> Get() const
    {
        const auto found = Find<T>();
        NS_ABORT_MSG_IF(!found, "RecorderList: there is no " << T::GetTypeId().GetName() << ".");
        return found;
    }

    /// @return all recorders, in order of position
    const std::vector<Entry>& GetAll() const
    {
        return m_entries;
    }

    /// Adds a switch or host to all recorders. Stops the program if the name is already used or
    /// cannot be written to a CSV file.
    void WatchNode(const std::string& name, Ptr<Node> node);
    /// Adds a NIC to all recorders. The recorders receive the name of the NIC's host or, if the
    /// host has not been added, the NIC's address.
    void WatchNic(Ptr<Object> nic) const;
    /// Calls Conclude() for all recorders.
    void Conclude() const;
    /// @return the tables of all recorders, in the order of the files
    std::vector<Recorder::NamedTable> GetTables() const;
    /// @return the concatenated results of a method, such as Recorder::GetHints, of all recorders
    std::vector<std::string> Collect(std::vector<std::string> (Recorder::*get)() const) const;

  private:
    std::vector<Entry> m_entries;               ///< the recorders, in order of position
    std::map<std::string, Ptr<Node>> m_nodes;   ///< the switches and hosts, keyed by name
    std::map<const Node*, std::string> m_names; ///< the names of the nodes in m_nodes
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_LIST_H */
