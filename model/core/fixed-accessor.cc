// SPDX-License-Identifier: GPL-2.0-only
#include "fixed-accessor.h"

#include "ns3/object.h"

namespace ns3::lossless
{

namespace
{

/// An accessor that allows an attribute to be set only until its object is initialized.
class FixedAccessor : public AttributeAccessor
{
  public:
    explicit FixedAccessor(Ptr<const AttributeAccessor> accessor)
        : m_accessor(accessor)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto* owner = dynamic_cast<const Object*>(object);
        return !(owner && owner->IsInitialized()) && m_accessor->Set(object, value);
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        return m_accessor->Get(object, value);
    }

    bool HasGetter() const override
    {
        return m_accessor->HasGetter();
    }

    bool HasSetter() const override
    {
        return m_accessor->HasSetter();
    }

  private:
    Ptr<const AttributeAccessor> m_accessor; ///< the wrapped accessor
};

} // namespace

Ptr<const AttributeAccessor>
Fixed(Ptr<const AttributeAccessor> accessor)
{
    return Create<FixedAccessor>(accessor);
}

} // namespace ns3::lossless
