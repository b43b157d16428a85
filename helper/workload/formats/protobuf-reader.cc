// SPDX-License-Identifier: GPL-2.0-only
#include "protobuf-reader.h"

#include "ns3/text-lines.h"

namespace ns3::lossless
{

ProtobufReader::ProtobufReader(std::string_view bytes,
                               const std::string& fileName,
                               std::size_t offset)
    : m_bytes(bytes),
      m_fileName(fileName),
      m_offset(offset)
{
}

void
ProtobufReader::ComplainAt(std::size_t place, const std::string& sentence) const
{
    throw FileComplaint(m_fileName + ": at byte " + std::to_string(m_offset + place) + ": " +
                        sentence);
}

void
ProtobufReader::Complain(const std::string& sentence) const
{
    ComplainAt(m_begin, sentence);
}

uint64_t
ProtobufReader::TakeVarint()
{
    const std::size_t begin = m_next;
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7)
    {
        if (IsAtEnd())
        {
            ComplainAt(begin, "a number begins here whose end is missing");
        }
        const auto byte = static_cast<uint8_t>(m_bytes[m_next++]);
        const bool isLast = byte < 0x80;
        // The tenth byte contributes only one bit.
        if (shift == 63 && byte > 1)
        {
            ComplainAt(begin, "a number begins here that has more than 64 bits");
        }
        number |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (isLast)
        {
            return number;
        }
    }
}

uint64_t
ProtobufReader::TakeFixed(std::size_t length)
{
    uint64_t number = 0;
    unsigned shift = 0;
    for (const char byte : TakeBytes(length))
    {
        number |= static_cast<uint64_t>(static_cast<uint8_t>(byte)) << shift;
        shift += 8;
    }
    return number;
}

std::string_view
ProtobufReader::TakeBytes(uint64_t length)
{
    const std::size_t left = m_bytes.size() - m_next;
    if (length > left)
    {
        ComplainAt(m_next,
                   std::to_string(length) + " bytes should follow, but there are " +
                       std::to_string(left));
    }
    const std::string_view bytes = m_bytes.substr(m_next, length);
    m_next += length;
    return bytes;
}

ProtobufReader
ProtobufReader::TakeMessage(uint64_t length)
{
    const std::size_t begin = m_next;
    return {TakeBytes(length), m_fileName, m_offset + begin};
}

bool
ProtobufReader::Next()
{
    if (IsAtEnd())
    {
        return false;
    }
    m_begin = m_next;
    const uint64_t tag = TakeVarint();
    const uint64_t field = tag >> 3;
    // Field numbers have at most 29 bits.
    if (field == 0 || field >= uint64_t{1} << 29)
    {
        Complain("the number of a field is " + std::to_string(field) +
                 "; the file is not a message of Protocol Buffers");
    }
    m_field = static_cast<uint32_t>(field);
    m_type = static_cast<WireType>(tag & 7);
    switch (m_type)
    {
    case WireType::VARINT:
        m_number = TakeVarint();
        return true;
    case WireType::FIXED64:
        m_number = TakeFixed(8);
        return true;
    case WireType::FIXED32:
        m_number = TakeFixed(4);
        return true;
    case WireType::BYTES:
        m_text = TakeBytes(TakeVarint());
        return true;
    }
    Complain("field " + std::to_string(m_field) + " has the type " + std::to_string(tag & 7) +
             "; allowed are 0, 1, 2 and 5");
}

uint64_t
ProtobufReader::GetNumber() const
{
    if (m_type == WireType::BYTES)
    {
        Complain("field " + std::to_string(m_field) + " is a text or message, not a number");
    }
    return m_number;
}

std::string_view
ProtobufReader::GetText() const
{
    if (m_type != WireType::BYTES)
    {
        Complain("field " + std::to_string(m_field) + " is a number, not a text or message");
    }
    return m_text;
}

ProtobufReader
ProtobufReader::GetMessage() const
{
    const std::string_view text = GetText();
    return {text, m_fileName, m_offset + static_cast<std::size_t>(text.data() - m_bytes.data())};
}

} // namespace ns3::lossless
