// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_FLOW_SIZE_TABLE_H
#define LOSSLESS_FLOW_SIZE_TABLE_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * A distribution of flow sizes, given by points of its cumulative distribution.
 *
 * The size is interpolated linearly between points. Equal sizes make a vertical step: many flows of
 * exactly that size; equal probabilities make a flat stretch: a range of sizes that does not occur.
 * A first probability above 0 is the share of flows of the first size.
 *
 * The tables of papers are compiled in, see GetNames(). Distributions of one name differ widely in
 * the literature, so each table has a source; Describe() gives name, source and mean.
 */
class FlowSizeTable
{
  public:
    /// A point of the cumulative distribution.
    struct Point
    {
        double bytes;       ///< flow size
        double probability; ///< share of flows of at most this size
    };

    /// An invalid distribution aborts.
    /// @param source of the numbers
    /// @param points neither sizes nor probabilities decrease; the last probability is 1
    FlowSizeTable(std::string name, std::string source, std::vector<Point> points);

    /// @param name one of GetNames(); another one aborts with the list of names
    /// @return the compiled-in table
    static FlowSizeTable Get(const std::string& name);

    /// @return the names of the compiled-in tables
    static std::vector<std::string> GetNames();

    /// @return one sentence with the list of names if Get() would reject a name, or nothing
    static std::optional<std::string> CheckName(const std::string& name);

    /// @param bytes at least 1
    /// @return a table of a single size, named "fixed-" and the size
    static FlowSizeTable Fixed(uint64_t bytes);

    /**
     * Reads a table; a malformed file aborts with file, line and what is allowed.
     *
     * Each line has a size in bytes and a probability, separated by blanks. Tables of ns-2's
     * EmpiricalRandomVariable have a third number in between, which is ignored, as in ns-2. Empty
     * lines and what follows a # are skipped.
     *
     * @param path also the name and the source of the table
     */
    static FlowSizeTable FromFile(const std::string& path);

    /// Reads the points of a table, as FromFile() does, but returns the error.
    /// @param [out] points unchanged after an error
    /// @return one sentence with file and line, or nothing
    static std::optional<std::string> Parse(std::istream& input,
                                            const std::string& fileName,
                                            std::vector<Point>& points);

    /// @return one sentence if the points are not a distribution, or nothing
    static std::optional<std::string> CheckPoints(const std::vector<Point>& points);

    /// @return the name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return source of the numbers
    const std::string& GetSource() const
    {
        return m_source;
    }

    /// @return mean size in bytes, with linear interpolation
    double GetMean() const;

    /// @return name, source and mean in one line
    std::string Describe() const;

    /// @param u share of flows, 0 to 1
    /// @return size in bytes that this share does not exceed, rounded, at least 1
    uint64_t GetQuantile(double u) const;

    /// Draws a size.
    /// @param random its own bounds are not used
    /// @return the size in bytes, at least 1
    uint64_t Sample(const Ptr<UniformRandomVariable>& random) const;

  private:
    std::string m_name;
    std::string m_source; ///< of the numbers
    std::vector<Point> m_points;
};

} // namespace ns3::lossless

#endif // LOSSLESS_FLOW_SIZE_TABLE_H
