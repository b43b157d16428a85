// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_CSV_H
#define LOSSLESS_TOPOLOGY_CSV_H

#include "lossless-topology.h"

#include <cstdint>

namespace ns3::lossless
{

class LosslessCsvReader;

/// The meaning of a rate without a unit.
enum class BareRates : uint8_t
{
    WRONG,           ///< such a rate is an error
    BITS_PER_SECOND, ///< such a rate is in bit/s; less than 1 Mb/s is an error
};

/// Reads the columns rate, delay and (if present) error_rate of a link, as in Topology::FromCsv().
/// @param bare the meaning of a rate without a unit
void ReadLinkValues(const LosslessCsvReader& csv,
                    Topology::LinkInfo& link,
                    BareRates bare = BareRates::WRONG);

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_CSV_H */
