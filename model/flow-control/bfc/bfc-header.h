// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_HEADER_H
#define LOSSLESS_BFC_HEADER_H

#include "bfc-filter.h"

#include "ns3/header.h"
#include "ns3/lossless-types.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Body of BFC's MAC control frame: the flows to stop; all others may send.
 *
 * After the opcode: classes of the flows (8 bit, bit p for class p), hashes (8 bit), virtual flows
 * (32 bit), bytes of the filter (16 bit), and the filter. A frame with a filter of 128 B has 156 B
 * with its FCS. Summaries of the paper state the size of the filter; no encoding is public.
 */
class BfcHeader : public Header
{
  public:
    /// Opcode of BFC's frames, unassigned in any standard.
    static constexpr uint16_t OPCODE = 0xfe04;
    /// Size of the fields before the filter, bytes.
    static constexpr uint32_t BASE_BYTES = 10;

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    PrioritySet classes{0}; ///< of the flows
    BfcFilter filter;       ///< the flows

    /// Whether the deserialized bytes were a whole body; true for a new header.
    bool IsComplete() const
    {
        return m_isComplete;
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    bool m_isComplete{true}; ///< see IsComplete()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_HEADER_H */
