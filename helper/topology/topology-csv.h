// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_CSV_H
#define LOSSLESS_TOPOLOGY_CSV_H

#include "lossless-topology.h"

#include <cstdint>

namespace ns3::lossless
{

class LosslessCsvReader;

/// What a rate without a unit is.
enum class BareRates : uint8_t
{
    WRONG,           ///< none
    BITS_PER_SECOND, ///< one in bit/s, from 1 Mb/s on
};

/**
 * Reads the columns rate, delay and, if it is there, error_rate of a link, as Topology::FromCsv has
 * them.
 * @param csv the reader, at the line of the link
 * @param [out] link where to store them
 * @param bare what a rate without a unit is
 */
void ReadLinkValues(const LosslessCsvReader& csv,
                    Topology::LinkInfo& link,
                    BareRates bare = BareRates::WRONG);

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_CSV_H */
