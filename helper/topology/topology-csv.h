// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_CSV_H
#define LOSSLESS_TOPOLOGY_CSV_H

#include "lossless-topology.h"

namespace ns3::lossless
{

class LosslessCsvReader;

/**
 * Reads the columns rate, delay and, if it is there, error_rate of a link, as Topology::FromCsv has
 * them.
 * @param csv the reader, at the line of the link
 * @param [out] link where to store them
 */
void ReadLinkValues(const LosslessCsvReader& csv, Topology::LinkInfo& link);

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_CSV_H */
