// SPDX-License-Identifier: GPL-2.0-only
#include "cable-lengths.h"

#include <sstream>

namespace ns3::lossless
{

std::vector<double>
ReadMetres(const Experiment& experiment, const std::string& text, uint32_t most)
{
    std::vector<double> metres;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
    {
        std::istringstream number(word);
        const bool isLength = (number >> metres.emplace_back()) && number.eof() &&
                              metres.back() >= 0 && metres.back() <= most;
        experiment.Require(isLength,
                           "--metres is \"" + text + "\"; it must be lengths from 0 to " +
                               std::to_string(most) + ", separated by commas, as 5,40,300");
    }
    experiment.Require(!metres.empty() && text.back() != ',',
                       "--metres is \"" + text + "\"; it must be lengths, as 5,40,300");
    return metres;
}

} // namespace ns3::lossless
