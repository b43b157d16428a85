// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-checks.h"

#include <algorithm>
#include <iomanip>

namespace ns3::lossless
{

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

ResultTable
AcceptanceChecks::GetTable() const
{
    ResultTable table{{"scenario", "check", "measured", "relation", "bound", "verdict"}, {}};
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
