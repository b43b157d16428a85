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
 * A direction of a link with independent bit errors, beyond what its code corrects: a frame of n
 * bytes and its FCS is corrupt with probability 1 - (1 - BitErrorRate)^(8 (n + 4)). A direction
 * that is dead loses everything.
 *
 * The model that the link had before, as for the error rate of a topology file, goes on.
 */
class BitErrorModel : public ErrorModel
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    BitErrorModel();

    /// @param rate share of wrong bits, from now on, 0 to 1
    void SetBitErrorRate(double rate);
    /// @return share of wrong bits
    double GetBitErrorRate() const;
    /// @param isDead whether nothing gets through from now on
    void SetDead(bool isDead);
    /// @param model asked first; null: there is none
    void SetBefore(Ptr<ErrorModel> model);

    /// @param bytes of something on the wire @return whether any of them arrives wrong
    bool Hits(uint32_t bytes);
    /// @param bytes of something on the wire @return how probable that is
    double GetProbability(uint32_t bytes) const;

    /**
     * Fixes the random numbers, those of the model before included if it is a RateErrorModel.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    double m_rate{0};                    ///< see GetBitErrorRate()
    bool m_isDead{false};                ///< see SetDead()
    Ptr<ErrorModel> m_before;            ///< asked first; may be null
    Ptr<UniformRandomVariable> m_random; ///< decides
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BIT_ERROR_MODEL_H */
