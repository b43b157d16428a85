// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_JSON_WRITER_H
#define LOSSLESS_JSON_WRITER_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Writes JSON (RFC 8259), two blanks per level.
 */
class JsonWriter
{
  public:
    /// @param os where to
    explicit JsonWriter(std::ostream& os);

    /// @param name of the member that follows, inside an object @return this
    JsonWriter& Key(const std::string& name);

    /// @param bracket '{' or '['
    void Begin(char bracket);
    /// @param bracket '}' or ']'
    void End(char bracket);

    /// @param text a value
    void Text(const std::string& text);
    /// @param number a value
    void Integer(uint64_t number);
    /// @param number a value, written with as many digits as tell it from any other
    void Number(double number);
    /// @param value a value
    void Boolean(bool value);
    /// Writes null.
    void Null();

  private:
    /// Puts what must stand between the previous value and the next.
    void Separate();
    /// Starts a line at the current level.
    void BreakLine();
    /// @param text to be quoted
    void WriteText(const std::string& text);

    std::ostream& m_os;                ///< where to
    std::vector<std::size_t> m_levels; ///< values so far in each open object or array
    bool m_afterKey{false};            ///< the next value belongs to a key
};

} // namespace ns3::lossless

#endif /* LOSSLESS_JSON_WRITER_H */
