// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_SELECTION_INFO_H
#define LOSSLESS_PATH_SELECTION_INFO_H

#include "ns3/part-registry.h"

namespace ns3::lossless
{

/// A choice of paths by hosts, for `--path-selection`; its type is a subclass of PathSelection.
struct PathSelectionInfo : public PartInfo
{
    bool isReordering{true}; ///< packets of a flow overtake each other
};

/// Registers a choice of paths. @tparam SELECTION its class
template <typename SELECTION>
using RegisterPathSelection = RegisterPart<SELECTION, PathSelectionInfo>;

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_SELECTION_INFO_H */
