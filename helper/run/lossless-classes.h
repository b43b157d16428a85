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

/// @param experiment which stops the program @param text classes, separated by commas
/// @param option that has it @return them
std::vector<uint8_t> ReadClasses(const Experiment& experiment,
                                 const std::string& text,
                                 const std::string& option);

/**
 * @ingroup lossless
 * The option `--lossless-classes`: which classes of the switches are under flow control. Each of
 * them has headroom, which no other class can use, whether it has flows or not; so, unless the user
 * says otherwise, it is those that are used.
 */
class LosslessClasses
{
  public:
    /// @param experiment to which the option is added
    void AddOption(Experiment& experiment);
    /// Stops the program if the option names no classes. @param experiment which has read it
    void Check(const Experiment& experiment);
    /// Tells the switches, or stops the program if they have no flow control to which to give the
    /// classes of the option. @param experiment which stops it @param fabric the network
    /// @param used classes of what is to be sent; none: the switches keep their default
    void Apply(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const;

  private:
    std::string m_text;                  ///< option; empty: the classes that are used
    std::optional<PrioritySet> m_chosen; ///< the same; nothing: those
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LOSSLESS_CLASSES_H */
