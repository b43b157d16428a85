// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LOSSLESS_CLASSES_H
#define LOSSLESS_LOSSLESS_CLASSES_H

#include "lossless-experiment.h"

#include "ns3/lossless-fabric.h"
#include "ns3/lossless-types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// @param experiment the experiment, which stops the program on error
/// @param text the classes, separated by commas
/// @param option the name of the option, for the error message
/// @return the classes
std::vector<uint8_t> ReadClasses(const Experiment& experiment,
                                 const std::string& text,
                                 const std::string& option);

/**
 * @ingroup lossless
 * The option `--lossless-classes`, which selects the classes under flow control in the switches.
 * Each of these classes has headroom that no other class can use, even if the class carries no
 * flows. Therefore, only the classes in use are selected by default.
 */
class LosslessClasses
{
  public:
    /// Adds the option.
    void AddOption(Experiment& experiment);
    /// Stops the program if the option is invalid.
    /// @param experiment the experiment, which has parsed the option
    void Check(const Experiment& experiment);
    /// Sets the lossless classes of the switches. Stops the program if classes were chosen but the
    /// switches have no flow control.
    /// @param used the classes of the traffic, which are lossless unless others were chosen; if
    /// empty, the switches keep their default
    void Apply(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const;

  private:
    std::string m_text;                  ///< classes as text; empty for the classes in use
    std::optional<PrioritySet> m_chosen; ///< chosen classes; unset for the classes in use
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOSSLESS_CLASSES_H */
