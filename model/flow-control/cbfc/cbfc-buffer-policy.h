// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_BUFFER_POLICY_H
#define LOSSLESS_CBFC_BUFFER_POLICY_H

#include "ns3/buffer-policy.h"
#include "ns3/queue-size.h"

namespace ns3::lossless
{

class CbfcFlowControl;

/// @ingroup lossless
/// The policy for the memory of a CBFC switch. The bytes covered by the credits of all ports are
/// reserved for lossless classes. Lossy classes use the remaining memory, up to a limit for each
/// egress queue.
class CbfcBufferPolicy : public BufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Sets the switch's flow control, which defines the credits and must outlive this object.
    void SetFlowControl(const CbfcFlowControl* flowControl)
    {
        m_flowControl = flowControl;
    }

    /// Returns the number of bytes covered by the credits of all ports; valid after Configure().
    uint64_t GetGrantedBytes() const
    {
        return m_granted;
    }

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const override;
    Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const override;

  private:
    const CbfcFlowControl* m_flowControl{nullptr}; ///< see SetFlowControl()
    QueueSize m_queueLimit;                        ///< the limit on each egress queue of a lossy
                                                   ///< class
    PrioritySet m_lossless{0};                     ///< the classes with credits
    uint64_t m_granted{0};                         ///< see GetGrantedBytes()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_BUFFER_POLICY_H */
