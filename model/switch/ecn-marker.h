// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_MARKER_H
#define LOSSLESS_ECN_MARKER_H

#include "switch-item.h"

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Decides which ECN-capable frames an egress queue marks "congestion experienced" (RFC 3168). This
 * base class marks none.
 *
 * Thresholds stand for a queueing delay: with a "ReferenceRate" they are those of a port of that
 * rate, and a port of another one has them in proportion.
 */
class EcnMarker : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * @param item a frame which joins an egress queue, and can be marked
     * @param egressBytes bytes of that queue, this frame and the one on the wire included
     * @return whether to mark it
     */
    virtual bool ShouldMark(const SwitchItem& item, uint64_t egressBytes);

    /**
     * Fixes the random numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// @param rate of the port whose frames are marked
    void SetPortRate(DataRate rate);

  protected:
    /// @param egressBytes length of a queue, bytes
    /// @return the same, as thresholds for the "ReferenceRate" see it
    double Scale(uint64_t egressBytes) const;

  private:
    DataRate m_referenceRate; ///< that thresholds are for; 0: any
    double m_scale{1};        ///< rate of the port by m_referenceRate
};

/**
 * @ingroup lossless
 * Marks every frame with which the queue is longer than one threshold (DCTCP, Alizadeh et al.,
 * SIGCOMM 2010).
 */
class StepMarker : public EcnMarker
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    bool ShouldMark(const SwitchItem& item, uint64_t egressBytes) override;

  private:
    uint64_t m_threshold{0}; ///< bytes
};

/**
 * @ingroup lossless
 * Marks with a probability that rises linearly from 0 at "MinBytes" to "MaxProbability" at
 * "MaxBytes", and always above that (DCQCN, Zhu et al., SIGCOMM 2015, Sec. 3.1). It looks at the
 * instantaneous queue length.
 */
class RedMarker : public EcnMarker
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    RedMarker();

    bool ShouldMark(const SwitchItem& item, uint64_t egressBytes) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoInitialize() override;

  private:
    uint64_t m_min{0};                    ///< bytes, no mark up to here
    uint64_t m_max{0};                    ///< bytes, always marked above
    double m_maxProbability{0};           ///< at m_max
    Ptr<UniformRandomVariable> m_uniform; ///< draws the marks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_MARKER_H */
