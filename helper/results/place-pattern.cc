// SPDX-License-Identifier: GPL-2.0-only
#include "place-pattern.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <fnmatch.h>

namespace ns3::lossless
{

namespace
{

/// @param text a text @param separator between its parts @return the parts; of "a," also ""
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    boost::algorithm::split(parts, text, [separator](char c) { return c == separator; });
    return parts;
}

} // namespace

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
