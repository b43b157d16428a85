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
 * and of the type of its value. What is no such sequence is thrown as a CsvComplaint with the
 * offset of the byte in the file.
 */
class ProtobufReader
{
  public:
    /// How a value is encoded.
    enum class WireType : uint8_t
    {
        VARINT = 0,  ///< seven bits a byte, the lowest first
        FIXED64 = 1, ///< eight bytes, the lowest first
        BYTES = 2,   ///< a length and as many bytes: a text, a message or packed numbers
        FIXED32 = 5  ///< four bytes, the lowest first
    };

    /// @param bytes the message, which must outlive the reader @param fileName for complaints, must
    /// outlive the reader, too @param offset of the message in the file
    ProtobufReader(std::string_view bytes, const std::string& fileName, std::size_t offset = 0);

    /// Goes to the next field. @return false at the end of the message
    bool Next();

    /// @return number of the field
    uint32_t GetField() const
    {
        return m_field;
    }

    /// @return type of its value
    WireType GetType() const
    {
        return m_type;
    }

    /// @return its value, a number: of a VARINT, FIXED64 or FIXED32; any other is complained about
    uint64_t GetNumber() const;
    /// @return its value, a text: of BYTES; any other is complained about
    std::string_view GetText() const;
    /// @return its value, a message: of BYTES; any other is complained about
    ProtobufReader GetMessage() const;

    /// Reads a varint where a field would be, as lengths before messages are. @return it
    uint64_t TakeVarint();
    /// Takes the bytes that follow as a message. @param length number of bytes @return the message
    ProtobufReader TakeMessage(uint64_t length);

    /// @return place of the message in the file
    std::size_t GetOffset() const
    {
        return m_offset;
    }

    /// @return whether nothing is left
    bool IsAtEnd() const
    {
        return m_next == m_bytes.size();
    }

    /// Complains about the current field. @param sentence what is wrong
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    /// Complains. @param place in the message @param sentence what is wrong
    [[noreturn]] void ComplainAt(std::size_t place, const std::string& sentence) const;
    /// Takes bytes. @param length number of them @return them
    std::string_view TakeBytes(uint64_t length);
    /// Takes a number. @param length number of bytes @return it
    uint64_t TakeFixed(std::size_t length);

    std::string_view m_bytes;          ///< the message
    const std::string& m_fileName;     ///< for complaints
    std::size_t m_offset;              ///< of the message
    std::size_t m_next{0};             ///< byte that follows the field
    std::size_t m_begin{0};            ///< of the field
    uint32_t m_field{0};               ///< see GetField()
    WireType m_type{WireType::VARINT}; ///< see GetType()
    uint64_t m_number{0};              ///< see GetNumber()
    std::string_view m_text;           ///< see GetText()
};

} // namespace ns3::lossless

#endif // LOSSLESS_PROTOBUF_READER_H
