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

/// The moment at which a switch marks a frame.
enum class MarkMoment : uint8_t
{
    ENQUEUE, ///< when the frame joins its egress queue
    DEQUEUE  ///< when the frame's first bit leaves
};

/**
 * @ingroup lossless
 * Determines which ECN-capable frames of an egress queue are marked as "congestion experienced"
 * (RFC 3168). This base class marks no frames.
 *
 * By default, a frame is marked when it joins the queue, depending on the queue length at that
 * time, as in DCTCP (Alizadeh et al., SIGCOMM 2010, Sec. 3.1) and DCQCN (Zhu et al., SIGCOMM 2015,
 * Sec. 3.1). With "MarkOnDequeue", it is marked when it starts to leave, depending on the number of
 * bytes that remain in the queue, as in the HPCC simulator (SwitchNode::SwitchNotifyDequeue). The
 * mark then reflects the current queue length instead of the length at the time when the frame
 * joined the queue.
 *
 * The queueing delay to which a threshold in bytes corresponds depends on the rate of the port. If
 * "ReferenceRate" is set, thresholds apply to a port of this rate and are scaled to the rate of the
 * actual port, so that the delay is the same.
 */
class EcnMarker : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @return whether ShouldMark() must be called for an egress queue of this length
    bool MayMark(uint64_t egressBytes) const
    {
        return egressBytes > m_quietBytes;
    }

    /// @return the moment at which frames are marked
    MarkMoment GetMoment() const
    {
        return m_onDequeue ? MarkMoment::DEQUEUE : MarkMoment::ENQUEUE;
    }

    /// @param item a frame that joins or leaves an egress queue and can be marked
    /// @param egressBytes the length of this queue. When the frame joins the queue, the length
    /// includes both this frame and the frame on the wire. When the frame leaves, the length
    /// excludes the frame, and the wire is idle (as in the HPCC simulator).
    virtual bool ShouldMark(const SwitchItem& /* item */, uint64_t /* egressBytes */)
    {
        return false;
    }

    /// Assigns fixed random streams, starting at `stream`.
    /// @return the number of streams used
    virtual int64_t AssignStreams(int64_t /* stream */)
    {
        return 0;
    }

    /// @param rate the rate of the port whose frames are marked
    void SetPortRate(DataRate rate);

    /// @return the port rate for which the thresholds are intended; 0 if they were changed or are
    /// scaled to the rate of each port
    DataRate GetMeantRate() const;

  protected:
    /// @param threshold the threshold in bytes at the "ReferenceRate"
    /// @return the threshold at the rate of this port, rounded to bytes
    uint64_t Scale(uint64_t threshold) const;

    /// @return the port rate for which the default thresholds are intended; 0 if there are no
    /// defaults or if they were changed
    virtual DataRate GetDefaultsRate() const
    {
        return DataRate(0);
    }

    /// Recomputes the scaled thresholds. Called when the rate of the port has changed.
    virtual void UpdateThresholds()
    {
    }

    /// @param bytes the queue length up to which no frame is marked (initially 0)
    void SetQuietBytes(uint64_t bytes)
    {
        m_quietBytes = bytes;
    }

  private:
    uint64_t m_quietBytes{0}; ///< see SetQuietBytes()
    DataRate m_referenceRate; ///< the rate for which thresholds are given; 0 if they apply at any
                              ///< rate
    double m_scale{1};        ///< the rate of the port divided by m_referenceRate
    bool m_onDequeue{false};  ///< the attribute "MarkOnDequeue"
};

/**
 * @ingroup lossless
 * Marks a frame if its egress queue is longer than a threshold (DCTCP, Alizadeh et al., SIGCOMM
 * 2010).
 */
class StepMarker : public EcnMarker
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    bool ShouldMark(const SwitchItem& item, uint64_t egressBytes) override;

  protected:
    DataRate GetDefaultsRate() const override;
    void UpdateThresholds() override;

  private:
    void SetThreshold(uint64_t bytes);
    uint64_t GetThreshold() const;

    uint64_t m_threshold{0}; ///< the threshold in bytes at the "ReferenceRate"
};

/**
 * @ingroup lossless
 * Marks frames with a probability that depends on the instantaneous queue length. The probability
 * rises linearly from 0 at "MinBytes" to "MaxProbability" at "MaxBytes" and is 1 above "MaxBytes"
 * (DCQCN, Zhu et al., SIGCOMM 2015, Sec. 3.1).
 */
class RedMarker : public EcnMarker
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    RedMarker();

    bool ShouldMark(const SwitchItem& item, uint64_t egressBytes) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoInitialize() override;
    DataRate GetDefaultsRate() const override;
    void UpdateThresholds() override;

  private:
    void SetMin(uint64_t bytes);
    uint64_t GetMin() const;
    void SetMax(uint64_t bytes);
    uint64_t GetMax() const;

    uint64_t m_min{0};                    ///< the attribute "MinBytes"
    uint64_t m_max{0};                    ///< the attribute "MaxBytes"
    uint64_t m_lower{0};                  ///< the scaled m_min
    uint64_t m_upper{0};                  ///< the scaled m_max
    double m_maxProbability{0};           ///< the probability at m_max
    Ptr<UniformRandomVariable> m_uniform; ///< the random variable that determines which frames are
                                          ///< marked
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ECN_MARKER_H */
