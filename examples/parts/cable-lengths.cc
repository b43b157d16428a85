// SPDX-License-Identifier: GPL-2.0-only
#include "cable-lengths.h"

#include "ns3/option-text.h"
#include "ns3/quantity-text.h"

namespace ns3::lossless
{

std::vector<double>
ReadMetres(const Experiment& experiment, const std::string& text, uint32_t most)
{
    std::vector<double> metres;
    for (const std::string& part : Split(text, ','))
    {
        const auto length = ParseNumber(part);
        experiment.Require(length && *length >= 0 && *length <= most,
                           "--metres is \"" + text + "\"; it must be lengths from 0 to " +
                               std::to_string(most) + ", separated by commas, as 5,40,300");
        metres.push_back(*length);
    }
    return metres;
}

} // namespace ns3::lossless
