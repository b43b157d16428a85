// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FILE_FORMAT_H
#define LOSSLESS_FILE_FORMAT_H

#include "ns3/part-registry.h"

#include <string>

namespace ns3::lossless
{

/// A format of the files that an option names. The option's help and errors have their lists of
/// formats from here, and so has the choice by the ending of a name.
struct FileFormatInfo : public PartInfo
{
    /// Endings of the names of such files, as ".goal", separated by blanks; empty: of all files
    /// that no other format has.
    std::string endings{};
};

/**
 * @ingroup lossless
 * Registers a format, as a constant beside its reader. A name that is taken stops the program.
 * @tparam INFO a FileFormatInfo of the kind of files
 */
template <typename INFO>
struct RegisterFormat
{
    /// @param format with its name, what it is, its endings and its reader
    explicit RegisterFormat(const INFO& format)
    {
        AddChoice(PartList<INFO>(), format);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FILE_FORMAT_H */
