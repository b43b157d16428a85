// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REMOTE_WIRE_H
#define LOSSLESS_REMOTE_WIRE_H

#include "ns3/lossless-frame.h"
#include "ns3/ptr.h"
#include "ns3/ranks.h"

#include <cstddef>
#include <cstdint>

namespace ns3::lossless
{

class WireReceiver;

/**
 * @ingroup lossless
 * Sends frames to a WireReceiver on another rank (see Ranks). On the sender's rank, this object
 * serializes and posts the frames. On the receiver's rank, its counterpart passes them to the
 * receiver.
 */
class RemoteWire final : public MailReceiver
{
  public:
    /// @param receiver the receiver of the frames
    /// @param rank the rank of the receiver
    RemoteWire(Ptr<WireReceiver> receiver, uint32_t rank);
    ~RemoteWire() override;

    /// @param frame the frame with its arrival time
    void Send(Frame&& frame) const;

    void TakeMail(const char* bytes, std::size_t size) override;

  private:
    Ptr<WireReceiver> m_receiver; ///< the receiver of the frames
    uint32_t m_rank;              ///< the rank of the receiver
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REMOTE_WIRE_H */
