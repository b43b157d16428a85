// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FILE_FORMAT_H
#define LOSSLESS_FILE_FORMAT_H

#include "ns3/part-registry.h"

#include <string>

namespace ns3::lossless
{

/// A file format that an option accepts. The registered formats appear in the option's help text
/// and error messages, and the extension of a file selects its format.
struct FileFormatInfo : public PartInfo
{
    /// The file name extensions of this format, such as ".goal", separated by spaces. If there are
    /// none, the format applies to all extensions that belong to no other format.
    std::string endings{};
};

/**
 * @ingroup lossless
 * Registers a format. Define a constant of this type next to the reader. Aborts if the name is
 * already registered.
 * @tparam INFO the subclass of FileFormatInfo for this kind of file
 */
template <typename INFO>
struct RegisterFormat
{
    /// Registers the format.
    /// @param position the position in lists
    /// @param describe sets the other members of the description
    RegisterFormat(const std::string& name, uint32_t position, void (*describe)(INFO& format))
    {
        INFO format;
        format.name = name;
        format.position = position;
        describe(format);
        AddChoice(PartList<INFO>(), format);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FILE_FORMAT_H */
