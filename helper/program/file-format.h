// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FILE_FORMAT_H
#define LOSSLESS_FILE_FORMAT_H

#include "ns3/part-registry.h"

#include <string>

namespace ns3::lossless
{

/// A format of the files of an option. The option's help and errors, and the choice by the ending
/// of a file's name, use the registered formats.
struct FileFormatInfo : public PartInfo
{
    /// Endings of the names of such files, as ".goal", separated by blanks; empty: all that no
    /// other format has.
    std::string endings{};
};

/**
 * @ingroup lossless
 * Registers a format; a constant next to its reader. A duplicate name stops the program.
 * @tparam INFO a FileFormatInfo of the kind of files
 */
template <typename INFO>
struct RegisterFormat
{
    /// Registers the format.
    explicit RegisterFormat(const INFO& format)
    {
        AddChoice(PartList<INFO>(), format);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FILE_FORMAT_H */
