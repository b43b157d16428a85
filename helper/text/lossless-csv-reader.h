// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_CSV_READER_H
#define LOSSLESS_CSV_READER_H

#include "text-lines.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @brief Reads the comma-separated files of this module: a header line, then one record a line.
 *
 * Fields are trimmed and not quoted. Empty lines and lines that start with # are skipped. All
 * complaints begin with "file:line: ".
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
     * @brief Constructor.
     * @param input the text; must outlive the reader
     * @param fileName name used in complaints
     * @param separator what is between fields; a blank stands for any number of blanks
     */
    LosslessCsvReader(std::istream& input, std::string fileName, char separator = ',');

    /**
     * @brief Read the next line that is neither empty nor a comment, and split it.
     * @return false at the end of the text, or if it is none, which GetError tells apart
     */
    bool ReadFields();

    /**
     * @brief Name the fields of the current line.
     * @param columns their names
     * @return a complaint if it has more or fewer of them
     */
    std::optional<std::string> NameFields(const std::vector<std::string>& columns);

    /// @return the fields of the current line
    const std::vector<std::string>& GetFields() const;

    /**
     * @brief Read the header line; columns may come in any order.
     * @param required columns that must be there
     * @param optional columns that may be there
     * @return a complaint, or nothing
     */
    std::optional<std::string> ReadHeader(const std::vector<std::string>& required,
                                          const std::vector<std::string>& optional = {});

    /**
     * @brief Read the next record.
     * @return false at the end of the text or after a record with a wrong number of fields, which
     * GetError tells apart
     */
    bool Next();

    /// @return the complaint that ended Next or ReadFields early, if any
    const std::optional<std::string>& GetError() const;

    /**
     * @brief Tell whether the file has a column.
     * @param column its name
     * @return true if the header names it
     */
    bool Has(const std::string& column) const;

    /**
     * @brief Get a field of the record.
     * @param column name of a column that the file has
     * @return the text
     */
    const std::string& Get(const std::string& column) const;

    /**
     * @brief Make a complaint about the current line.
     * @param column the column
     * @param allowed what is allowed there
     * @return one sentence with file, line, column and the value found
     */
    std::string Complain(const std::string& column, const std::string& allowed) const;

    /**
     * @brief Make a complaint about the current line.
     * @param sentence what is wrong
     * @return the sentence after file and line
     */
    std::string Complain(const std::string& sentence) const;

    /**
     * @brief Read a whole text as a decimal number.
     * @param text the text
     * @return the number, or nothing if the text is anything else
     */
    static std::optional<double> ToDouble(const std::string& text);

    /**
     * @brief Read a whole text as an unsigned integer.
     * @param text the text
     * @return the number, or nothing if the text is anything else or out of range
     */
    static std::optional<uint64_t> ToUint(const std::string& text);

  private:
    TextLines m_lines;                                 //!< the text
    std::string m_fileName;                            //!< for complaints
    char m_separator;                                  //!< between fields
    std::vector<std::string> m_fields;                 //!< of the current line
    std::unordered_map<std::string, size_t> m_columns; //!< position by name
    std::optional<std::string> m_error;                //!< what ended Next or ReadFields
};

} // namespace ns3::lossless

#endif // LOSSLESS_CSV_READER_H
