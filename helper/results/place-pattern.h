// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PLACE_PATTERN_H
#define LOSSLESS_PLACE_PATTERN_H

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Names ports of switches ("leaf0:3") or their queues ("leaf0:3:5": switch, port and class), one
 * or many of them: in each part `*` stands for any characters, `?` for one, and `[12]` for one of
 * these.
 */
class PlacePattern
{
  public:
    /// @param text of the pattern
    explicit PlacePattern(const std::string& text);

    /// @param text patterns, separated by commas @return them
    static std::vector<PlacePattern> ReadList(const std::string& text);

    /// @param place its parts, as texts @return whether the pattern names it
    bool Matches(const std::vector<std::string>& place) const;

    /// @return the text
    const std::string& GetText() const;

  private:
    std::string m_text;               ///< as the user has it
    std::vector<std::string> m_parts; ///< between colons
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PLACE_PATTERN_H */
