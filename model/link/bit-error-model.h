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
 * An error model for one direction of a link. Bit errors occur independently of one another at the
 * rate that remains after forward error correction. A frame of n bytes, excluding its FCS, is
 * corrupt with probability 1 - (1 - BitErrorRate)^(8 (n + 4)). A dead direction loses all frames.
 *
 * The link's previous error model, such as one for the error rate in a topology file, remains in
 * effect (see SetBefore()).
 */
class BitErrorModel : public ErrorModel
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    BitErrorModel();

    /// @param rate the new bit error rate, 0 to 1
    void SetBitErrorRate(double rate)
    {
        m_rate = rate;
    }

    /// @param isDead whether all frames are lost from now on
    void SetDead(bool isDead)
    {
        m_isDead = isDead;
    }

    /// @param model an error model to apply before this one; can be null
    void SetBefore(Ptr<ErrorModel> model)
    {
        m_before = model;
    }

    /// Determines at random whether a frame of `bytes` bytes, including any FCS, is corrupt.
    bool Hits(uint32_t bytes);
    /// @return the probability that a frame of `bytes` bytes, including any FCS, is corrupt
    double GetProbability(uint32_t bytes) const;

    /// Assigns fixed random streams, starting at `stream`, to this model and to a RateErrorModel,
    /// BurstErrorModel or BitErrorModel that is applied before it.
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    double m_rate{0};                    ///< see SetBitErrorRate()
    bool m_isDead{false};                ///< see SetDead()
    Ptr<ErrorModel> m_before;            ///< the error model to apply before this one; can be null
    Ptr<UniformRandomVariable> m_random; ///< the random variable for the errors
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BIT_ERROR_MODEL_H */
