// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TYPED_HEADER_H
#define LOSSLESS_TYPED_HEADER_H

#include "ns3/header.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A header whose type is that of its class.
 * @tparam HEADER the subclass, which defines GetTypeId()
 */
template <typename HEADER>
class TypedHeader : public Header
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        return HEADER::GetTypeId();
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TYPED_HEADER_H */
