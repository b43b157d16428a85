// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNLIMITED_BUFFER_POLICY_H
#define LOSSLESS_UNLIMITED_BUFFER_POLICY_H

#include "buffer-policy.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A policy that stores every frame; it is used as a baseline. It ignores the size of the
 * SharedBuffer.
 */
class UnlimitedBufferPolicy : public BufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_UNLIMITED_BUFFER_POLICY_H */
