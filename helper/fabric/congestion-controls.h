// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONGESTION_CONTROLS_H
#define LOSSLESS_CONGESTION_CONTROLS_H

#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A published set of constants of a congestion control, with those of its marker.
struct CongestionConstants
{
    /// The value of an attribute.
    struct Value
    {
        std::string attribute; ///< with its class, as "ns3::lossless::Dcqcn::RateTimer"
        std::string value;     ///< as the command line takes it
    };

    std::string name;          ///< what `--congestion-control-constants` takes
    std::vector<Value> values; ///< those that differ from the defaults
};

/// A congestion control of RoCE queue pairs as experiment programs name it.
struct CongestionControlChoice
{
    std::string name;   ///< what `--congestion-control` takes
    std::string type;   ///< TypeId of its CongestionControl subclass
    std::string marker; ///< TypeId of the EcnMarker that it lives on; empty: it needs no marks
    std::string what;   ///< a line about it

    /// Sets of constants, first the defaults.
    std::vector<CongestionConstants> constants{{"default", {}}};

    /// What it is told of a network whose switches trim.
    std::vector<CongestionConstants::Value> whereTrimmed{};
};

/// @return the congestion controls that exist, those of a program last
const std::vector<CongestionControlChoice>& GetCongestionControls();

/// @param choice of a program; a name or a type that is there already stops the program
void AddCongestionControl(const CongestionControlChoice& choice);

/**
 * @ingroup lossless
 * Registers a congestion control of a program, as a constant beside its class, for
 * `--congestion-control`.
 * @tparam CONTROL its subclass of CongestionControl, with a GetTypeId() of its own
 */
template <typename CONTROL>
struct RegisterCongestionControl
{
    /// @param name what `--congestion-control` takes @param what a line about it
    /// @param marker TypeId of the EcnMarker that it lives on; empty: it needs no marks
    RegisterCongestionControl(const std::string& name,
                              const std::string& what,
                              const std::string& marker = "")
    {
        AddCongestionControl({name, CONTROL::GetTypeId().GetName(), marker, what});
    }
};

/// @return a line about each, for `--help`
std::string DescribeCongestionControls();

/// @param name a name, in any case
/// @return the congestion control; nothing if there is none of that name
std::optional<CongestionControlChoice> FindCongestionControl(const std::string& name);

/// @return which sets of constants the congestion controls have, for `--help`
std::string DescribeCongestionConstants();

/// @param type a subclass of CongestionControl @return its name; that of the type if it has none
std::string GetCongestionControlName(TypeId type);

} // namespace ns3::lossless

#endif /* LOSSLESS_CONGESTION_CONTROLS_H */
