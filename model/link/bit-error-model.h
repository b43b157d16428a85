// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BIT_ERROR_MODEL_H
#define LOSSLESS_BIT_ERROR_MODEL_H

#include "ns3/error-model.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * One direction of a link with independent bit errors, after its code's corrections: a frame of n
 * bytes plus FCS is corrupt with probability 1 - (1 - BitErrorRate)^(8 (n + 4)). A dead direction
 * loses everything.
 *
 * An error model that the link had before, e.g. for the error rate of a topology file, stays in
 * effect.
 */
class BitErrorModel : public ErrorModel
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    BitErrorModel();

    /// @param rate share of wrong bits from now on, 0 to 1
    void SetBitErrorRate(double rate);
    /// @return share of wrong bits
    double GetBitErrorRate() const;
    /// @param isDead whether everything is lost from now on
    void SetDead(bool isDead);
    /// @param model applied first; may be null
    void SetBefore(Ptr<ErrorModel> model);

    /// Decides whether any of the bytes on the wire is corrupted.
    bool Hits(uint32_t bytes);
    /// @return probability that any of the bytes on the wire is corrupted
    double GetProbability(uint32_t bytes) const;

    /// Fixes the random streams, including that of a previous RateErrorModel, starting at `stream`.
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    double m_rate{0};                    ///< see GetBitErrorRate()
    bool m_isDead{false};                ///< see SetDead()
    Ptr<ErrorModel> m_before;            ///< applied first; may be null
    Ptr<UniformRandomVariable> m_random; ///< draws the errors
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BIT_ERROR_MODEL_H */
