// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_NETWORK_H
#define LOSSLESS_RUN_NETWORK_H

#include "lossless-classes.h"
#include "lossless-experiment.h"

#include "ns3/file-format.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/topology-format.h"
#include "ns3/topology-part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// An option for the format of a file.
class FileFormat
{
  public:
    /// @param formats allowed values
    /// @tparam INFO a FileFormatInfo
    template <typename INFO>
    explicit FileFormat(const std::vector<INFO>& formats)
        : m_formats(formats.begin(), formats.end())
    {
    }

    /// Adds the option.
    /// @param option its name
    void AddOption(Experiment& experiment, const std::string& option);
    /// Stops the program if the format is unknown. @param experiment has parsed the option
    void Check(const Experiment& experiment) const;

    /// @return the formats and their endings, for the help of the option that names the file
    std::string Describe() const;

    /// @return name of the format of the file
    std::string Get(const std::string& path) const;

  private:
    std::string m_option;
    std::string m_name{"auto"};            ///< value
    std::vector<FileFormatInfo> m_formats; ///< allowed values
};

/**
 * @ingroup lossless
 * The network of lossless-run, as its options specify: a registered one, or one from a file.
 */
class RunNetwork
{
  public:
    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if options are inconsistent with each other or with this network.
    /// @param experiment has parsed them
    void Check(Experiment& experiment);

    /// @return name of the file; empty: a registered network
    std::string GetFile() const;
    /// @return whether there is a file in the format of the HPCC simulator's family
    bool IsOfForks() const;
    /// @param experiment gets a warning about ignored lines
    /// @return the network; one from a file is valid
    Topology MakeTopology(Experiment& experiment) const;
    /// Sets the lossless classes of the switches, see LosslessClasses::Apply().
    /// @param used classes of the traffic
    void ApplyClasses(const Experiment& experiment, const Fabric& fabric, PrioritySet used) const;
    /// @return bytes on the wire per byte of payload, for a full packet
    double GetOverheadFactor() const;

  private:
    /// See TopologyInfo::options.
    using Options = std::vector<std::pair<std::string, std::string>>;

    /// Stops the program if a given option of the network has no effect because of another one, see
    /// AttributeCondition.
    /// @param options of the registered network
    void RequireConditions(const Experiment& experiment, Options options) const;

    std::string m_topology{"leaf-spine"};            ///< name or file
    FileFormat m_format{GetParts<TopologyFormat>()}; ///< of that file
    Ptr<TopologyPart> m_part;                        ///< registered network; null: there is a file
    uint32_t m_payload{1000};                        ///< of a full packet, bytes
    LosslessClasses m_lossless;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_NETWORK_H */
