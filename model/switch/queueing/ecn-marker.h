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
 * By default a frame is marked when it joins the queue, by the queue length at that time, as in
 * DCTCP (Alizadeh et al., SIGCOMM 2010, Sec. 3.1) and DCQCN (Zhu et al., SIGCOMM 2015, Sec. 3.1).
 * With "MarkOnDequeue" it is marked when it starts to leave, by the bytes behind it, as in the HPCC
 * simulator (SwitchNode::SwitchNotifyDequeue): the sender learns the present length, not that of
 * before the frame has waited.
 *
 * Thresholds correspond to a queueing delay: with a "ReferenceRate" they are for a port of that
 * rate, and scale with the rate of the port.
 */
class EcnMarker : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return whether ShouldMark() must be called for an egress queue of this length
    bool MayMark(uint64_t egressBytes) const
    {
        return egressBytes > m_quietBytes;
    }

    /// @return when frames are marked
    MarkMoment GetMoment() const
    {
        return m_onDequeue ? MarkMoment::DEQUEUE : MarkMoment::ENQUEUE;
    }

    /// @param item joins or leaves an egress queue and can be marked
    /// @param egressBytes length of that queue: when the frame joins, including the frame and the
    /// one on the wire; when it leaves, excluding the frame, with an idle wire (as in the HPCC
    /// simulator)
    virtual bool ShouldMark(const SwitchItem& item, uint64_t egressBytes);

    /// Fixes the random streams, starting at `stream`. @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// @param rate of the port whose frames are marked
    void SetPortRate(DataRate rate);

  protected:
    /// @param threshold bytes at the "ReferenceRate"
    /// @return bytes at the rate of this port, rounded
    uint64_t Scale(uint64_t threshold) const;

    /// The port's rate has changed, and with it the results of Scale().
    virtual void UpdateThresholds();

    /// @param bytes length of the egress queue up to which no frame is marked (initially 0)
    void SetQuietBytes(uint64_t bytes)
    {
        m_quietBytes = bytes;
    }

  private:
    uint64_t m_quietBytes{0}; ///< see SetQuietBytes()
    DataRate m_referenceRate; ///< of the thresholds; 0: any
    double m_scale{1};        ///< rate of the port divided by m_referenceRate
    bool m_onDequeue{false};  ///< "MarkOnDequeue"
};

/**
 * @ingroup lossless
 * Marks every frame with which the queue exceeds one threshold (DCTCP, Alizadeh et al., SIGCOMM
 * 2010).
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
    void SetThreshold(uint64_t bytes);
    uint64_t GetThreshold() const;

    uint64_t m_threshold{0}; ///< bytes at the "ReferenceRate"
};

/**
 * @ingroup lossless
 * Marks with a probability that rises linearly from 0 at "MinBytes" to "MaxProbability" at
 * "MaxBytes", and always above that (DCQCN, Zhu et al., SIGCOMM 2015, Sec. 3.1), by the
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
    void SetMin(uint64_t bytes);
    uint64_t GetMin() const;
    void SetMax(uint64_t bytes);
    uint64_t GetMax() const;

    uint64_t m_min{0};                    ///< bytes at the "ReferenceRate", no mark up to here
    uint64_t m_max{0};                    ///< bytes at the "ReferenceRate", always marked above
    uint64_t m_lower{0};                  ///< m_min, scaled
    uint64_t m_upper{0};                  ///< m_max, scaled
    double m_maxProbability{0};           ///< at m_max
    Ptr<UniformRandomVariable> m_uniform; ///< draws the marks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_MARKER_H */
