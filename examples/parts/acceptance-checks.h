// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_CHECKS_H
#define ACCEPTANCE_CHECKS_H

#include "ns3/result-table.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What has been checked, and what came of it.
class AcceptanceChecks
{
  public:
    /// @param scenario to which the next checks belong
    void Begin(const std::string& scenario);

    /// @param what is measured @param measured its value @param wanted the only good value
    void Equal(const std::string& what, double measured, double wanted);
    /// @param what is measured @param measured its value @param least the least good value
    void AtLeast(const std::string& what, double measured, double least);
    /// @param what is measured @param measured its value @param most the largest good value
    void AtMost(const std::string& what, double measured, double most);

    /// @return number of checks
    std::size_t Count() const;
    /// @return number of checks that failed
    std::size_t CountFailed() const;
    /// Writes the checks as a table for people, and how many have passed. @param out where to
    void Print(std::ostream& out) const;
    /// Writes the checks as JUnit's XML, which CI systems show. @param out where to
    /// @param scheme that was checked
    void WriteJunit(std::ostream& out, const std::string& scheme) const;
    /// @return the checks as acceptance.csv shows them
    ResultTable GetTable() const;

  private:
    /// One of them.
    struct Check
    {
        std::string scenario; ///< to which it belongs
        std::string what;     ///< is measured
        double measured;      ///< value
        std::string relation; ///< of the value to the bound
        double bound;         ///< of good values
        bool isPassed;        ///< the value is good
    };

    std::string m_scenario;      ///< of the next checks
    std::vector<Check> m_checks; ///< in the order in which they were made
};

} // namespace ns3::lossless

#endif /* ACCEPTANCE_CHECKS_H */
