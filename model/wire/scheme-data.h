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
 * Data that the network's flow control scheme stores in a frame. The scheme defines the type of the
 * data, and only the scheme reads and writes the data. The data travels with the frame, including
 * to other ranks, but does not appear in captures. To make the data visible there, a scheme must
 * also write it into the frame's bytes.
 *
 * All bytes are zero in a new frame, so zero must mean that no value has been written yet. Every
 * frame has 8 bytes of data, whatever the scheme, because all schemes share one frame type. The
 * number of bytes is small because the frame is copied at each hop. Plain bytes are not type-safe:
 * reading a type other than the one written yields a meaningless value.
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
    /// Fails to compile if the type does not fit.
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
