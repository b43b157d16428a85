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

/// @param experiment stops the program on error
/// @param text classes, separated by commas
/// @param option for the message
/// @return the classes
std::vector<uint8_t> ReadClasses(const Experiment& experiment,
                                 const std::string& text,
                                 const std::string& option);

/**
 * @ingroup lossless
 * The option `--lossless-classes`: the switch classes under flow control. Each has headroom that no
 * other class can use, even without flows; the default is therefore the classes in use.
 */
class LosslessClasses
{
  public:
    /// Adds the option.
    void AddOption(Experiment& experiment);
    /// Stops the program if the option is invalid. @param experiment has parsed it
    void Check(const Experiment& experiment);
    /// Sets the classes of the switches, or stops the program if they have no flow control for
    /// them. @param used classes of the traffic; none: the switches keep their default
    void Apply(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const;

  private:
    std::string m_text;                  ///< empty: the classes in use
    std::optional<PrioritySet> m_chosen; ///< nothing: the classes in use
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOSSLESS_CLASSES_H */
