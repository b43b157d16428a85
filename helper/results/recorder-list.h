// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECORDER_LIST_H
#define LOSSLESS_RECORDER_LIST_H

#include "ns3/abort.h"
#include "ns3/recorder.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The recorders of a run: one of each kind that is registered, and those that a program adds.
 */
class RecorderList
{
  public:
    /// A recorder, and how it is called.
    struct Entry
    {
        std::string name;       ///< under which it is registered, or as the program calls it
        uint32_t position{0};   ///< of its tables among those of others
        Ptr<Recorder> recorder; ///< it
    };

    /// Makes those that are registered, but for those on request.
    RecorderList();

    /// @param recorder another one, before the network is added @param name of it
    /// @param position of its tables among those of others
    void Add(Ptr<Recorder> recorder, const std::string& name, uint32_t position);

    /// @param name of a registered kind that is on request; it is made
    void Request(const std::string& name);

    /// @tparam T a class @return the recorder of that class; it stops the program if there is none
    template <typename T>
    Ptr<T> Get() const
    {
        for (const Entry& entry : m_entries)
        {
            if (auto found = DynamicCast<T>(entry.recorder))
            {
                return found;
            }
        }
        NS_ABORT_MSG("RecorderList: there is no " << T::GetTypeId().GetName() << ".");
        return nullptr;
    }

    /// @return all, by position
    const std::vector<Entry>& GetAll() const
    {
        return m_entries;
    }

    // The same of all of them

    /// @param name of the switch @param node the switch, with its parts and ports
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) const;
    /// @param name of the host @param node the host, with its devices
    void WatchHost(const std::string& name, Ptr<Node> node) const;
    /// @param nic a NIC, whose host is known already
    void WatchNic(const WatchedNic& nic) const;

  private:
    std::vector<Entry> m_entries; ///< by position
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORDER_LIST_H */
