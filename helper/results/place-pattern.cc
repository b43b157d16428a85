// SPDX-License-Identifier: GPL-2.0-only
#include "place-pattern.h"

#include "ns3/option-text.h"

#include <algorithm>
#include <fnmatch.h>

namespace ns3::lossless
{

PlacePattern::PlacePattern(const std::string& text)
    : m_text(text),
      m_parts(Split(text, ':'))
{
}

std::vector<PlacePattern>
PlacePattern::ReadList(const std::string& text)
{
    const auto texts = Split(text, ',');
    return {texts.begin(), texts.end()};
}

bool
PlacePattern::Matches(const std::vector<std::string>& place) const
{
    return std::equal(m_parts.begin(),
                      m_parts.end(),
                      place.begin(),
                      place.end(),
                      [](const std::string& pattern, const std::string& name) {
                          return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
                      });
}

const std::string&
PlacePattern::GetText() const
{
    return m_text;
}

} // namespace ns3::lossless
