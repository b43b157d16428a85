// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SELECTION_INFO_H
#define LOSSLESS_PATH_SELECTION_INFO_H

#include "ns3/part-registry.h"

namespace ns3::lossless
{

/// Describes a path selection algorithm that users can select with `--path-selection`.
struct PathSelectionInfo : public PartInfo
{
    bool isReordering{true}; ///< whether packets of a flow can overtake each other
};

/// Registers a path selection algorithm.
/// @tparam SELECTION the class of the algorithm
template <typename SELECTION>
using RegisterPathSelection = RegisterPart<SELECTION, PathSelectionInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_SELECTION_INFO_H */
