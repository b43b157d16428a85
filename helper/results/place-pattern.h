// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PLACE_PATTERN_H
#define LOSSLESS_PLACE_PATTERN_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Matches names of ports ("leaf0:3" is a node and a port), names of queues ("leaf0:3:5" is a
 * switch, a port and a class), or flow IDs. In each part, `*` matches any number of characters, `?`
 * matches one character, and `[12]` matches one of the listed characters.
 */
class PlacePattern
{
  public:
    /// @param text the pattern, with parts separated by colons
    explicit PlacePattern(const std::string& text);

    /// @param text the patterns, separated by commas
    /// @return the patterns
    static std::vector<PlacePattern> ReadList(const std::string& text);

    /// @param place the parts of a name
    /// @return true if the name matches
    bool Matches(const std::vector<std::string>& place) const;

    /// @return the pattern as given by the user
    const std::string& GetText() const;

  private:
    std::string m_text;               ///< see GetText()
    std::vector<std::string> m_parts; ///< parts of the pattern
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PLACE_PATTERN_H */
