// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SCHEME_DATA_H
#define LOSSLESS_SCHEME_DATA_H

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What the flow control scheme of a network keeps in a frame: a value of a type of its own, which
 * alone it reads and writes. The value goes with the frame, to other ranks as well; captures do not
 * show it, for which a scheme writes it into the bytes as well (PaboTrailer).
 *
 * It is zero where the frame is made, and so is each member of the type then: zero has to be what
 * no switch has written to yet. A frame carries 8 bytes whatever the scheme is, since all schemes
 * share the type of the frame, which is copied at each hop. That it is only bytes costs a check of
 * the type: who reads another type than was written gets nonsense.
 */
class SchemeData
{
  public:
    /// @tparam T the scheme's type, of at most 8 bytes @return the value
    template <typename T>
    T Get() const
    {
        Check<T>();
        T value;
        std::memcpy(static_cast<void*>(&value), &m_word, sizeof(T));
        return value;
    }

    /// @tparam T the scheme's type, of at most 8 bytes @param value from now on
    template <typename T>
    void Set(const T& value)
    {
        Check<T>();
        m_word = 0;
        std::memcpy(&m_word, &value, sizeof(T));
    }

  private:
    /// Stops the compiler if a type does not fit. @tparam T the type
    template <typename T>
    static constexpr void Check()
    {
        static_assert(sizeof(T) <= sizeof(uint64_t), "a frame carries 8 bytes for a scheme");
        static_assert(std::is_trivially_copyable_v<T>, "it crosses to other ranks as it is");
    }

    uint64_t m_word{0}; ///< the value, then zeros
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_DATA_H */
