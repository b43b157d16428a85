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
 * The recorders of a run: one of each registered kind, and those that a program adds.
 */
class RecorderList
{
  public:
    /// A recorder of the list.
    struct Entry
    {
        std::string name;       ///< under which it is registered or was added
        uint32_t position{0};   ///< in the list, and of its tables
        Ptr<Recorder> recorder; ///< never null
    };

    /// Makes all registered recorders.
    RecorderList();
    ~RecorderList();
    RecorderList(const RecorderList&) = delete;
    RecorderList& operator=(const RecorderList&) = delete;

    /// Adds another recorder, behind those of a smaller or the same position.
    void Add(Ptr<Recorder> recorder, const std::string& name, uint32_t position);

    /// @return the recorder of a class; null if there is none
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

    /// @return the recorder of a class; the program ends if there is none
    template <typename T>
    Ptr<T> Get() const
    {
        const auto found = Find<T>();
        NS_ABORT_MSG_IF(!found, "RecorderList: there is no " << T::GetTypeId().GetName() << ".");
        return found;
    }

    /// @return all, by position
    const std::vector<Entry>& GetAll() const
    {
        return m_entries;
    }

    /// Tells all recorders of a switch or host. The program ends if its name is taken, or cannot be
    /// written to a CSV file.
    void WatchNode(const std::string& name, Ptr<Node> node);
    /// Tells all recorders of a NIC. Its host is named if it is in the list already.
    void WatchNic(Ptr<Object> nic) const;
    /// Calls Conclude() of all recorders.
    void Conclude() const;
    /// @return the tables of all recorders, in the order of the files
    std::vector<Recorder::NamedTable> GetTables() const;
    /// @return what a method of all recorders returns, as Recorder::GetHints
    std::vector<std::string> Collect(std::vector<std::string> (Recorder::*get)() const) const;

  private:
    std::vector<Entry> m_entries;               ///< by position
    std::map<std::string, Ptr<Node>> m_nodes;   ///< switches and hosts, by name
    std::map<const Node*, std::string> m_names; ///< of the same
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_LIST_H */
