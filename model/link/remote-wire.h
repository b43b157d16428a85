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
 * Carries frames to a WireReceiver of another rank, see Ranks: as bytes, posted by the WireSender
 * on the sender's rank and taken on the receiver's.
 */
class RemoteWire final : public MailReceiver
{
  public:
    /// @param receiver takes the frames on its rank
    /// @param rank of the receiver
    RemoteWire(Ptr<WireReceiver> receiver, uint32_t rank);
    ~RemoteWire() override;

    /// @param frame with its arrival
    void Send(Frame&& frame) const;

    void TakeMail(const char* bytes, std::size_t size) override;

  private:
    Ptr<WireReceiver> m_receiver; ///< takes the frames
    uint32_t m_rank;              ///< of that half
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REMOTE_WIRE_H */
