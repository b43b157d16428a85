// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RECORD_ARCHIVE_H
#define LOSSLESS_RECORD_ARCHIVE_H

#include "ranks.h"

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <tuple>
#include <utility>

#ifdef LOSSLESS_MPI
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/serialization.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#endif

/**
 * @file
 * @ingroup lossless
 * How a RankedRecord writes and reads its parts, by Boost.Serialization: numbers, texts, times,
 * containers of them, and structures whose function Tie() gives their members as std::tie() does.
 * In a module built without MPI there is one rank, which neither writes nor reads.
 */

#ifdef LOSSLESS_MPI

/// Types that Boost.Serialization does not know, and what it calls for them.
namespace boost::serialization
{

/// @tparam Ts types of the parts @param archive of either direction @param parts all of them
template <typename Archive, typename... Ts>
void
Pass(Archive& archive, Ts&... parts)
{
    (archive & ... & parts);
}

/// @param archive of either direction @param time a time
template <typename Archive>
void
serialize(Archive& archive, ns3::Time& time, unsigned /* version */)
{
    int64_t tick = time.GetTimeStep();
    Pass(archive, tick);
    time = ns3::TimeStep(tick);
}

/// @param archive of either direction @param address an address
template <typename Archive>
void
serialize(Archive& archive, ns3::Ipv4Address& address, unsigned /* version */)
{
    uint32_t number = address.Get();
    Pass(archive, number);
    address.Set(number);
}

/// @tparam T type of the value @param archive of either direction @param value one that may be
/// missing
template <typename Archive, typename T>
void
serialize(Archive& archive, std::optional<T>& value, unsigned /* version */)
{
    bool isThere = value.has_value();
    T content = value.value_or(T());
    Pass(archive, isThere, content);
    value = isThere ? std::optional(content) : std::nullopt;
}

/// @tparam Ts types of the parts @param archive of either direction @param parts all of them
template <typename Archive, typename... Ts>
void
serialize(Archive& archive, std::tuple<Ts...>& parts, unsigned /* version */)
{
    std::apply([&archive](auto&... part) { Pass(archive, part...); }, parts);
}

/// Preferred, by its last parameter, to the library's own for structures of any kind.
/// @tparam T a structure with Tie() @param archive of either direction @param record it
template <typename Archive, typename T, typename = decltype(std::declval<T&>().Tie())>
void
serialize(Archive& archive, T& record, version_type /* version */)
{
    std::apply([&archive](auto&... part) { Pass(archive, part...); }, record.Tie());
}

} // namespace boost::serialization

#endif

namespace ns3::lossless
{

#ifdef LOSSLESS_MPI
/// Ranks are processes of one program, so that nothing need tell how an archive is laid out.
constexpr unsigned ARCHIVE_FLAGS = boost::archive::no_header | boost::archive::no_codecvt;
#endif

/// Writes parts one after the other. @param os where to @param parts all that LoadParts() reads
template <typename... Ts>
void
SaveParts([[maybe_unused]] std::ostream& os, [[maybe_unused]] const Ts&... parts)
{
#ifdef LOSSLESS_MPI
    boost::archive::binary_oarchive archive(os, ARCHIVE_FLAGS);
    (archive << ... << parts);
#endif
}

/// Reads parts one after the other. @param is where from @param parts as SaveParts() was given them
template <typename... Ts>
void
LoadParts([[maybe_unused]] std::istream& is, [[maybe_unused]] Ts&... parts)
{
#ifdef LOSSLESS_MPI
    boost::archive::binary_iarchive archive(is, ARCHIVE_FLAGS);
    (archive >> ... >> parts);
#endif
}

/// Writes what was recorded at own nodes. @param os where to @param logs of nodes, each behind a
/// pointer; their member `m_rank` is Ranks::GetRankOf() the node
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

/// Reads what SaveOwn() has written elsewhere, which takes the place of what is there.
/// @param is where from @param logs of the same nodes @param rank where it was written
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
