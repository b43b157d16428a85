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
 * The recorders of a run, with one of each registered kind and those added by a program.
 */
class RecorderList
{
  public:
    /// A recorder of the list.
    struct Entry
    {
        std::string name;       ///< the name with which it was registered or added
        uint32_t position{0};   ///< the position in the list and of its tables
        Ptr<Recorder> recorder; ///< never null
    };

    /// Creates all registered recorders.
    RecorderList();
    ~RecorderList();
    RecorderList(const RecorderList&) = delete;
    RecorderList& operator=(const RecorderList&) = delete;

    /// Adds a recorder after those with a smaller or the same position.
    void Add(Ptr<Recorder> recorder, const std::string& name, uint32_t position);

    /// @return the recorder of a class, null if there is none
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

    /// @return the recorder of a class; stops the program if there is none
    template <typename T>
    Ptr<T> Get() const
    {
        const auto found = Find<T>();
        NS_ABORT_MSG_IF(!found, "RecorderList: there is no " << T::GetTypeId().GetName() << ".");
        return found;
    }

    /// @return all recorders by position
    const std::vector<Entry>& GetAll() const
    {
        return m_entries;
    }

    /// Adds a switch or host to all recorders. Stops the program if its name is already used or
    /// cannot be written to a CSV file.
    void WatchNode(const std::string& name, Ptr<Node> node);
    /// Adds a NIC to all recorders. Its host is named if the host has been added.
    void WatchNic(Ptr<Object> nic) const;
    /// Calls Conclude() of all recorders.
    void Conclude() const;
    /// @return the tables of all recorders, in the order of the files
    std::vector<Recorder::NamedTable> GetTables() const;
    /// @return the joint results of a method of all recorders, such as Recorder::GetHints
    std::vector<std::string> Collect(std::vector<std::string> (Recorder::*get)() const) const;

  private:
    std::vector<Entry> m_entries;               ///< the recorders by position
    std::map<std::string, Ptr<Node>> m_nodes;   ///< the switches and hosts by name
    std::map<const Node*, std::string> m_names; ///< the names of these nodes
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_LIST_H */
