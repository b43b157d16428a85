// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_TAIL_BUFFER_POLICY_H
#define LOSSLESS_DROP_TAIL_BUFFER_POLICY_H

#include "ns3/buffer-policy.h"
#include "ns3/queue-size.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A drop-tail policy: an egress queue holds up to a fixed number of frames or bytes, including the
/// frame on the wire, and all queues share the buffer.
class DropTailBufferPolicy : public BufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const override;
    Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const override;

  private:
    QueueSize m_queueLimit; ///< the limit on each egress queue
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_TAIL_BUFFER_POLICY_H */
