// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PATH_OPTIONS_H
#define LOSSLESS_PATH_OPTIONS_H

#include "ns3/scheme-registry.h"
#include "ns3/strict-command-line.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The options of a program that say how its RoCE flows choose their paths: `--path-selection` and
 * `--entropy-values`. Experiment has them in programs that offer a congestion control.
 */
class PathOptions
{
  public:
    /// @param commandLine to which the options are added; they are read into this object, which
    /// must stay where it is
    void AddTo(StrictCommandLine& commandLine);

    /**
     * Applies what was chosen, as defaults of attributes; a choice that there is not, or that does
     * not go with the scheme, stops the program with exit status 1.
     * @param commandLine which has been read
     * @param scheme of the switches
     */
    void Apply(const StrictCommandLine& commandLine, const SchemeInfo& scheme) const;

    /// @return the option, as it was given, if it lets packets of a flow overtake each other; else
    /// empty; valid after Apply()
    std::string GetReordering() const;

  private:
    std::string m_name{"Flow"}; ///< option
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PATH_OPTIONS_H */
