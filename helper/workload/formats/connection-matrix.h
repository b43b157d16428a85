// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONNECTION_MATRIX_H
#define LOSSLESS_CONNECTION_MATRIX_H

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A connection matrix of htsim, the content of its `.cm` files, as read by its csg-htsim of March
 * 2026 and the Ultra Ethernet Consortium's uet-htsim of August 2025.
 *
 * A connection starts at an instant or when a trigger fires; its end, at the sender or at the
 * receiver, may fire triggers in turn.
 */
struct ConnectionMatrix
{
    /// Effect of the activation of a trigger.
    enum class TriggerKind : uint8_t
    {
        ONESHOT,   ///< starts all of its connections; htsim stops at a second activation
        MULTISHOT, ///< starts one connection each time, in the order of the file
        BARRIER    ///< starts all of its connections at the last of a number of activations
    };

    /// Bytes from one host to another.
    struct Connection
    {
        uint32_t source{0};      ///< host index
        uint32_t destination{0}; ///< host index
        uint32_t id{0};          ///< unique; 0: none
        uint64_t startPs{0};     ///< in picoseconds, if no trigger starts it
        uint32_t trigger{0};     ///< starts it; 0: none
        uint32_t onSent{0};      ///< trigger activated when the sender is done; 0: none
        uint32_t onReceived{0};  ///< trigger activated at the receiver's last byte; 0: none
        uint64_t bytes{0};       ///< payload, at least 1
        uint64_t line{0};        ///< of the file, from 1
    };

    /// Starts connections.
    struct Trigger
    {
        uint32_t id{0};                         ///< unique, at least 1
        TriggerKind kind{TriggerKind::ONESHOT}; ///< effect of its activation
        uint32_t count{0};                      ///< activations of a barrier, at least 1
        uint64_t line{0};                       ///< of the file, from 1
    };

    /// A failed link from an aggregation switch to a core switch; htsim knows no other failures.
    struct Failure
    {
        uint32_t aggregationSwitch{0}; ///< numbered pod by pod from 0
        uint32_t uplink{0};            ///< numbered from 0 at each switch
        uint64_t line{0};              ///< of the file, from 1
    };

    uint32_t hosts{0};                   ///< of the network
    std::vector<Connection> connections; ///< in the order of the file
    std::vector<Trigger> triggers;       ///< in the order of the file
    std::vector<Failure> failures;       ///< in the order of the file
};

/// Maximum number of a connection or trigger, and maximum size of a connection in bytes: htsim
/// reads each of them as an int.
inline constexpr uint64_t MAX_HTSIM_NUMBER = 2147483647;

/// Latest start of a connection, in seconds: a matrix has picoseconds in 63 bits.
inline constexpr int64_t MAX_START_SECONDS = 9000000;

/**
 * Reads a connection matrix.
 *
 * The first lines give the numbers of `Nodes`, `Connections`, `Triggers` and `Failures`, the latter
 * two only if there are any. A line for each of these follows, in any order:
 *
 *     0->5 id 1 start 0 size 2000000 send_done_trigger 1
 *     5->9 id 2 trigger 1 size 2000000
 *     trigger id 1 oneshot
 *     failure switch_type AGG switch_id 0 link_id 1
 *
 * Starts are picoseconds, with or without decimals. `prio`, by which a receiver of htsim orders its
 * senders, is not a traffic class; it is ignored. Empty lines and lines that begin with # are
 * skipped everywhere; htsim skips the latter only before the first of those lines.
 *
 * Rejects numbers out of range, unknown words, duplicates, triggers that do not exist, and wrong
 * counts. Sizes may be larger than htsim's.
 *
 * @param [out] matrix unchanged after an error
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseConnectionMatrix(std::istream& input,
                                                 const std::string& fileName,
                                                 ConnectionMatrix& matrix);

/// Writes a connection matrix that htsim and ParseConnectionMatrix() read.
/// @param matrix sizes must not exceed MAX_HTSIM_NUMBER
void WriteConnectionMatrix(std::ostream& output, const ConnectionMatrix& matrix);

} // namespace ns3::lossless

#endif // LOSSLESS_CONNECTION_MATRIX_H
