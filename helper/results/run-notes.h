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

/// If a signal ended the run early, adds the signal and a problem to the verdict.
/// @param signal the name of the signal, or an empty string
void JudgeInterruption(const std::string& signal, RunVerdict& verdict);

/**
 * @ingroup lossless
 * The part of run.json that a program provides: the configuration of the run and the signal that
 * ended it early, if any. This class also writes run.json from the data of all recorders.
 */
class RunNotes : public Recorder
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param argc the number of arguments
    /// @param argv the program name and arguments, as passed to main()
    /// @param spec the result of FormatRunSpec(); if empty, the run cannot be repeated from a spec
    void SetCommandLine(int argc, const char* const* argv, const std::string& spec = "");
    /// @param label the label of the flow control scheme, for figures. If it is not set or is the
    /// name of a scheme, run.json contains the schemes of the switches; see
    /// MeasuredNetwork::DescribeSchemes().
    void SetScheme(const std::string& label);
    /// Records a parameter that is not an attribute.
    void AddParameter(const std::string& name, const std::string& value);
    /// Records a parameter that is not an attribute.
    void AddParameter(const std::string& name, double value);
    /// Adds a part of the run that is not reachable from a node, so that run.json includes its
    /// changed attributes.
    void AddPart(Ptr<Object> part);
    /// @param signal the name of the signal that ended the run early
    void SetInterruption(const std::string& signal);

    /// @param name the name of the results folder as given by the user; if empty, no folder is
    /// written, and run.json lists no files
    void SetFolder(const std::string& name);
    /// @return the name passed to SetFolder()
    const std::string& GetFolder() const;

    /// Adds the network, all added parts and all recorders to a survey.
    void AddTo(AttributeSurvey& survey) const;
    /// Writes run.json. Call this after RecorderList::Conclude() and before Simulator::Destroy().
    void WriteJson(std::ostream& os) const;

    void Judge(RunVerdict& verdict) const override;

  private:
    RunDescription m_description;     ///< configuration that the program has set
    std::vector<Ptr<Object>> m_parts; ///< see AddPart()
    std::string m_interruption;       ///< see SetInterruption()
    std::string m_folder;             ///< see SetFolder()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_NOTES_H */
