// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_CALLBACK_H
#define LOSSLESS_WATCHED_CALLBACK_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3::lossless
{

/// Has traces that report new connections.
class Watched
{
  public:
    /// Something has connected to one of the traces.
    virtual void NotifyWatched() = 0;

  protected:
    ~Watched() = default;
};

/**
 * @ingroup lossless
 * A TracedCallback that reports new connections.
 *
 * Several of them share one Watched, which records the fact where the per-packet path reads anyway.
 * A packet that nothing traces then costs no access to their lists.
 *
 * @tparam Ts arguments of the trace
 */
template <typename... Ts>
class WatchedCallback : public TracedCallback<Ts...>
{
  public:
    /// @param watched notified of each connection; not owned
    explicit WatchedCallback(Watched* watched)
        : m_watched(watched)
    {
    }

    /// As in TracedCallback.
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        m_watched->NotifyWatched();
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
    }

    /// As in TracedCallback.
    void Connect(const CallbackBase& callback, std::string path)
    {
        m_watched->NotifyWatched();
        TracedCallback<Ts...>::Connect(callback, path);
    }

  private:
    Watched* m_watched; ///< notified of connections
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WATCHED_CALLBACK_H */
