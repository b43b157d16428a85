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
 * Data of the network's flow control scheme in a frame: a value of a type of its own, which only
 * the scheme reads and writes. It travels with the frame, also to other ranks. Captures do not show
 * it; for them a scheme also writes it into the bytes (PaboTrailer).
 *
 * All bytes are zero in a new frame, so zero must mean that no switch has written yet. A frame
 * carries 8 bytes whatever the scheme, as all schemes share the type of frame, which is copied at
 * each hop. The price of plain bytes is type safety: reading another type than was written yields
 * nonsense.
 */
class SchemeData
{
  public:
    /// @tparam T the scheme's type, of at most 8 bytes
    template <typename T>
    T Get() const
    {
        Check<T>();
        T value;
        std::memcpy(static_cast<void*>(&value), &m_word, sizeof(T));
        return value;
    }

    /// @tparam T the scheme's type, of at most 8 bytes
    template <typename T>
    void Set(const T& value)
    {
        Check<T>();
        m_word = 0;
        std::memcpy(&m_word, &value, sizeof(T));
    }

  private:
    /// Fails to compile if a type does not fit.
    template <typename T>
    static constexpr void Check()
    {
        static_assert(sizeof(T) <= sizeof(uint64_t), "a frame carries 8 bytes for a scheme");
        static_assert(std::is_trivially_copyable_v<T>, "it crosses to other ranks as it is");
    }

    uint64_t m_word{0}; ///< the value, padded with zeros
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SCHEME_DATA_H */
