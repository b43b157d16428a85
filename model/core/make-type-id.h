// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MAKE_TYPE_ID_H
#define LOSSLESS_MAKE_TYPE_ID_H

#include "ns3/object-base.h"
#include "ns3/type-id.h"

#include <string>
#include <type_traits>

namespace ns3::lossless
{

/// Registers a class of this module with ns-3 and sets its parent, its group and, if it is
/// default-constructible, its constructor.
/// @param name the name of the class without namespaces
/// @return the TypeId, to which attributes and trace sources can be added
template <typename T, typename PARENT>
TypeId
MakeTypeId(const std::string& name)
{
    TypeId tid("ns3::lossless::" + name);
    tid.SetParent<PARENT>();
    tid.SetGroupName("Lossless");
    if constexpr (std::is_default_constructible_v<T>)
    {
        tid.AddConstructor<T>();
    }
    return tid;
}

} // namespace ns3::lossless

/// Defines GetTypeId() of a class of this module that has neither attributes nor trace sources, and
/// registers the class at the start of the program. It belongs into the namespace ns3::lossless.
/// @param type the name of the class
/// @param parent the name of its parent
#define LOSSLESS_PLAIN_CLASS(type, parent)                                                         \
    TypeId type::GetTypeId()                                                                       \
    {                                                                                              \
        static TypeId tid = MakeTypeId<type, parent>(#type);                                       \
        return tid;                                                                                \
    }                                                                                              \
    NS_OBJECT_ENSURE_REGISTERED(type)

#endif /* LOSSLESS_MAKE_TYPE_ID_H */
