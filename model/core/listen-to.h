// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LISTEN_TO_H
#define LOSSLESS_LISTEN_TO_H

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/object-base.h"

#include <string>

namespace ns3::lossless
{

/// Makes a callback from a function object.
/// @param type used only to deduce the argument types
template <typename F, typename... ARGS>
Callback<void, ARGS...>
MakeListener(const F& function, [[maybe_unused]] void (F::*type)(ARGS...) const)
{
    return Callback<void, ARGS...>(function);
}

/// Connects a function object to a trace source, which stores a copy of it. State that must live as
/// long as the source, such as a recorder's results, should be captured as a Ptr.
/// @tparam F the type of a function object that takes the arguments of the trace source
/// @param source the object with the trace source; the program stops if the object has no such
/// source
template <typename F>
void
ListenTo(ObjectBase& source, const std::string& trace, const F& function)
{
    const bool isConnected =
        source.TraceConnectWithoutContext(trace, MakeListener(function, &F::operator()));
    NS_ABORT_MSG_IF(!isConnected,
                    source.GetInstanceTypeId().GetName()
                        << " has no trace source " << trace << ".");
}

} // namespace ns3::lossless

#endif /* LOSSLESS_LISTEN_TO_H */
