// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LISTEN_TO_H
#define LOSSLESS_LISTEN_TO_H

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/object-base.h"

#include <string>

namespace ns3::lossless
{

/// Turns a function object into a callback. @param type serves to deduce the arguments
template <typename F, typename... ARGS>
Callback<void, ARGS...>
MakeListener(const F& function, [[maybe_unused]] void (F::*type)(ARGS...) const)
{
    return Callback<void, ARGS...>(function);
}

/// Connects a function object to a trace source, which keeps a copy of it. State that should live
/// as long as the source, such as a recorder's results, is captured as a Ptr.
/// @tparam F takes the arguments of the trace source
/// @param source a source without this trace stops the program
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
