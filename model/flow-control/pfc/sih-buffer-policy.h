// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SIH_BUFFER_POLICY_H
#define LOSSLESS_SIH_BUFFER_POLICY_H

#include "ns3/headroom-buffer-policy.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * SIH: the dynamic threshold of commodity switches with static and independent headroom for each
 * lossless ingress queue (DSH, Sec. II-C, Eqs. 2 and 3).
 *
 * The shared buffer, whose size is Bs, is the memory that is reserved neither for headroom nor for
 * private buffers. A queue is stopped when its shared occupancy w exceeds T = alpha (Bs - sum of
 * w), and it restarts below T - "ResumeOffset".
 */
class SihBufferPolicy : public HeadroomBufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the current threshold T, in bytes (DSH, Eq. 2).
    uint64_t GetThreshold(const SharedBuffer& buffer) const
    {
        return static_cast<uint64_t>(m_alpha *
                                     static_cast<double>(GetSharedSize() - buffer.GetSharedUsed()));
    }

    std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                            QueueId queue) const override;

  protected:
    /// Returns how far below the pause threshold a queue restarts, in bytes.
    uint64_t GetResumeOffset() const
    {
        return m_resumeOffset;
    }

    /// Returns T for an empty switch, in bytes.
    uint64_t GetEmptyThreshold() const
    {
        return static_cast<uint64_t>(m_alpha * static_cast<double>(GetSharedSize()));
    }

    /// Returns an error message if alpha or the threshold of the empty switch is out of range.
    /// @param needed the number of bytes that the threshold must exceed
    /// @param what the description of these bytes in the message
    std::optional<std::string> CheckEmptyThreshold(uint64_t needed, const std::string& what) const;

  private:
    std::optional<std::string> CheckThresholds() const override;

    double m_alpha{0};          ///< the control parameter of the dynamic threshold
    uint64_t m_resumeOffset{0}; ///< delta (delta_q in DSH)
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SIH_BUFFER_POLICY_H */
