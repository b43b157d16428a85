// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PROTOBUF_READER_H
#define LOSSLESS_PROTOBUF_READER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ns3::lossless
{

/**
 * Reads the fields of a message in Protocol Buffers' wire format.
 *
 * The format is a sequence of pairs of a tag and a value; the tag is a varint of the field's number
 * and the type of its value. Any other input is thrown as a CsvComplaint with the offset of the
 * byte in the file.
 */
class ProtobufReader
{
  public:
    /// Encoding of a value.
    enum class WireType : uint8_t
    {
        VARINT = 0,  ///< seven bits per byte, lowest first
        FIXED64 = 1, ///< eight bytes, lowest first
        BYTES = 2,   ///< a length and as many bytes: a string, a message or packed numbers
        FIXED32 = 5  ///< four bytes, lowest first
    };

    /// @param bytes the message, which must outlive the reader
    /// @param fileName for messages, must outlive the reader, too
    /// @param offset of the message in the file
    ProtobufReader(std::string_view bytes, const std::string& fileName, std::size_t offset = 0);

    /// Goes to the next field. @return false at the end of the message
    bool Next();

    /// @return number of the field
    uint32_t GetField() const
    {
        return m_field;
    }

    /// @return type of the value
    WireType GetType() const
    {
        return m_type;
    }

    /// @return value of a VARINT, FIXED64 or FIXED32; another type is an error
    uint64_t GetNumber() const;
    /// @return value of BYTES, as a string; another type is an error
    std::string_view GetText() const;
    /// @return value of BYTES, as a message; another type is an error
    ProtobufReader GetMessage() const;

    /// @return a varint read in place of a field, such as the length before a message
    uint64_t TakeVarint();
    /// @return the following bytes as a message
    ProtobufReader TakeMessage(uint64_t length);

    /// @return offset of the message in the file
    std::size_t GetOffset() const
    {
        return m_offset;
    }

    /// @return whether nothing is left
    bool IsAtEnd() const
    {
        return m_next == m_bytes.size();
    }

    /// Throws an error in the current field.
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    /// Throws an error at a place in the message.
    [[noreturn]] void ComplainAt(std::size_t place, const std::string& sentence) const;
    std::string_view TakeBytes(uint64_t length);
    /// @param length number of bytes
    uint64_t TakeFixed(std::size_t length);

    std::string_view m_bytes;
    const std::string& m_fileName; ///< for messages
    std::size_t m_offset;          ///< of the message
    std::size_t m_next{0};         ///< first byte after the field
    std::size_t m_begin{0};        ///< first byte of the field
    uint32_t m_field{0};
    WireType m_type{WireType::VARINT};
    uint64_t m_number{0};
    std::string_view m_text;
};

} // namespace ns3::lossless

#endif // LOSSLESS_PROTOBUF_READER_H
