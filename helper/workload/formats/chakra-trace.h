// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CHAKRA_TRACE_H
#define LOSSLESS_CHAKRA_TRACE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * One node of a Chakra execution trace: what one NPU does. The schema is that of MLCommons' Chakra,
 * et_def.proto, the same in its versions 0.0.4 and 1.0.0.
 */
struct ChakraNode
{
    /// What it is, as NodeType of the schema.
    enum class Type : uint8_t
    {
        METADATA = 1,
        MEMORY_LOAD = 2,
        MEMORY_STORE = 3,
        COMPUTE = 4,
        SEND = 5,
        RECEIVE = 6,
        COLLECTIVE = 7
    };

    uint64_t id{0};                      ///< unique number within the file
    std::string name;                    ///< for people
    Type type{Type::METADATA};           ///< what it is
    std::vector<uint64_t> dependencies;  ///< ids, of data and of control
    uint64_t microSeconds{0};            ///< duration_micros
    std::optional<uint64_t> bytes;       ///< comm_size
    std::optional<uint64_t> source;      ///< comm_src
    std::optional<uint64_t> destination; ///< comm_dst
    uint64_t tag{0};                     ///< comm_tag
    std::optional<uint64_t> collective;  ///< comm_type, as CollectiveCommType of the schema
    std::string group;                   ///< pg_name; empty: all NPUs
    bool hasAllDimensions{true};         ///< whether involved_dim leaves no dimension out
    bool needsModel{false};              ///< whether num_ops or tensor_size stand for a duration
    uint64_t offset{0};                  ///< of its message in the file, decompressed
};

/// Largest trace of an NPU, in bytes once it is decompressed.
inline constexpr uint64_t MAX_CHAKRA_BYTES = uint64_t{1} << 30;

/**
 * Reads the trace of one NPU, an `.et` file, and returns the complaint.
 *
 * The file is a GlobalMetadata message and then a Node message for each node, each after its
 * length; all of it may be compressed with gzip. The attributes listed in ChakraNode are read from
 * values of any whole-numbered kind, since programs that write traces differ in these; all others
 * are passed over.
 *
 * @param bytes content of the file
 * @param fileName name used in the complaint
 * @param [out] nodes in the order of the file, untouched in case of a complaint
 * @return one sentence with the file and the offset of the byte, or nothing
 */
std::optional<std::string> ParseChakra(const std::string& bytes,
                                       const std::string& fileName,
                                       std::vector<ChakraNode>& nodes);

} // namespace ns3::lossless

#endif // LOSSLESS_CHAKRA_TRACE_H
