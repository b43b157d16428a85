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

/// What is wrong with a file: one sentence, which begins with "file:line: ".
class CsvComplaint : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @param read reads a file, and throws the CsvComplaint about it @return the sentence, or nothing
std::optional<std::string> CatchComplaint(const std::function<void()>& read);

/**
 * Reads the comma-separated files of this module: a header line, then one record a line.
 *
 * Fields are trimmed and not quoted. Empty lines and lines that start with # are skipped. Whatever
 * is wrong with the file is thrown as a CsvComplaint.
 *
 * Files of others may have blanks between their fields, and no header: ReadFields() and
 * NameFields() take the place of ReadHeader() and Next() there.
 *
 * The fields are not split by ns3::CsvReader, which reads on where this module refuses a file, and
 * says nothing: it ends a line before an empty last field (a flow without group looks like a line
 * that is cut short), drops quotes, what follows a closing one (`"h1"2` is `h1`), and what follows
 * a # anywhere, and gives an empty field for every blank but one between two words.
 */
class LosslessCsvReader
{
  public:
    /**
     * @param input the text; must outlive the reader
     * @param fileName name used in complaints
     * @param separator what is between fields; a blank stands for any number of blanks
     */
    LosslessCsvReader(std::istream& input, const std::string& fileName, char separator = ',');

    /// Reads the next line that is neither empty nor a comment, and splits it.
    /// @return false at the end of the text
    bool ReadFields();

    /// Names the fields of the current line. @param columns their names, as many as there are
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

    /**
     * Reads the header line; columns may come in any order.
     * @param required columns that must be there
     * @param optional columns that may be there
     */
    void ReadHeader(const std::vector<std::string>& required,
                    const std::vector<std::string>& optional = {});

    /// Reads the next record. @return false at the end of the text
    bool Next();

    /// @param column its name @return whether the header names it
    bool Has(const std::string& column) const;

    /// @param column its name @return the text in the record; empty if the header does not name it
    const std::string& Get(const std::string& column) const;

    /**
     * @param column name of a column that the file has
     * @param least smallest number allowed
     * @param most largest number allowed
     * @return the whole number in the record
     */
    uint64_t GetWhole(const std::string& column,
                      uint64_t least = 0,
                      uint64_t most = std::numeric_limits<uint64_t>::max()) const;

    /**
     * Complains about a field of the record, unless a condition holds.
     * @param condition what must hold
     * @param column the column
     * @param allowed what is allowed there
     */
    void Require(bool condition, const std::string& column, const std::string& allowed) const;

    /// Complains about the current line. @param sentence what is wrong
    [[noreturn]] void Complain(const std::string& sentence) const;

  private:
    TextLines m_lines;                                 ///< the text
    std::string m_fileName;                            ///< for complaints
    char m_separator;                                  ///< between fields
    std::vector<std::string> m_fields;                 ///< of the current line
    std::unordered_map<std::string, size_t> m_columns; ///< position by name
};

} // namespace ns3::lossless

#endif // LOSSLESS_CSV_READER_H
