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
 * A node of a Chakra execution trace: an action of one NPU. The schema is et_def.proto of
 * MLCommons' Chakra, which is identical in versions 0.0.4 and 1.0.0.
 */
struct ChakraNode
{
    /// The NodeType of the schema.
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

    uint64_t id{0};                      ///< ID, unique within the file
    std::string name;                    ///< name for human readers
    Type type{Type::METADATA};           ///< kind of node
    std::vector<uint64_t> dependencies;  ///< IDs of the nodes on which it depends, by data or
                                         ///< control
    uint64_t microSeconds{0};            ///< duration, from duration_micros
    std::optional<uint64_t> bytes;       ///< comm_size
    std::optional<uint64_t> source;      ///< comm_src
    std::optional<uint64_t> destination; ///< comm_dst
    uint64_t tag{0};                     ///< comm_tag
    std::optional<uint64_t> collective;  ///< comm_type, as CollectiveCommType of the schema
    std::string group;                   ///< pg_name; empty for all NPUs
    bool hasAllDimensions{true};         ///< true unless involved_dim excludes a dimension
    bool needsModel{false}; ///< true if num_ops or tensor_size is above 0, so that a node without a
                            ///< duration needs a model
};

/// The maximum decompressed size of an NPU's trace, in bytes.
inline constexpr uint64_t MAX_CHAKRA_BYTES = uint64_t{1} << 30;

/**
 * Reads the trace of one NPU, an `.et` file.
 *
 * The file consists of a GlobalMetadata message followed by a Node message for each node. Each
 * message is preceded by its length. The file may be compressed with gzip. Numeric attributes may
 * have values of any integer type, because the programs that write traces use different types.
 * Attributes not listed in ChakraNode are ignored.
 *
 * @param bytes the content of the file
 * @return the nodes in the order of the file
 * @throws FileComplaint with the file name and byte offset
 */
std::vector<ChakraNode> ParseChakra(const std::string& bytes, const std::string& fileName);

} // namespace ns3::lossless

#endif // LOSSLESS_CHAKRA_TRACE_H
