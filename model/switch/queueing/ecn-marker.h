// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ECN_MARKER_H
#define LOSSLESS_ECN_MARKER_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-item.h"

#include <cstdint>

namespace ns3::lossless
{

/// When a switch marks a frame.
enum class MarkMoment : uint8_t
{
    ENQUEUE, ///< when it joins its egress queue
    DEQUEUE  ///< when its first bit leaves
};

/**
 * @ingroup lossless
 * Decides which ECN-capable frames an egress queue marks "congestion experienced" (RFC 3168). This
 * base class marks none.
 *
 * By default a frame is marked when it joins the queue, by the length that the queue then has, as
 * in DCTCP (Alizadeh et al., SIGCOMM 2010, Sec. 3.1) and DCQCN (Zhu et al., SIGCOMM 2015,
 * Sec. 3.1). With "MarkOnDequeue" it is marked when it starts to leave, by what waits behind it, as
 * in the HPCC simulator (SwitchNode::SwitchNotifyDequeue): the sender learns of the queue as it is,
 * not as it was before the frame had waited in it.
 *
 * Thresholds stand for a queueing delay: with a "ReferenceRate" they are those of a port of that
 * rate, and a port of another one has them in proportion.
 */
class EcnMarker : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param egressBytes bytes of an egress queue @return whether ShouldMark() has to be asked
    bool MayMark(uint64_t egressBytes) const
    {
        return egressBytes > m_quietBytes;
    }

    /// @return when frames are marked
    MarkMoment GetMoment() const
    {
        return m_onDequeue ? MarkMoment::DEQUEUE : MarkMoment::ENQUEUE;
    }

    /**
     * @param item a frame which joins or leaves an egress queue, and can be marked
     * @param egressBytes bytes of that queue: when the frame joins, with itself and the one on the
     * wire; when it leaves, without itself, and nothing is on the wire (so the HPCC simulator)
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
    /// @param threshold bytes for a port of the "ReferenceRate" @return bytes for this one, rounded
    uint64_t Scale(uint64_t threshold) const;

    /// The port's rate is another one: what Scale() returned is void.
    virtual void UpdateThresholds();

    /// @param bytes length of the egress queue up to which no frame is marked (initially 0)
    void SetQuietBytes(uint64_t bytes)
    {
        m_quietBytes = bytes;
    }

  private:
    uint64_t m_quietBytes{0}; ///< see SetQuietBytes()
    DataRate m_referenceRate; ///< that thresholds are for; 0: any
    double m_scale{1};        ///< rate of the port by m_referenceRate
    bool m_onDequeue{false};  ///< "MarkOnDequeue"
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

  protected:
    void UpdateThresholds() override;

  private:
    /// @param bytes at the "ReferenceRate"
    void SetThreshold(uint64_t bytes);
    /// @return bytes at the "ReferenceRate"
    uint64_t GetThreshold() const;

    uint64_t m_threshold{0}; ///< bytes at the "ReferenceRate"
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
    void UpdateThresholds() override;

  private:
    /// @param bytes at the "ReferenceRate"
    void SetMin(uint64_t bytes);
    /// @return bytes at the "ReferenceRate"
    uint64_t GetMin() const;
    /// @param bytes at the "ReferenceRate"
    void SetMax(uint64_t bytes);
    /// @return bytes at the "ReferenceRate"
    uint64_t GetMax() const;

    uint64_t m_min{0};                    ///< bytes at the "ReferenceRate", no mark up to here
    uint64_t m_max{0};                    ///< bytes at the "ReferenceRate", always marked above
    uint64_t m_lower{0};                  ///< m_min here
    uint64_t m_upper{0};                  ///< m_max here
    double m_maxProbability{0};           ///< at m_max
    Ptr<UniformRandomVariable> m_uniform; ///< draws the marks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_MARKER_H */
