// SPDX-License-Identifier: GPL-2.0-only
#include "chakra-trace.h"

#include "gzip-reader.h"
#include "protobuf-reader.h"

#include "ns3/foreign-format.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_set>

namespace ns3::lossless
{

namespace
{

/// The value of an attribute, if its type is one of those used in this file.
struct AttributeValue
{
    std::optional<uint64_t> number;            ///< value of any integer type
    std::optional<std::string_view> text;      ///< text, from string_val
    std::optional<std::vector<uint64_t>> list; ///< list, from bool_list
};

/// The fields of AttributeProto in the schema. The values of integers have odd numbers from INT32
/// to BOOL, and the lists have even ones.
enum AttributeField : uint32_t
{
    ATTRIBUTE_NAME = 1,
    INT32 = 7,
    INT64 = 9,
    SINT32 = 15,
    SINT64 = 17,
    SFIXED32 = 23,
    SFIXED64 = 25,
    BOOL = 27,
    BOOL_LIST = 28,
    STRING = 29
};

/// The fields of Node in the schema.
enum NodeField : uint32_t
{
    ID = 1,
    NAME = 2,
    TYPE = 3,
    CONTROL_DEPENDENCIES = 4,
    DATA_DEPENDENCIES = 5,
    DURATION = 7,
    ATTRIBUTE = 10
};

/// @param reader a reader whose current field contains integers, packed or not
/// @param [out] numbers the list to which the integers are added
void
ReadNumbers(const ProtobufReader& reader, std::vector<uint64_t>& numbers)
{
    if (reader.GetType() != ProtobufReader::WireType::BYTES)
    {
        numbers.push_back(reader.GetNumber());
        return;
    }
    ProtobufReader packed = reader.GetMessage();
    while (!packed.IsAtEnd())
    {
        numbers.push_back(packed.TakeVarint());
    }
}

/// @return the value of a field of any integer type
uint64_t
ReadNumber(const ProtobufReader& reader)
{
    const uint64_t raw = reader.GetNumber();
    bool isNegative = false;
    uint64_t number = raw;
    switch (reader.GetField())
    {
    case SINT32:
    case SINT64: // zigzag: 0, -1, 1, -2, ...
        isNegative = (raw & 1) != 0;
        number = raw / 2;
        break;
    case SFIXED32:
        isNegative = raw > static_cast<uint64_t>(std::numeric_limits<int32_t>::max());
        break;
    case INT32:
    case INT64:
    case SFIXED64:
        isNegative = raw > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        break;
    default:
        break;
    }
    if (isNegative)
    {
        reader.Complain("an attribute is negative");
    }
    return number;
}

/// @param reader a reader of an AttributeProto message
AttributeValue
ReadValue(ProtobufReader& reader)
{
    AttributeValue value;
    while (reader.Next())
    {
        const uint32_t field = reader.GetField();
        if (field >= INT32 && field <= BOOL && field % 2 == 1)
        {
            value.number = ReadNumber(reader);
        }
        else if (field == BOOL_LIST)
        {
            value.list.emplace();
            for (ProtobufReader list = reader.GetMessage(); list.Next();)
            {
                ReadNumbers(list, *value.list);
            }
        }
        else if (field == STRING)
        {
            value.text = reader.GetText();
        }
    }
    return value;
}

/// @param reader a reader of an AttributeProto message
std::string_view
ReadAttributeName(ProtobufReader reader)
{
    std::string_view name;
    while (reader.Next())
    {
        if (reader.GetField() == ATTRIBUTE_NAME)
        {
            name = reader.GetText();
        }
    }
    return name;
}

/// Sets the member that corresponds to an attribute, if there is one. The values of other
/// attributes are not read.
/// @param reader a reader of the attribute
void
SetAttribute(std::string_view name, ProtobufReader& reader, ChakraNode& node)
{
    const auto require = [&](auto kind, const std::string& kindName) {
        const AttributeValue value = ReadValue(reader);
        if (!(value.*kind))
        {
            reader.Complain("the attribute " + std::string(name) + " of node " +
                            std::to_string(node.id) + " has no " + kindName);
        }
        return *(value.*kind);
    };
    const auto getNumber = [&] { return require(&AttributeValue::number, "whole number"); };
    static const std::map<std::string_view, std::optional<uint64_t> ChakraNode::*> numbers{
        {"comm_size", &ChakraNode::bytes},
        {"comm_src", &ChakraNode::source},
        {"comm_dst", &ChakraNode::destination},
        {"comm_type", &ChakraNode::collective}};
    if (const auto member = numbers.find(name); member != numbers.end())
    {
        node.*member->second = getNumber();
    }
    else if (name == "comm_tag")
    {
        node.tag = getNumber();
    }
    else if (name == "pg_name")
    {
        node.group = std::string(require(&AttributeValue::text, "text"));
    }
    else if (name == "involved_dim")
    {
        const auto list = require(&AttributeValue::list, "list of booleans");
        node.hasAllDimensions &= std::count(list.begin(), list.end(), 0) == 0;
    }
    else if (name == "num_ops" || name == "tensor_size")
    {
        node.needsModel = node.needsModel || getNumber() > 0;
    }
}

/// @param reader a reader whose current field belongs to Node
void
ReadNodeField(const ProtobufReader& reader, ChakraNode& node)
{
    switch (reader.GetField())
    {
    case NAME:
        node.name = std::string(reader.GetText());
        break;
    case TYPE: {
        const uint64_t type = reader.GetNumber();
        if (type < static_cast<uint64_t>(ChakraNode::Type::METADATA) ||
            type > static_cast<uint64_t>(ChakraNode::Type::COLLECTIVE))
        {
            reader.Complain("node " + std::to_string(node.id) + " has the type " +
                            std::to_string(type) + "; allowed is 1 to 7");
        }
        node.type = static_cast<ChakraNode::Type>(type);
        break;
    }
    case CONTROL_DEPENDENCIES:
    case DATA_DEPENDENCIES:
        ReadNumbers(reader, node.dependencies);
        break;
    case DURATION:
        node.microSeconds = reader.GetNumber();
        break;
    case ATTRIBUTE: {
        ProtobufReader attribute = reader.GetMessage();
        SetAttribute(ReadAttributeName(attribute), attribute, node);
        break;
    }
    default:
        break;
    }
}

/// @param reader a reader of a Node message
ChakraNode
ReadNode(ProtobufReader reader)
{
    ChakraNode node;
    bool hasType = false;
    // The ID is read first, because error messages contain it. It is 0 if absent.
    for (ProtobufReader ids = reader; ids.Next();)
    {
        node.id = ids.GetField() == ID ? ids.GetNumber() : node.id;
        hasType = hasType || ids.GetField() == TYPE;
    }
    if (!hasType)
    {
        reader.Complain("node " + std::to_string(node.id) + " has no type");
    }
    while (reader.Next())
    {
        ReadNodeField(reader, node);
    }
    return node;
}

/// Checks the GlobalMetadata, which is not otherwise used.
void
CheckMetadata(ProtobufReader reader)
{
    constexpr uint32_t VERSION = 1;
    constexpr uint32_t ATTRIBUTES = 2;
    while (reader.Next())
    {
        const bool isKnown = reader.GetField() == VERSION || reader.GetField() == ATTRIBUTES;
        if (!isKnown || reader.GetType() != ProtobufReader::WireType::BYTES)
        {
            reader.Complain("the first message is not a GlobalMetadata, with which Chakra's traces "
                            "begin");
        }
    }
}

/// @param content the decompressed content of a file
std::vector<ChakraNode>
ReadNodes(const std::string& content, const std::string& fileName)
{
    const auto require = [&fileName](bool holds, const std::string& sentence) {
        if (!holds)
        {
            throw FileComplaint(fileName + ": " + sentence);
        }
    };
    require(content.size() <= MAX_CHAKRA_BYTES,
            "the file has more than " + std::to_string(MAX_CHAKRA_BYTES) +
                " bytes, which is the most");
    const std::string standIn = RecognizeStandIn(content);
    require(standIn.empty(), standIn);
    ProtobufReader reader(content, fileName);
    require(!reader.IsAtEnd(), "the file is empty; a Chakra trace begins with GlobalMetadata");
    // A binary trace contains control characters, such as the tags of node types.
    const bool isBinary = std::any_of(content.begin(), content.end(), [](unsigned char byte) {
        return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte > 0x7e;
    });
    require(isBinary, "a Chakra trace is binary, but this file is a text");
    CheckMetadata(reader.TakeMessage(reader.TakeVarint()));
    std::vector<ChakraNode> nodes;
    std::unordered_set<uint64_t> ids;
    while (!reader.IsAtEnd())
    {
        const uint64_t length = reader.TakeVarint();
        const ProtobufReader message = reader.TakeMessage(length);
        nodes.push_back(ReadNode(message));
        if (!ids.insert(nodes.back().id).second)
        {
            message.Complain("node " + std::to_string(nodes.back().id) + " is there twice");
        }
    }
    return nodes;
}

} // namespace

std::vector<ChakraNode>
ParseChakra(const std::string& bytes, const std::string& fileName)
{
    return ReadNodes(IsGzip(bytes) ? Decompress(bytes, fileName, MAX_CHAKRA_BYTES) : bytes,
                     fileName);
}

} // namespace ns3::lossless
