// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_NOTES_H
#define LOSSLESS_RUN_NOTES_H

#include "run-json.h"

#include "ns3/recorder.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Adds the signal that ended the run early, and a problem. @param signal its name; empty: none
void JudgeInterruption(const std::string& signal, RunVerdict& verdict);

/**
 * @ingroup lossless
 * How a run is made, and what ended it: the part of run.json that a program provides. It also
 * writes run.json, from what all recorders have.
 */
class RunNotes : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param argc number of arguments
    /// @param argv program and arguments, as main() has them
    /// @param spec the same as FormatRunSpec() has it; empty: the run cannot be repeated by one
    void SetCommandLine(int argc, const char* const* argv, const std::string& spec = "");
    /// @param label of the flow control scheme in figures. Without one, or if it is the name of a
    /// scheme, run.json has the schemes of the switches, see MeasuredNetwork::DescribeSchemes().
    void SetScheme(const std::string& label);
    /// Notes a parameter that is not an attribute.
    void AddParameter(const std::string& name, const std::string& value);
    /// Notes a parameter that is not an attribute.
    void AddParameter(const std::string& name, double value);
    /// Adds a part of the run that no node leads to: run.json has its attributes.
    void AddPart(Ptr<Object> part);
    /// @param signal name of the one that ended the run early
    void SetInterruption(const std::string& signal);

    /// @param name as the user has it; empty: no folder is written, and run.json lists no files
    void SetFolder(const std::string& name);
    /// @return see SetFolder()
    const std::string& GetFolder() const;

    /// Adds the network and all recorders.
    void AddTo(AttributeSurvey& survey) const;
    /// Writes run.json; valid after RecorderList::Conclude(), and before Simulator::Destroy().
    void WriteJson(std::ostream& os) const;

    void Judge(RunVerdict& verdict) const override;

  private:
    RunDescription m_description;     ///< as set by the program
    std::vector<Ptr<Object>> m_parts; ///< see AddPart()
    std::string m_interruption;       ///< see SetInterruption()
    std::string m_folder;             ///< see SetFolder()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_NOTES_H */
