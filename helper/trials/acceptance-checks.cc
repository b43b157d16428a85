// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-checks.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <iomanip>
#include <sstream>

namespace ns3::lossless
{

namespace
{

/// @return an XML attribute, preceded by a space
template <typename T>
std::string
FormatXmlAttribute(const std::string& name, const T& value)
{
    std::ostringstream plain;
    plain << value;
    std::string text = plain.str();
    boost::replace_all(text, "&", "&amp;"); // before those that add one
    boost::replace_all(text, "<", "&lt;");
    boost::replace_all(text, "\"", "&quot;");
    return ' ' + name + "=\"" + text + '"';
}

} // namespace

void
AcceptanceChecks::Begin(const std::string& scenario)
{
    m_scenario = scenario;
}

void
AcceptanceChecks::Equal(const std::string& what, double measured, double wanted)
{
    m_checks.push_back({m_scenario, what, measured, "=", wanted, measured == wanted});
}

void
AcceptanceChecks::AtLeast(const std::string& what, double measured, double least)
{
    m_checks.push_back({m_scenario, what, measured, ">=", least, measured >= least});
}

void
AcceptanceChecks::AtMost(const std::string& what, double measured, double most)
{
    m_checks.push_back({m_scenario, what, measured, "<=", most, measured <= most});
}

std::size_t
AcceptanceChecks::Count() const
{
    return m_checks.size();
}

std::size_t
AcceptanceChecks::CountFailed() const
{
    return std::count_if(m_checks.begin(), m_checks.end(), [](const Check& check) {
        return !check.isPassed;
    });
}

bool
AcceptanceChecks::HasFailed(const std::string& what) const
{
    return std::any_of(m_checks.begin(), m_checks.end(), [&what](const Check& check) {
        return check.what == what && !check.isPassed;
    });
}

void
AcceptanceChecks::Print(std::ostream& out) const
{
    const auto line = [&out](const auto& scenario, const auto& what, const auto& measured) {
        out << std::left << std::setw(16) << scenario << std::setw(55) << what << std::right
            << std::setw(10) << measured;
    };
    line("scenario", "check", "measured");
    out << "    bound  verdict" << std::endl;
    for (const Check& check : m_checks)
    {
        line(check.scenario, check.what, check.measured);
        out << std::setw(4) << check.relation << std::setw(5) << check.bound << "  "
            << (check.isPassed ? "PASS" : "FAIL") << std::endl;
    }
    out << Count() - CountFailed() << " passed, " << CountFailed() << " failed" << std::endl;
}

void
AcceptanceChecks::WriteJunit(std::ostream& out, const std::string& scheme) const
{
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite"
        << FormatXmlAttribute("name", "roce-acceptance") << FormatXmlAttribute("tests", Count())
        << FormatXmlAttribute("failures", CountFailed()) << ">\n";
    for (const Check& check : m_checks)
    {
        out << "  <testcase" << FormatXmlAttribute("classname", scheme + '.' + check.scenario)
            << FormatXmlAttribute("name", check.what) << ">\n";
        if (!check.isPassed)
        {
            std::ostringstream message;
            message << "measured " << check.measured << ", must be " << check.relation << ' '
                    << check.bound;
            out << "    <failure" << FormatXmlAttribute("message", message.str()) << "/>\n";
        }
        out << "  </testcase>\n";
    }
    out << "</testsuite>\n";
}

ResultTable
AcceptanceChecks::GetTable() const
{
    auto table = ResultTable::WithHeader("scenario,check,measured,relation,bound,verdict");
    for (const Check& check : m_checks)
    {
        table.rows.push_back({check.scenario,
                              check.what,
                              check.measured,
                              check.relation,
                              check.bound,
                              check.isPassed ? "PASS" : "FAIL"});
    }
    return table;
}

} // namespace ns3::lossless
