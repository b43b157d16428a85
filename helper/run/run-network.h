// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_NETWORK_H
#define LOSSLESS_RUN_NETWORK_H

#include "lossless-classes.h"
#include "lossless-experiment.h"

#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/topology-part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The option that tells which format a file has.
class FileFormat
{
  public:
    /// @param experiment to which the option is added @param option its name
    /// @param isOfFlows whether it knows the formats of flows that wait for others, too
    void AddOption(Experiment& experiment, const std::string& option, bool isOfFlows);
    /// Stops the program if the option names no format. @param experiment which has read it
    void Check(const Experiment& experiment) const;

    /// @param path a file @return the format: csv, columns under a header as this module writes
    /// them; cm, goal or chakra; else hpcc, of the HPCC simulator's family
    std::string Get(const std::string& path) const;

    /// @param path a file @return whether its format is csv
    bool IsCsv(const std::string& path) const
    {
        return Get(path) == "csv";
    }

  private:
    std::string m_option;               ///< its name
    std::string m_name{"auto"};         ///< option
    std::vector<std::string> m_formats; ///< which it may name
};

/**
 * @ingroup lossless
 * The network of lossless-run, as its options tell it: one that is registered, or from a file.
 */
class RunNetwork
{
  public:
    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Stops the program if options make no sense, or none for this network.
    /// @param experiment which has read them
    void Check(Experiment& experiment);

    /// @return name of the file; empty: a network of the module's
    std::string GetFile() const;
    /// @return whether there is a file, in the format of the HPCC simulator's family
    bool IsOfForks() const;
    /// @param experiment which tells of lines that are not read
    /// @return the network; one of a file is valid
    Topology MakeTopology(Experiment& experiment) const;
    /// @param experiment which knows the scheme @return what the switches are like
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// Tells the switches which classes are lossless. @param experiment see
    /// LosslessClasses::Apply()
    /// @param fabric the network @param used classes of what is to be sent
    void ApplyClasses(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const;
    /// @param experiment which knows the congestion control @return what makes the NICs
    ObjectFactory MakeNics(const Experiment& experiment) const;
    /// @return bytes on the wire for each byte of payload, of a full packet
    double GetOverheadFactor() const;

  private:
    std::string m_topology{"leaf-spine"}; ///< name or file
    FileFormat m_format;                  ///< of that file
    Ptr<TopologyPart> m_part;             ///< of that name; null: there is a file
    uint32_t m_payload{1000};             ///< of a full packet, bytes
    LosslessClasses m_lossless;           ///< see there
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_NETWORK_H */
