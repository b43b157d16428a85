// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ACCEPTANCE_CHECKS_H
#define LOSSLESS_ACCEPTANCE_CHECKS_H

#include "ns3/result-table.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Checks and their results.
class AcceptanceChecks
{
  public:
    /// Starts the checks of a scenario.
    void Begin(const std::string& scenario);

    /// Checks that the measured value equals the wanted one.
    /// @param what the measured quantity
    void Equal(const std::string& what, double measured, double wanted);
    /// Checks that the measured value is not below a minimum.
    /// @param what the measured quantity
    void AtLeast(const std::string& what, double measured, double least);
    /// Checks that the measured value is not above a maximum.
    /// @param what the measured quantity
    void AtMost(const std::string& what, double measured, double most);

    /// @return the number of checks
    std::size_t Count() const;
    /// @return the number of failed checks
    std::size_t CountFailed() const;
    /// @return whether a check of this quantity failed
    bool HasFailed(const std::string& what) const;
    /// Writes the checks as a readable table, followed by the numbers of passed and failed checks.
    void Print(std::ostream& out) const;
    /// Writes the checks as JUnit XML, which CI systems display.
    void WriteJunit(std::ostream& out, const std::string& scheme) const;
    /// @return acceptance.csv
    ResultTable GetTable() const;

  private:
    struct Check
    {
        std::string scenario; ///< name of the scenario
        std::string what;     ///< the measured quantity
        double measured;
        std::string relation; ///< relation of the measured value to the bound
        double bound;
        bool isPassed;
    };

    std::string m_scenario;      ///< scenario of the next checks
    std::vector<Check> m_checks; ///< in order of execution
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ACCEPTANCE_CHECKS_H */
