// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REMOTE_WIRE_H
#define LOSSLESS_REMOTE_WIRE_H

#include "ns3/lossless-frame.h"
#include "ns3/ranks.h"

#include <cstddef>
#include <cstdint>

namespace ns3::lossless
{

class Wire;

/**
 * @ingroup lossless
 * The way of the frames of a Wire whose ends are of different ranks, see Ranks: as bytes, from the
 * wire on the sender's rank to the one on the receiver's.
 */
class RemoteWire final : public MailReceiver
{
  public:
    /// @param wire the one on this rank @param rank of the receiving end
    RemoteWire(Wire* wire, uint32_t rank)
        : m_wire(wire),
          m_rank(rank)
    {
    }

    /// @param frame a frame, with its arrival
    void Send(Frame&& frame) const;

    void TakeMail(const char* bytes, std::size_t size) override;

  private:
    Wire* m_wire;    ///< owns this object
    uint32_t m_rank; ///< of the receiving end
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REMOTE_WIRE_H */
