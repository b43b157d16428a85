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
 * Between two points the size is interpolated linearly. Equal sizes make a vertical step, that is
 * many flows of exactly that size; equal probabilities make a flat stretch, a range of sizes that
 * does not occur. A first probability above 0 is the share of flows of the first size.
 *
 * The tables that papers use are compiled in, see GetNames. Distributions of one name differ
 * widely in the literature, hence each table has a source; Describe gives name, source and mean.
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

    /**
     * Points that are no distribution abort.
     * @param name name of the table
     * @param source where the numbers are from
     * @param points sizes and probabilities, neither decreasing, the last probability 1
     */
    FlowSizeTable(std::string name, std::string source, std::vector<Point> points);

    /// Gets a compiled-in table; an unknown name aborts with the list of names. @param name one of
    /// GetNames @return the table
    static FlowSizeTable Get(const std::string& name);

    /// @return the names of the compiled-in tables
    static std::vector<std::string> GetNames();

    /// Says why Get would refuse a name. @param name the name @return one sentence with the list of
    /// names, or nothing
    static std::optional<std::string> CheckName(const std::string& name);

    /// Makes a table of a single size. @param bytes the size, at least 1 @return the table, named
    /// "fixed-" and the size
    static FlowSizeTable Fixed(uint64_t bytes);

    /**
     * Reads a table; a malformed file aborts with file, line and what is allowed.
     *
     * Each line holds a size in bytes and a probability, separated by blanks; tables of ns-2's
     * EmpiricalRandomVariable have a third number between, which ns-2 passes over as well. Empty
     * lines and what follows a # are skipped.
     *
     * @param path the file; also the name and the source of the table
     * @return the table
     */
    static FlowSizeTable FromFile(const std::string& path);

    /**
     * Reads the points of a table, as FromFile does, and returns the complaint.
     * @param input the text
     * @param fileName name used in the complaint
     * @param [out] points the points, untouched in case of a complaint
     * @return one sentence with file and line, or nothing
     */
    static std::optional<std::string> Parse(std::istream& input,
                                            const std::string& fileName,
                                            std::vector<Point>& points);

    /// Says why points are no distribution. @param points the points @return one sentence, or
    /// nothing
    static std::optional<std::string> CheckPoints(const std::vector<Point>& points);

    /// @return the name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return where the numbers are from
    const std::string& GetSource() const
    {
        return m_source;
    }

    /// @return the mean size in bytes of the linear interpolation
    double GetMean() const;

    /// @return name, source and mean in one line
    std::string Describe() const;

    /// Gets the size that a share of the flows does not exceed. @param u the share, 0 to 1 @return
    /// the size in bytes, to the nearest whole number and at least 1
    uint64_t GetQuantile(double u) const;

    /// Draws a size. @param random source of randomness; its own bounds are not used @return the
    /// size in bytes, at least 1
    uint64_t Sample(const Ptr<UniformRandomVariable>& random) const;

  private:
    std::string m_name;          ///< name
    std::string m_source;        ///< where the numbers are from
    std::vector<Point> m_points; ///< the distribution
};

} // namespace ns3::lossless

#endif // LOSSLESS_FLOW_SIZE_TABLE_H
