// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_CSV_READER_H
#define LOSSLESS_CSV_READER_H

#include "text-lines.h"

#include <cstdint>
#include <istream>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * Reads the comma-separated files of this module. They have a header line, followed by one record
 * per line.
 *
 * Blanks around fields are removed, and quotes have no special meaning. Empty lines, lines that
 * start with #, rows of empty cells and Excel's `sep=,` are skipped. Every error in the file is
 * thrown as a FileComplaint.
 *
 * Files from other programs may separate fields with spaces and have no header. For such files,
 * ReadFields() and NameFields() replace ReadHeader() and Next().
 *
 * ns3::CsvReader is not used because it silently accepts input that this module rejects. It drops
 * an empty last field, so a flow without a group looks like a truncated line. It drops quotes, any
 * text after a closing quote (`"h1"2` is read as `h1`), and everything after a # anywhere in a
 * line. It also creates an empty field for every space that is not between two words.
 */
class LosslessCsvReader
{
  public:
    /// @param input the input stream, which must outlive the reader
    /// @param separator the field separator; a space or 0 represents any amount of whitespace, and
    /// 0 also disables the recognition of other separators and of other word-based formats
    LosslessCsvReader(std::istream& input, const std::string& fileName, char separator = ',');

    /// Reads and splits the next line that is neither empty nor a comment.
    /// @return false at the end of the file
    bool ReadFields();

    /// Gives names to the fields of the current line.
    /// @param columns the names, one per field
    void NameFields(const std::vector<std::string>& columns);

    /// @return the fields of the current line
    const std::vector<std::string>& GetFields() const
    {
        return m_fields;
    }

    /// @return the number of the current line, starting at 1
    uint64_t GetLine() const
    {
        return m_lines.GetNumber();
    }

    /// Reads the header line. The columns can be in any order, and in capital letters.
    void ReadHeader(const std::vector<std::string>& required,
                    const std::vector<std::string>& optional = {});

    /// Reads the next record.
    /// @return false at the end of the file
    bool Next();

    /// @return true if the header contains the column
    bool Has(const std::string& column) const;

    /// @return the field of the current record, or an empty string if the header does not contain
    /// the column
    const std::string& Get(const std::string& column) const;

    /// @param column a column of the file
    /// @return the integer in this column of the current record
    uint64_t GetWhole(const std::string& column,
                      uint64_t least = 0,
                      uint64_t most = std::numeric_limits<uint64_t>::max()) const;

    /// Throws a FileComplaint about a field of the current record unless the condition is true.
    /// @param allowed the allowed values of the field
    void Require(bool condition, const std::string& column, const std::string& allowed) const;

    /// Throws a FileComplaint about the current line.
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    TextLines m_lines;
    std::string m_fileName;                            ///< file name for error messages
    char m_separator;                                  ///< field separator
    std::vector<std::string> m_fields;                 ///< fields of the current line
    std::unordered_map<std::string, size_t> m_columns; ///< position of each column, by name
};

} // namespace ns3::lossless

#endif // LOSSLESS_CSV_READER_H
