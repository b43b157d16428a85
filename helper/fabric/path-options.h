// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_OPTIONS_H
#define LOSSLESS_PATH_OPTIONS_H

#include "ns3/scheme-registry.h"
#include "ns3/strict-command-line.h"

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The program options for the path selection of RoCE flows: `--path-selection` and
 * `--entropy-values`. Experiment includes them in programs that have a congestion control option.
 */
class PathOptions
{
  public:
    /// Adds the options. They are stored in this object, which must not move.
    void AddTo(StrictCommandLine& commandLine);

    /// Applies the choice to the attribute defaults. Stops the program with exit status 1 if the
    /// choice is unknown or does not suit the scheme.
    /// @param commandLine the parsed command line
    /// @param scheme the scheme of the switches
    void Apply(const StrictCommandLine& commandLine, const SchemeInfo& scheme) const;

    /// @return the option that allows packets of a flow to overtake each other, or an empty string
    /// if they cannot do so; valid after Apply()
    std::string GetReordering() const;

    /// @return true if each flow has one path, the default of the option; valid after Apply()
    bool IsDefault() const;

  private:
    std::string m_name{"Flow"};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_OPTIONS_H */
