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
 * A distribution of flow sizes, given by points of its cumulative distribution function.
 *
 * The size is interpolated linearly between points. Points of equal size form a vertical step,
 * which means that many flows have exactly this size. Points of equal probability form a flat
 * section, which is a range of sizes that do not occur. A first probability above 0 is the fraction
 * of flows that have the first size.
 *
 * Tables from papers are compiled in; see Get(). Distributions with the same name differ widely in
 * the literature, so each table states its source. Describe() returns the name, the source and the
 * mean.
 */
class FlowSizeTable
{
  public:
    /// A point of the cumulative distribution.
    struct Point
    {
        double bytes;       ///< size of a flow
        double probability; ///< fraction of flows of at most this size
    };

    /// Creates a table. Aborts if the distribution is invalid.
    /// @param source the source of the numbers
    /// @param points the points; neither sizes nor probabilities may decrease, and the last
    /// probability must be 1
    FlowSizeTable(std::string name, std::string source, std::vector<Point> points);

    /// @param name the name of a table; for any other name, the program aborts with a list of the
    /// names
    /// @return the compiled-in table
    static FlowSizeTable Get(const std::string& name);

    /// @return an error message with the list of names if Get() would reject the name, or nothing
    static std::optional<std::string> CheckName(const std::string& name);

    /// @param bytes the size, at least 1
    /// @return a table of a single size, whose name is "fixed-" followed by the size
    static FlowSizeTable Fixed(uint64_t bytes);

    /**
     * Reads a table. Aborts if the file is malformed; the message contains the file name, the line
     * number and the allowed values.
     *
     * Each line has a size in bytes and a probability, separated by whitespace. Tables for ns-2's
     * EmpiricalRandomVariable have a third number in between, which is ignored, as in ns-2. Empty
     * lines are skipped, as is everything after a #.
     *
     * @param path the path of the file, which also serves as the name and the source of the table
     */
    static FlowSizeTable FromFile(const std::string& path);

    /// Reads the points of a table like FromFile(), but reports errors by an exception.
    /// @throws FileComplaint with the file name and line number
    static std::vector<Point> Parse(std::istream& input, const std::string& fileName);

    /// @return an error message if the points are not a distribution, or nothing
    static std::optional<std::string> CheckPoints(const std::vector<Point>& points);

    /// @return the name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return the source of the numbers
    const std::string& GetSource() const
    {
        return m_source;
    }

    /// @return the mean size in bytes, with linear interpolation
    double GetMean() const;

    /// @return the name, the source and the mean in one line
    std::string Describe() const;

    /// @param u the fraction of flows, 0 to 1
    /// @return the size in bytes that this fraction of flows does not exceed, rounded, at least 1
    uint64_t GetQuantile(double u) const;

    /// Draws a size.
    /// @param random the random variable, whose own bounds are not used
    /// @return the size in bytes, at least 1
    uint64_t Sample(const Ptr<UniformRandomVariable>& random) const;

  private:
    std::string m_name;
    std::string m_source; ///< source of the numbers
    std::vector<Point> m_points;
};

} // namespace ns3::lossless

#endif // LOSSLESS_FLOW_SIZE_TABLE_H
