// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WITNESS_H
#define LOSSLESS_WITNESS_H

#include "ns3/channel-list.h"
#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>

// Detects objects of a network that are never freed, for example because of a reference cycle.

namespace ns3::lossless::tests
{

/// An object that is aggregated to another object and therefore has the same lifetime.
class Witness : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::Witness").SetParent<Object>();
        return tid;
    }

    Witness()
    {
        ++g_count;
    }

    ~Witness() override
    {
        --g_count;
    }

    /// Adds a witness to each existing node, device and channel.
    static void AddToAll()
    {
        for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
        {
            const Ptr<Node> node = NodeList::GetNode(i);
            Add(node);
            for (uint32_t device = 0; device < node->GetNDevices(); ++device)
            {
                Add(node->GetDevice(device));
            }
        }
        for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
        {
            Add(ChannelList::GetChannel(i));
        }
    }

    /// @return the number of witnesses. After Simulator::Destroy(), it is 0 if all objects that
    /// refer to the network have been destroyed.
    static std::size_t Count()
    {
        return g_count;
    }

  private:
    /// @param object the object to which a witness is added unless the object already has one
    static void Add(Ptr<Object> object)
    {
        if (!object->GetObject<Witness>())
        {
            object->AggregateObject(CreateObject<Witness>());
        }
    }

    static inline std::size_t g_count{0}; ///< see Count()
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_WITNESS_H */
