// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_NETWORK_H
#define LOSSLESS_RUN_NETWORK_H

#include "host-forwarding.h"
#include "lossless-classes.h"
#include "lossless-experiment.h"

#include "ns3/file-format.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/topology-format.h"
#include "ns3/topology-part.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// The option that selects the format of a file.
class FileFormat
{
  public:
    /// @param formats the formats that may be chosen
    /// @tparam INFO a subclass of FileFormatInfo
    template <typename INFO>
    explicit FileFormat(const std::vector<INFO>& formats)
        : m_formats(formats.begin(), formats.end())
    {
    }

    /// Adds the option.
    /// @param option the name of the option
    void AddOption(Experiment& experiment, const std::string& option);
    /// Stops the program if the format is unknown.
    /// @param experiment the experiment, which has parsed the option
    void Check(const Experiment& experiment) const;

    /// @return the formats and their file name endings, for the help of the option that names the
    /// file
    std::string Describe() const;

    /// @return a clause that explains why the format without file name endings applies; empty if
    /// the user chose the format
    std::string ExplainChoice() const;

    /// @return the name of the file's format
    std::string Get(const std::string& path) const;

  private:
    std::string m_option;
    std::string m_name{"auto"};            ///< chosen name, or "auto"
    std::vector<FileFormatInfo> m_formats; ///< formats that may be chosen
};

/**
 * @ingroup lossless
 * The network of lossless-run. The options select a registered network or a file.
 */
class RunNetwork
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent with each other or with this network.
    /// @param experiment the experiment, which has parsed the options
    void Check(Experiment& experiment);

    /// @return the name of the file; empty for a registered network
    std::string GetFile() const;
    /// @return true if the network is from a file in the format of the HPCC simulator or its forks
    bool IsOfForks() const;
    /// @param experiment the experiment, which receives a warning about ignored lines
    /// @return the network, which has been checked if it is from a file
    Topology MakeTopology(Experiment& experiment) const;
    /// Sets the lossless classes of the switches; see LosslessClasses::Apply().
    /// @param used the classes of the traffic
    void ApplyClasses(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const;
    /// @return the number of bytes on the wire per byte of payload, for a full packet
    double GetOverheadFactor() const;

  private:
    /// The options of a network; see TopologyInfo::options.
    using Options = std::vector<std::pair<std::string, std::string>>;

    /// Stops the program if a given option of the network has no effect because of another option;
    /// see AttributeCondition.
    /// @param options the options of the registered network
    void RequireConditions(const Experiment& experiment, Options options) const;

    std::string m_topology{"leaf-spine"};            ///< name of a registered network or of a file
    FileFormat m_format{GetParts<TopologyFormat>()}; ///< format of that file
    Ptr<TopologyPart> m_part; ///< registered network, or null if the network is from a file
    HostForwarding m_forwarding;
    uint32_t m_payload{1000}; ///< payload of a full packet, in bytes
    LosslessClasses m_lossless;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_NETWORK_H */
