// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SELECTION_INFO_H
#define LOSSLESS_PATH_SELECTION_INFO_H

#include "ns3/part-registry.h"

namespace ns3::lossless
{

/// A path selection by hosts, for `--path-selection`; its type is a subclass of PathSelection.
struct PathSelectionInfo : public PartInfo
{
    bool isReordering{true}; ///< packets of a flow may overtake each other
};

/// Registers a path selection.
/// @tparam SELECTION its class
template <typename SELECTION>
using RegisterPathSelection = RegisterPart<SELECTION, PathSelectionInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_SELECTION_INFO_H */
