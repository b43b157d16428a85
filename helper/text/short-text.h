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
 * A line for a person to read, of at most 255 bytes: what is more is cut off.
 *
 * It takes no memory from the heap, and may therefore be made where a signal has interrupted the
 * program at any place.
 */
class ShortText
{
  public:
    /// @param text appended @return this
    ShortText& Add(std::string_view text);
    /// @param number appended, with blanks between thousands: "216 291" @return this
    ShortText& AddCount(uint64_t number);
    /// @param nanoseconds appended with a digit after the point, in the unit that leaves one to
    /// three before it: "2.2 ms", "12.0 s" @return this
    ShortText& AddTime(uint64_t nanoseconds);

    /// @return the text
    std::string_view Get() const;

  private:
    std::array<char, 255> m_bytes{}; ///< the text
    std::size_t m_size{0};           ///< bytes of it
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHORT_TEXT_H */
