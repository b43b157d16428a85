// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FIXED_ACCESSOR_H
#define LOSSLESS_FIXED_ACCESSOR_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * For an attribute from which others compute what they need when their object is initialised: it
 * cannot be set afterwards. ObjectBase::SetAttribute() then stops the program, and
 * SetAttributeFailSafe() returns false.
 * @param accessor of the attribute, as of MakeUintegerAccessor() @return the one to be registered
 */
Ptr<const AttributeAccessor> Fixed(Ptr<const AttributeAccessor> accessor);

} // namespace ns3::lossless

#endif /* LOSSLESS_FIXED_ACCESSOR_H */
