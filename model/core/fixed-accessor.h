// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FIXED_ACCESSOR_H
#define LOSSLESS_FIXED_ACCESSOR_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Wraps the accessor of an attribute whose value is used when its object is initialized and
 * therefore cannot be set afterwards. After initialization, ObjectBase::SetAttribute() stops the
 * program, and SetAttributeFailSafe() returns false.
 */
Ptr<const AttributeAccessor> Fixed(Ptr<const AttributeAccessor> accessor);

} // namespace ns3::lossless

#endif /* LOSSLESS_FIXED_ACCESSOR_H */
