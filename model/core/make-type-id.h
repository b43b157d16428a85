// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MAKE_TYPE_ID_H
#define LOSSLESS_MAKE_TYPE_ID_H

#include "ns3/type-id.h"

#include <string>
#include <type_traits>

namespace ns3::lossless
{

/// Registers a class of this module with ns-3: its parent, the module's group and, if it is default
/// constructible, its constructor.
/// @param name without namespaces
/// @return the type, for attributes and trace sources to be added
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

#endif /* LOSSLESS_MAKE_TYPE_ID_H */
