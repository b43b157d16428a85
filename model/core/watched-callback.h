// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_CALLBACK_H
#define LOSSLESS_WATCHED_CALLBACK_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3::lossless
{

/// An object that is notified before a sink is connected to one of its traces.
class Watched
{
  public:
    /// Called just before a sink is connected to one of the traces.
    virtual void NotifyWatched() = 0;

  protected:
    ~Watched() = default;
};

/**
 * @ingroup lossless
 * A TracedCallback that notifies its Watched object of new connections.
 *
 * Several callbacks share one Watched object. That object records connections in a variable that
 * the per-packet path already reads, so the lists of sinks are accessed for each packet only if a
 * trace is connected.
 *
 * @tparam Ts the types of the trace's arguments
 */
template <typename... Ts>
class WatchedCallback : public TracedCallback<Ts...>
{
  public:
    /// @param watched the object to notify of each connection; not owned
    explicit WatchedCallback(Watched* watched)
        : m_watched(watched)
    {
    }

    /// Notifies the Watched object and then connects the sink.
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        m_watched->NotifyWatched();
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
    }

    /// Notifies the Watched object and then connects the sink.
    void Connect(const CallbackBase& callback, std::string path)
    {
        m_watched->NotifyWatched();
        TracedCallback<Ts...>::Connect(callback, path);
    }

  private:
    Watched* m_watched; ///< the object to notify of connections
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WATCHED_CALLBACK_H */
