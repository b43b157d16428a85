// SPDX-License-Identifier: GPL-2.0-only

#include "flow-size-table.h"

#include "flow-list.h"

#include "ns3/abort.h"
#include "ns3/named-choices.h"
#include "ns3/quantity-text.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

using Point = FlowSizeTable::Point;

struct BuiltIn
{
    std::string name;   ///< name, as passed to FlowSizeTable::Get()
    std::string source; ///< source of the numbers
    std::vector<Point> points;
};

// Points share lines here, so that a table can be seen as a whole.
// clang-format off
const std::vector<BuiltIn> TABLES{
    {"websearch",
     "Alizadeh et al., DCTCP, SIGCOMM 2010, as tabulated in pFabric, SIGCOMM 2013",
     {{0, 0}, {10000, 0.15}, {20000, 0.2}, {30000, 0.3}, {50000, 0.4}, {80000, 0.53}, {200000, 0.6},
      {1000000, 0.7}, {2000000, 0.8}, {5000000, 0.9}, {10000000, 0.97}, {30000000, 1}}},
    {"datamining",
     "Greenberg et al., VL2, SIGCOMM 2009, version with a 1 GB tail",
     {{0, 0}, {180, 0.1}, {216, 0.2}, {560, 0.3}, {900, 0.4}, {1100, 0.5}, {1870, 0.6}, {3160, 0.7},
      {10000, 0.8}, {400000, 0.9}, {3160000, 0.95}, {100000000, 0.98}, {1000000000, 1}}},
    {"datamining-opera",
     "Greenberg et al., VL2, SIGCOMM 2009, digitised again for the Opera, PowerTCP and ABM "
     "simulators",
     {{100, 0}, {180, 0.085}, {250, 0.14}, {560, 0.33}, {900, 0.47}, {1100, 0.55}, {1870, 0.65},
      {3160, 0.7}, {10000, 0.8}, {100001, 0.874}, {400000, 0.9}, {1850000, 0.95}, {10000000, 0.97},
      {30000000, 0.98}, {100000000, 0.99}, {250000000, 0.995}, {1000000000, 1}}},
    {"hadoop",
     "Roy et al., SIGCOMM 2015, all Hadoop traffic, as in the HPCC simulator",
     {{0, 0}, {100, 0.01}, {200, 0.02}, {300, 0.05}, {350, 0.15}, {400, 0.2}, {500, 0.3},
      {600, 0.4}, {700, 0.5}, {1000, 0.6}, {2000, 0.67}, {7000, 0.7}, {30000, 0.72}, {50000, 0.82},
      {80000, 0.87}, {120000, 0.9}, {300000, 0.95}, {1000000, 0.975}, {2000000, 0.99},
      {10000000, 1}}},
    {"hadoop-interrack",
     "Roy et al., SIGCOMM 2015, Hadoop traffic between racks only",
     {{325, 0}, {1177, 0.01728594}, {4264, 0.022426176}, {15443, 0.027658305}, {28000, 0.06},
      {37323, 0.104879491}, {51067, 0.335908276}, {74908, 0.515476971}, {93293, 0.641894623},
      {141819, 0.772500294}, {237853, 0.889446481}, {573344, 0.957208265}, {2076744, 0.965639401},
      {7521945, 0.9687178}, {27244995, 0.974237092}, {98686787, 0.983862831}, {223092956, 1}}},
    {"cache",
     "Roy et al., SIGCOMM 2015, cache follower",
     {{70, 0}, {70, 0.01}, {150, 0.015}, {150, 0.04}, {300, 0.08}, {350, 0.1}, {350, 0.19},
      {450, 0.2}, {500, 0.28}, {600, 0.3}, {700, 0.35}, {1100, 0.4}, {2000, 0.42}, {10000, 0.48},
      {30000, 0.5}, {100000, 0.52}, {200000, 0.6}, {400000, 0.68}, {600000, 0.7}, {1500000, 0.701},
      {2000000, 0.8}, {2400000, 0.9}, {3000000, 1}}},
    {"webserver",
     "Roy et al., SIGCOMM 2015, web server",
     {{150, 0}, {300, 0.12}, {300, 0.2}, {600, 0.2}, {1000, 0.3}, {2000, 0.4}, {3100, 0.5},
      {6000, 0.6}, {20000, 0.71}, {60000, 0.8}, {150000, 0.82}, {300000, 0.9}, {500000, 1}}},
    {"grpc",
     "Montazeri et al., Homa, SIGCOMM 2018, workload W3 (all Google RPCs), thinned to 55 "
     "points",
     {{0, 0}, {3, 0.0648826}, {32, 0.0973239}, {40, 0.120503}, {53, 0.143681}, {70, 0.187988},
      {85, 0.253422}, {110, 0.318856}, {146, 0.388155}, {186, 0.443028}, {256, 0.497901},
      {313, 0.602272}, {402, 0.706643}, {512, 0.784921}, {652, 0.818469}, {843, 0.846426},
      {1084, 0.868273}, {1418, 0.888568}, {1843, 0.903788}, {2341, 0.915385}, {2979, 0.92517},
      {3781, 0.93278}, {4884, 0.944424}, {6349, 0.955787}, {8192, 0.964309}, {10335, 0.972761},
      {13435, 0.980219}, {17195, 0.985233}, {21984, 0.987602}, {28471, 0.98954}, {36176, 0.99094},
      {46618, 0.992098}, {59500, 0.992966}, {77101, 0.994418}, {98304, 0.995838}, {126844, 0.997},
      {162805, 0.997645}, {209007, 0.998116}, {268281, 0.998501}, {344275, 0.998952},
      {443183, 0.999307}, {568408, 0.999539}, {729573, 0.999644}, {938693, 0.999728},
      {1199066, 0.999791}, {1541023, 0.999841}, {1996529, 0.999881}, {2565212, 0.999912},
      {3262080, 0.999934}, {4135977, 0.999952}, {5368784, 0.999967}, {7143054, 0.99998},
      {8909743, 0.999987}, {11837511, 0.999995}, {15158197, 1}}},
    {"alistorage",
     "Li et al., HPCC, SIGCOMM 2019, storage trace",
     {{0, 0}, {4000, 0.2293}, {8000, 0.6921}, {16000, 0.8061}, {32000, 0.9047}, {64000, 0.9353},
      {128000, 0.9677}, {256000, 0.9753}, {2000000, 1}}},
    {"edu1",
     "Benson et al., IMC 2010, EDU1; the interpolated last 1 % determines the mean",
     {{0, 0}, {68, 0.01}, {76, 0.02}, {86, 0.05}, {91, 0.1}, {109, 0.15}, {130, 0.2}, {186, 0.25},
      {224, 0.3}, {367, 0.35}, {367, 0.4}, {440, 0.45}, {447, 0.5}, {515, 0.55}, {1038, 0.6},
      {1438, 0.65}, {1782, 0.7}, {2190, 0.75}, {4148, 0.8}, {8326, 0.85}, {9445, 0.9}, {9445, 0.91},
      {9529, 0.92}, {9529, 0.93}, {10138, 0.94}, {12895, 0.95}, {17438, 0.96}, {24510, 0.97},
      {44065, 0.98}, {114040, 0.99}, {86684378, 1}}},
    {"edu2",
     "Benson et al., IMC 2010, EDU2; the interpolated last 1 % determines the mean",
     {{0, 0}, {62, 0.4}, {107, 0.45}, {108, 0.5}, {186, 0.55}, {216, 0.6}, {376, 0.65}, {570, 0.7},
      {752, 0.73}, {929, 0.75}, {1128, 0.77}, {1284, 0.8}, {1326, 0.81}, {1547, 0.82}, {1796, 0.83},
      {2225, 0.84}, {2568, 0.85}, {2868, 0.86}, {3553, 0.87}, {4374, 0.88}, {5350, 0.89},
      {6871, 0.9}, {9651, 0.91}, {14091, 0.92}, {20700, 0.93}, {35984, 0.94}, {65550, 0.95},
      {103003, 0.96}, {137710, 0.97}, {275420, 0.98}, {852223, 0.99}, {340457054, 1}}},
    {"edu1-synthetic",
     "synthetic stand-in for EDU1 of Benson et al., IMC 2010, with the shares that the OFC "
     "paper states",
     {{100, 0}, {1000, 0.2}, {10000, 0.6}, {100000, 0.9}, {1000000, 0.98}, {10000000, 1}}},
    {"edu2-synthetic",
     "synthetic stand-in for EDU2 of Benson et al., IMC 2010, with the shares that the OFC "
     "paper states",
     {{100, 0}, {1000, 0.1}, {10000, 0.5}, {20000, 0.8}, {100000, 0.9}, {1000000, 0.975},
      {10000000, 1}}},
};

// clang-format on

/// @return an error message if a point cannot follow the previous one, or nothing
std::optional<std::string>
CheckPoint(const std::vector<Point>& points, std::size_t i)
{
    const Point* previous = i == 0 ? nullptr : &points[i - 1];
    const Point& point = points[i];
    std::ostringstream text;
    if (!(point.bytes >= 0 && point.bytes <= static_cast<double>(MAX_FLOW_BYTES)))
    {
        text << "size " << point.bytes << " is not a number from 0 to " << MAX_FLOW_BYTES;
    }
    else if (!(point.probability >= 0 && point.probability <= 1))
    {
        text << "probability " << point.probability << " is not from 0 to 1";
    }
    else if (previous && point.bytes < previous->bytes)
    {
        text << "size " << point.bytes << " is below the size before, " << previous->bytes
             << "; sizes must not decrease";
    }
    else if (previous && point.probability < previous->probability)
    {
        text << "probability " << point.probability << " is below the one before, "
             << previous->probability << "; probabilities must not decrease";
    }
    return text.str().empty() ? std::nullopt : std::make_optional(text.str());
}

double
ComputeMean(const std::vector<Point>& points)
{
    double mean = points.front().bytes * points.front().probability;
    for (std::size_t i = 1; i < points.size(); ++i)
    {
        const Point& a = points[i - 1];
        const Point& b = points[i];
        mean += (b.probability - a.probability) * (a.bytes + b.bytes) / 2;
    }
    return mean;
}

/// @param points the points, each of which has been checked against the previous one
/// @return an error message if there are no points, the last probability is not 1 or the mean size
/// is below 1 B; otherwise nothing
std::optional<std::string>
CheckEnd(const std::vector<Point>& points)
{
    if (points.empty())
    {
        return "there are no points; each line must have a size in bytes and a probability";
    }
    if (points.back().probability != 1)
    {
        std::array<char, 32> digits{}; // the digits needed to distinguish the number from 1
        char* const end =
            std::to_chars(digits.begin(), digits.end(), points.back().probability).ptr;
        return "the last probability is " + std::string(digits.data(), end) +
               "; it must be 1, or 100 where all are percentages" +
               (points.back().bytes <= 1 ? "; are the columns swapped?" : "");
    }
    const double mean = ComputeMean(points);
    if (mean < 1) // flows have at least one byte, so the load would differ from the requested one
    {
        std::ostringstream text;
        text << "the mean size is " << mean << " B; it must be at least 1";
        return text.str();
    }
    return std::nullopt;
}

/// Converts percentages, as found in files of the HPCC simulator and its forks, to fractions.
/// Replaces probabilities close to 1 with 1.
/// @param points the points, whose probabilities are percentages if the last one is 100
void
ScaleToOne(std::vector<Point>& points)
{
    constexpr double rounding = 1e-9;
    const auto isAbout = [&points](double all) {
        return !points.empty() && std::abs(points.back().probability - all) <= rounding * all;
    };
    const double all = isAbout(100) ? 100 : 1;
    if (!isAbout(all))
    {
        return; // CheckEnd() reports the error
    }
    for (Point& point : points)
    {
        point.probability =
            std::abs(point.probability - all) <= rounding * all ? 1 : point.probability / all;
    }
}

/// @return the words as numbers, or an empty list if any word is not a number
std::vector<double>
ReadNumbers(const std::vector<std::string>& words)
{
    std::vector<double> numbers;
    for (const std::string& word : words)
    {
        const auto number = ParseNumber(word);
        if (!number)
        {
            return {};
        }
        numbers.push_back(*number);
    }
    return numbers;
}

/// @param [out] numbers the line number of each point
/// @return the points in the lines
std::vector<Point>
ReadPoints(std::istream& input, const std::string& fileName, std::vector<uint64_t>& numbers)
{
    TextLines lines(input, fileName, ' ');
    std::vector<Point> points;
    bool isOfNs2 = false;
    while (lines.Next())
    {
        const std::string content = lines.Get().substr(0, lines.Get().find('#'));
        const std::vector<std::string> words = SplitWords(content);
        if (words.empty())
        {
            continue;
        }
        const std::vector<double> columns = ReadNumbers(words);
        isOfNs2 = points.empty() ? columns.size() == 3 : isOfNs2;
        if (columns.size() != (isOfNs2 ? 3 : 2))
        {
            lines.Complain("'" + content + "' is not a size in bytes" +
                           (isOfNs2 ? ", a number that is passed over" : "") +
                           " and a probability");
        }
        points.push_back({columns.front(), columns.back()});
        numbers.push_back(lines.GetNumber());
    }
    return points;
}

} // namespace

FlowSizeTable::FlowSizeTable(std::string name, std::string source, std::vector<Point> points)
    : m_name(std::move(name)),
      m_source(std::move(source)),
      m_points(std::move(points))
{
    const auto error = CheckPoints(m_points);
    NS_ABORT_MSG_IF(error, "FlowSizeTable '" << m_name << "': " << *error);
}

FlowSizeTable
FlowSizeTable::Get(const std::string& name)
{
    const auto error = CheckName(name);
    NS_ABORT_MSG_IF(error, *error);
    const BuiltIn table = *FindByName(TABLES, name);
    return {table.name, table.source, table.points};
}

std::optional<std::string>
FlowSizeTable::CheckName(const std::string& name)
{
    if (FindByName(TABLES, name))
    {
        return std::nullopt;
    }
    return "there is no flow-size table named '" + name + "'; the tables are " + ListNames(TABLES);
}

FlowSizeTable
FlowSizeTable::Fixed(uint64_t bytes)
{
    NS_ABORT_MSG_IF(bytes == 0, "FlowSizeTable::Fixed: the size is 0; it must be at least 1 byte");
    return {"fixed-" + std::to_string(bytes), "a single size", {{static_cast<double>(bytes), 1.0}}};
}

FlowSizeTable
FlowSizeTable::FromFile(const std::string& path)
{
    return {path, "file " + path, ReadText(path, [&path](auto& input) {
                return Parse(input, path);
            })};
}

std::vector<Point>
FlowSizeTable::Parse(std::istream& input, const std::string& fileName)
{
    std::vector<uint64_t> numbers;
    std::vector<Point> found = ReadPoints(input, fileName, numbers);
    ScaleToOne(found);
    const auto refuse = [&](std::size_t i, const std::optional<std::string>& error) {
        if (error)
        {
            const std::string line = i < found.size() ? ":" + std::to_string(numbers[i]) : "";
            throw FileComplaint(fileName + line + ": " + *error);
        }
    };
    const bool isOfPercent = !found.empty() && found.back().probability > 1;
    for (std::size_t i = isOfPercent ? found.size() : 0; i < found.size(); ++i)
    {
        refuse(i, CheckPoint(found, i));
    }
    refuse(std::max<std::size_t>(found.size(), 1) - 1, CheckEnd(found));
    return found;
}

std::optional<std::string>
FlowSizeTable::CheckPoints(const std::vector<Point>& points)
{
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (auto error = CheckPoint(points, i))
        {
            return error;
        }
    }
    return CheckEnd(points);
}

double
FlowSizeTable::GetMean() const
{
    return ComputeMean(m_points);
}

std::string
FlowSizeTable::Describe() const
{
    std::ostringstream text;
    text << m_name << " (" << m_source << "), mean " << std::llround(GetMean()) << " B";
    return text.str();
}

uint64_t
FlowSizeTable::GetQuantile(double u) const
{
    NS_ABORT_MSG_IF(!(u >= 0 && u <= 1),
                    "FlowSizeTable::GetQuantile: u is " << u << "; it must be from 0 to 1");
    // The first point at or above u. Where the curve is flat, this is the point with the smallest
    // size.
    const auto above =
        std::lower_bound(m_points.begin(), m_points.end(), u, [](const Point& point, double share) {
            return point.probability < share;
        });
    double bytes = above->bytes;
    if (above != m_points.begin())
    {
        const auto below = above - 1;
        const double part = (u - below->probability) / (above->probability - below->probability);
        bytes = below->bytes + part * (above->bytes - below->bytes);
    }
    return std::max<int64_t>(1, std::llround(bytes));
}

uint64_t
FlowSizeTable::Sample(const Ptr<UniformRandomVariable>& random) const
{
    return GetQuantile(random->GetValue(0, 1));
}

} // namespace ns3::lossless
