// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_HEADER_H
#define LOSSLESS_BFC_HEADER_H

#include "bfc-filter.h"

#include "ns3/lossless-types.h"
#include "ns3/typed-header.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The body of BFC's MAC control frame. It contains the flows to stop; all other flows may send.
 *
 * The opcode is followed by the classes of the flows (8 bits, bit p for class p), the number of
 * hashes (8 bits), the number of virtual flows (32 bits), the filter size in bytes (16 bits), and
 * the filter. With a filter of 128 B, the frame is 156 B long, including FCS. The encoding is
 * specific to this module, because the available summaries of the paper state only the size of the
 * filter.
 */
class BfcHeader : public TypedHeader<BfcHeader>
{
  public:
    /// The opcode of BFC frames, which is not assigned by any standard.
    static constexpr uint16_t OPCODE = 0xfe04;
    /// The size of the fields before the filter, in bytes.
    static constexpr uint32_t BASE_BYTES = 10;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PrioritySet classes{0}; ///< the classes of the flows
    BfcFilter filter;       ///< the flows to stop

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_HEADER_H */
