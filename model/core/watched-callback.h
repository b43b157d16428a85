// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHED_CALLBACK_H
#define LOSSLESS_WATCHED_CALLBACK_H

#include "ns3/callback.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3::lossless
{

/// Has traces that tell who connects to them.
class Watched
{
  public:
    /// Somebody has connected to one of the traces.
    virtual void NotifyWatched() = 0;

  protected:
    ~Watched() = default;
};

/**
 * @ingroup lossless
 * A TracedCallback which says so when somebody connects to it.
 *
 * Several of them tell one object, which makes a note of it where the per-packet path is at anyway:
 * a packet which nobody looks at then reads none of their lists.
 *
 * @tparam Ts types of the arguments of the trace
 */
template <typename... Ts>
class WatchedCallback : public TracedCallback<Ts...>
{
  public:
    /// @param watched told as soon as anybody connects; not owned
    explicit WatchedCallback(Watched* watched)
        : m_watched(watched)
    {
    }

    /// As that of TracedCallback. @param callback who connects
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        m_watched->NotifyWatched();
        TracedCallback<Ts...>::ConnectWithoutContext(callback);
    }

    /// As that of TracedCallback. @param callback who connects @param path context for it
    void Connect(const CallbackBase& callback, std::string path)
    {
        m_watched->NotifyWatched();
        TracedCallback<Ts...>::Connect(callback, path);
    }

  private:
    Watched* m_watched; ///< see WatchedCallback()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WATCHED_CALLBACK_H */
