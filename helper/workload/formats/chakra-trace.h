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
 * A node of a Chakra execution trace: an action of one NPU. The schema is that of MLCommons'
 * Chakra, et_def.proto, identical in its versions 0.0.4 and 1.0.0.
 */
struct ChakraNode
{
    /// NodeType of the schema.
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

    uint64_t id{0};                      ///< unique within the file
    std::string name;                    ///< for people
    Type type{Type::METADATA};           ///< kind of node
    std::vector<uint64_t> dependencies;  ///< ids, by data and control
    uint64_t microSeconds{0};            ///< duration_micros
    std::optional<uint64_t> bytes;       ///< comm_size
    std::optional<uint64_t> source;      ///< comm_src
    std::optional<uint64_t> destination; ///< comm_dst
    uint64_t tag{0};                     ///< comm_tag
    std::optional<uint64_t> collective;  ///< comm_type, as CollectiveCommType of the schema
    std::string group;                   ///< pg_name; empty: all NPUs
    bool hasAllDimensions{true};         ///< involved_dim excludes no dimension
    bool needsModel{false};              ///< num_ops or tensor_size instead of a duration
    uint64_t offset{0};                  ///< of its message in the file, decompressed
};

/// Maximum decompressed size of an NPU's trace, in bytes.
inline constexpr uint64_t MAX_CHAKRA_BYTES = uint64_t{1} << 30;

/**
 * Reads the trace of one NPU, an `.et` file.
 *
 * The file is a GlobalMetadata message followed by a Node message for each node, each preceded by
 * its length; the file may be compressed with gzip. The attributes listed in ChakraNode are read
 * from values of any integer type, because programs that write traces differ in these; all others
 * are ignored.
 *
 * @param bytes content of the file
 * @param [out] nodes in the order of the file, unchanged after an error
 * @return one sentence with the file and the offset of the byte, or nothing
 */
std::optional<std::string> ParseChakra(const std::string& bytes,
                                       const std::string& fileName,
                                       std::vector<ChakraNode>& nodes);

} // namespace ns3::lossless

#endif // LOSSLESS_CHAKRA_TRACE_H
