// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_CSV_READER_H
#define LOSSLESS_CSV_READER_H

#include "text-lines.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/// Error in a file: one sentence that begins with "file:line: ".
class CsvComplaint : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @param read reads a file, and may throw a CsvComplaint
/// @return its sentence, or nothing
std::optional<std::string> CatchComplaint(const std::function<void()>& read);

/**
 * Reads the comma-separated files of this module: a header line, then one record per line.
 *
 * Fields are trimmed and not quoted. Empty lines and lines that start with # are skipped. Any error
 * in the file is thrown as a CsvComplaint.
 *
 * Foreign files may separate fields by blanks and lack a header: ReadFields() and NameFields() then
 * replace ReadHeader() and Next().
 *
 * ns3::CsvReader does not suit, because it silently accepts what this module rejects: it ends a
 * line before an empty last field (a flow without group looks like a truncated line), drops quotes,
 * what follows a closing one (`"h1"2` is `h1`), and what follows a # anywhere, and gives an empty
 * field for every blank except one between two words.
 */
class LosslessCsvReader
{
  public:
    /// @param input must outlive the reader
    /// @param separator between fields; a blank means any number of blanks
    LosslessCsvReader(std::istream& input, const std::string& fileName, char separator = ',');

    /// Reads and splits the next line that is neither empty nor a comment.
    /// @return false at the end of the text
    bool ReadFields();

    /// Names the fields of the current line. @param columns as many as there are fields
    void NameFields(const std::vector<std::string>& columns);

    /// @return the fields of the current line
    const std::vector<std::string>& GetFields() const
    {
        return m_fields;
    }

    /// @return number of the current line, from 1
    uint64_t GetLine() const
    {
        return m_lines.GetNumber();
    }

    /// Reads the header line, with columns in any order.
    void ReadHeader(const std::vector<std::string>& required,
                    const std::vector<std::string>& optional = {});

    /// Reads the next record. @return false at the end of the text
    bool Next();

    /// @return whether the header names the column
    bool Has(const std::string& column) const;

    /// @return field of the record; empty if the header does not name the column
    const std::string& Get(const std::string& column) const;

    /// @param column one that the file has
    /// @return the integer in the record
    uint64_t GetWhole(const std::string& column,
                      uint64_t least = 0,
                      uint64_t most = std::numeric_limits<uint64_t>::max()) const;

    /// Complains about a field of the record unless a condition holds.
    /// @param allowed values of the field
    void Require(bool condition, const std::string& column, const std::string& allowed) const;

    /// Complains about the current line.
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    TextLines m_lines;
    std::string m_fileName;                            ///< for messages
    char m_separator;                                  ///< between fields
    std::vector<std::string> m_fields;                 ///< of the current line
    std::unordered_map<std::string, size_t> m_columns; ///< position by name
};

} // namespace ns3::lossless

#endif // LOSSLESS_CSV_READER_H
