// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PROTOBUF_READER_H
#define LOSSLESS_PROTOBUF_READER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::lossless
{

/**
 * Reads the fields of a message in the Protocol Buffers wire format.
 *
 * A message is a sequence of fields, each of which consists of a tag and a value. A tag is a varint
 * that contains the field's number and the type of its value. If the input is malformed, the reader
 * throws a FileComplaint with the offset of the offending byte in the file.
 */
class ProtobufReader
{
  public:
    /// The encoding of a value.
    enum class WireType : uint8_t
    {
        VARINT = 0,  ///< seven bits per byte, lowest first
        FIXED64 = 1, ///< eight bytes, lowest first
        BYTES = 2,   ///< a length and that number of bytes: a string, a message or packed numbers
        FIXED32 = 5  ///< four bytes, lowest first
    };

    /// @param bytes the message, which must outlive the reader
    /// @param fileName the name of the file, for error messages; this string must also outlive the
    /// reader
    /// @param offset the offset of the message in the file
    ProtobufReader(std::string_view bytes, const std::string& fileName, std::size_t offset = 0);

    /// Advances to the next field.
    /// @return false at the end of the message
    bool Next();

    /// @return the number of the field
    uint32_t GetField() const
    {
        return m_field;
    }

    /// @return the type of the value
    WireType GetType() const
    {
        return m_type;
    }

    /// @return the value of a VARINT, FIXED64 or FIXED32; any other type is an error
    uint64_t GetNumber() const;
    /// @return the value of BYTES as a string; any other type is an error
    std::string_view GetText() const;
    /// @return the value of BYTES as a message; any other type is an error
    ProtobufReader GetMessage() const;

    /// @return a varint that is not part of a field, such as the length before a message
    uint64_t TakeVarint();
    /// @return the next bytes as a message
    ProtobufReader TakeMessage(uint64_t length);

    /// @return true if the whole message has been read
    bool IsAtEnd() const
    {
        return m_next == m_bytes.size();
    }

    /// Throws an error about the current field.
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    /// Throws an error about a position in the message.
    [[noreturn]] void ComplainAt(std::size_t place, const std::string& sentence) const;
    std::string_view TakeBytes(uint64_t length);
    /// @param length the number of bytes
    uint64_t TakeFixed(std::size_t length);

    std::string_view m_bytes;
    const std::string& m_fileName; ///< name of the file, for error messages
    std::size_t m_offset;          ///< offset of the message in the file
    std::size_t m_next{0};         ///< offset of the first byte after the field
    std::size_t m_begin{0};        ///< offset of the first byte of the field
    uint32_t m_field{0};
    WireType m_type{WireType::VARINT};
    uint64_t m_number{0};
    std::string_view m_text;
};

} // namespace ns3::lossless

#endif // LOSSLESS_PROTOBUF_READER_H
