// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONNECTION_MATRIX_H
#define LOSSLESS_CONNECTION_MATRIX_H

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A connection matrix of htsim: the content of a `.cm` file, as read by csg-htsim (March 2026) and
 * by the Ultra Ethernet Consortium's uet-htsim (August 2025).
 *
 * A connection starts at a given time or when a trigger fires. Its completion at the sender and its
 * completion at the receiver may each activate a trigger.
 */
struct ConnectionMatrix
{
    /// The effect of a trigger's activations.
    enum class TriggerKind : uint8_t
    {
        ONESHOT,   ///< starts all of its connections; htsim stops at a second activation
        MULTISHOT, ///< starts one connection at each activation, in the order of the file
        BARRIER    ///< starts all of its connections at the last of a given number of activations
    };

    /// A transfer of bytes from one host to another.
    struct Connection
    {
        uint32_t source{0};      ///< host index of the sender
        uint32_t destination{0}; ///< host index of the receiver
        uint32_t id{0};          ///< unique ID, or 0 if there is none
        uint64_t startPs{0};     ///< start in picoseconds, unless a trigger starts the connection
        uint32_t trigger{0};     ///< ID of the trigger that starts it, or 0 if there is none
        uint32_t onSent{0}; ///< ID of the trigger that is activated when the sender is done, or 0
                            ///< if there is none
        uint32_t onReceived{0}; ///< ID of the trigger that is activated when the last byte arrives
                                ///< at the receiver, or 0 if there is none
        uint64_t bytes{0};      ///< payload, at least 1
        uint64_t line{0};       ///< line in the file, from 1
    };

    /// A trigger, which starts connections.
    struct Trigger
    {
        uint32_t id{0};                         ///< unique ID, at least 1
        TriggerKind kind{TriggerKind::ONESHOT}; ///< effect of its activations
        uint32_t count{0};                      ///< number of activations of a barrier, at least 1
        uint64_t line{0};                       ///< line in the file, from 1
    };

    /// A failed link from an aggregation switch to a core switch. htsim supports no other failures.
    struct Failure
    {
        uint32_t aggregationSwitch{0}; ///< number of the switch, counted pod by pod from 0
        uint32_t uplink{0};            ///< number of the link at its switch, from 0
        uint64_t line{0};              ///< line in the file, from 1
    };

    uint32_t hosts{0};                   ///< number of hosts in the network
    std::vector<Connection> connections; ///< connections in file order
    std::vector<Trigger> triggers;       ///< triggers in file order
    std::vector<Failure> failures;       ///< failures in file order
};

/// The maximum ID of a connection or trigger, and the maximum size of a connection in bytes. Each
/// is an int in htsim.
inline constexpr uint64_t MAX_HTSIM_NUMBER = 2147483647;

/// The latest start of a connection, in seconds. The number of picoseconds must fit into 63 bits.
inline constexpr int64_t MAX_START_SECONDS = 9000000;

/**
 * Reads a connection matrix.
 *
 * The first lines contain the numbers of `Nodes`, `Connections`, `Triggers` and `Failures`. The
 * last two may be omitted if there are none. A line for each connection, trigger and failure
 * follows, in any order:
 *
 *     0->5 id 1 start 0 size 2000000 send_done_trigger 1
 *     5->9 id 2 trigger 1 size 2000000
 *     trigger id 1 oneshot
 *     failure switch_type AGG switch_id 0 link_id 1
 *
 * Starts are in picoseconds, with or without decimals. The word `prio` is ignored. Receivers in
 * htsim use this word to order their senders; it is not a traffic class. Empty lines and lines that
 * begin with # are skipped everywhere, whereas htsim skips comments only before the lines for
 * connections, triggers and failures.
 *
 * Numbers out of range, unknown words, duplicates, triggers that do not exist, and wrong counts are
 * rejected. Sizes may exceed those that htsim can read.
 *
 * @throws FileComplaint with the file name and line number
 */
ConnectionMatrix ParseConnectionMatrix(std::istream& input, const std::string& fileName);

/// Writes a connection matrix that htsim and ParseConnectionMatrix() can read.
/// @param matrix the matrix, in which no size may exceed MAX_HTSIM_NUMBER
void WriteConnectionMatrix(std::ostream& output, const ConnectionMatrix& matrix);

} // namespace ns3::lossless

#endif // LOSSLESS_CONNECTION_MATRIX_H
