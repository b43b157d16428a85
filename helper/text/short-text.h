// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHORT_TEXT_H
#define LOSSLESS_SHORT_TEXT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A line of text for a person to read, truncated to 255 bytes.
 *
 * It allocates no memory and can therefore be used in a signal handler.
 */
class ShortText
{
  public:
    /// Appends a string.
    ShortText& Add(std::string_view text);
    /// Appends a number with spaces between groups of three digits: "216 291".
    ShortText& AddCount(uint64_t number);
    /// Appends a time with one decimal, in the unit that leaves one to three digits before the
    /// decimal point: "2.2 ms", "12.0 s".
    ShortText& AddTime(uint64_t nanoseconds);

    /// @return the line
    std::string_view Get() const;

  private:
    std::array<char, 255> m_bytes{};
    std::size_t m_size{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHORT_TEXT_H */
