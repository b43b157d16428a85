// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PLACE_PATTERN_H
#define LOSSLESS_PLACE_PATTERN_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Chooses ports of nodes ("leaf0:3") or queues of switches ("leaf0:3:5": switch, port and class):
 * in each part `*` stands for any characters, `?` for one, and `[12]` for one of these.
 */
class PlacePattern
{
  public:
    /// @param text with parts between colons
    explicit PlacePattern(const std::string& text);

    /// @param text patterns, separated by commas
    static std::vector<PlacePattern> ReadList(const std::string& text);

    /// @param place its parts, as strings
    bool Matches(const std::vector<std::string>& place) const;

    /// @return the pattern as the user wrote it
    const std::string& GetText() const;

  private:
    std::string m_text;               ///< see GetText()
    std::vector<std::string> m_parts; ///< between colons
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PLACE_PATTERN_H */
