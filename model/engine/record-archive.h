// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECORD_ARCHIVE_H
#define LOSSLESS_RECORD_ARCHIVE_H

#include "ranks.h"

#include "ns3/abort.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <boost/mpl/bool.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/level.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/serialization.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup lossless
 * Serialization of a RankedRecord with Boost.Serialization. It supports numbers, strings, times,
 * containers, and structures with a function Tie() that returns references to their members
 * (std::tie()).
 */

/// Serialization of types that Boost.Serialization does not support. The library requires the name
/// serialize().
namespace boost::serialization
{

/// Saves or loads each of the given values.
template <typename Archive, typename... Ts>
void
Pass(Archive& archive, Ts&... parts)
{
    (archive & ... & parts);
}

/// @copydoc Pass
template <typename Archive>
void
serialize(Archive& archive, ns3::Time& time, unsigned /* version */)
{
    int64_t tick = time.GetTimeStep();
    Pass(archive, tick);
    time = ns3::TimeStep(tick);
}

/// @copydoc Pass
template <typename Archive>
void
serialize(Archive& archive, ns3::Ipv4Address& address, unsigned /* version */)
{
    uint32_t number = address.Get();
    Pass(archive, number);
    address.Set(number);
}

/// @copydoc Pass
template <typename Archive, typename T>
void
serialize(Archive& archive, std::optional<T>& value, unsigned /* version */)
{
    bool isThere = value.has_value();
    T content = value.value_or(T());
    Pass(archive, isThere, content);
    value = isThere ? std::optional(content) : std::nullopt;
}

/// @copydoc Pass
template <typename Archive, typename... Ts>
void
serialize(Archive& archive, std::tuple<Ts...>& parts, unsigned /* version */)
{
    std::apply([&archive](auto&... part) { Pass(archive, part...); }, parts);
}

/// Saves or loads a structure. The type of the last parameter gives this overload precedence over
/// the library's template.
/// @tparam T a structure with a function Tie()
template <typename Archive, typename T, typename = decltype(std::declval<T&>().Tie())>
void
serialize(Archive& archive, T& record, version_type /* version */)
{
    std::apply([&archive](auto&... part) { Pass(archive, part...); }, record.Tie());
}

} // namespace boost::serialization

namespace ns3::lossless
{

/// @return whether a type is saved as raw bytes; this applies to numbers and to types that the
/// library treats as numbers
template <typename T>
constexpr bool
IsNumber()
{
    using namespace boost::serialization;
    return implementation_level<T>::value == primitive_type && !std::is_same_v<T, std::string>;
}

/**
 * @ingroup lossless
 * Writes records to a stream or reads them from a stream. This class implements the "Archive
 * Concepts" of Boost.Serialization. The library's own archives support pointers and versions, but
 * records need neither. Those archives also instantiate a dozen objects per type, which would add a
 * megabyte to the module's library.
 *
 * @tparam STREAM std::ostream or std::istream
 */
template <typename STREAM>
class RecordArchive
{
    static constexpr bool IS_LOADING = std::is_same_v<STREAM, std::istream>;

  public:
    using is_loading = boost::mpl::bool_<IS_LOADING>; ///< required by the library
    using is_saving = boost::mpl::bool_<!IS_LOADING>; ///< required by the library

    /// @param stream the stream to write or read
    explicit RecordArchive(STREAM& stream)
        : m_stream(stream)
    {
    }

    /// Writes or reads the next value. The library passes temporary objects that refer to other
    /// values and, when writing, constant values.
    template <typename T>
    RecordArchive& operator&(T&& value)
    {
        using Value = std::remove_cv_t<std::remove_reference_t<T>>;
        auto& content = const_cast<Value&>(value);
        if constexpr (IsNumber<Value>())
        {
            Copy(reinterpret_cast<char*>(&content), sizeof(content));
        }
        else if constexpr (std::is_same_v<Value, std::string>)
        {
            std::size_t size = content.size();
            operator&(size);
            if constexpr (IS_LOADING)
            {
                content.resize(m_stream ? size : 0);
            }
            Copy(content.data(), content.size());
        }
        else if constexpr (std::is_array_v<Value>)
        {
            for (auto& element : content)
            {
                operator&(element);
            }
        }
        else
        {
            boost::serialization::serialize_adl(*this, content, 0);
        }
        return *this;
    }

    /// Writes a value in the same way as operator&.
    template <typename T>
    RecordArchive& operator<<(const T& value)
    {
        return *this & value;
    }

    /// Reads a value in the same way as operator&.
    template <typename T>
    RecordArchive& operator>>(T&& value)
    {
        return *this & value;
    }

    /// @return a library version in which container elements have versions
    static unsigned get_library_version()
    {
        return UINT16_MAX;
    }

    /// Required by the library to update pointers to a moved object. Records have no pointers.
    static void reset_object_address(const void* /* moved */, const void* /* from */)
    {
    }

  private:
    void Copy(char* bytes, std::size_t size)
    {
        if constexpr (IS_LOADING)
        {
            m_stream.read(bytes, static_cast<std::streamsize>(size));
        }
        else
        {
            m_stream.write(bytes, static_cast<std::streamsize>(size));
        }
    }

    STREAM& m_stream; ///< the stream to write or read
};

/// Writes the parts in order.
template <typename... Ts>
void
SaveParts(std::ostream& os, const Ts&... parts)
{
    RecordArchive archive(os);
    (archive & ... & parts);
}

/// Reads the parts written by SaveParts().
template <typename... Ts>
void
LoadParts(std::istream& is, Ts&... parts)
{
    RecordArchive archive(is);
    (archive & ... & parts);
    NS_ABORT_MSG_IF(!is, "RankedRecord: another rank has written less than is read.");
}

/// Writes the records of this rank's own nodes.
/// @param logs pointers to the nodes' logs, each of which has a member `m_rank` with the node's
/// rank
template <typename Logs>
void
SaveOwn(std::ostream& os, const Logs& logs)
{
    for (const auto& log : logs)
    {
        if (log->m_rank == Ranks::GetRank())
        {
            SaveParts(os, *log);
        }
    }
}

/// Reads the output of SaveOwn() from another rank, which replaces the current values.
/// @param logs the logs of the same nodes
/// @param rank the rank that called SaveOwn()
template <typename Logs>
void
LoadForeign(std::istream& is, const Logs& logs, uint32_t rank)
{
    for (const auto& log : logs)
    {
        if (log->m_rank == rank)
        {
            LoadParts(is, *log);
        }
    }
}

} // namespace ns3::lossless

#endif /* LOSSLESS_RECORD_ARCHIVE_H */
