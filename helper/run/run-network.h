// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_NETWORK_H
#define LOSSLESS_RUN_NETWORK_H

#include "lossless-classes.h"
#include "lossless-experiment.h"

#include "ns3/file-format.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/topology-format.h"
#include "ns3/topology-part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// The option that tells which format a file has.
class FileFormat
{
  public:
    /// @param formats which it may name @tparam INFO a FileFormatInfo
    template <typename INFO>
    explicit FileFormat(const std::vector<INFO>& formats)
        : m_formats(formats.begin(), formats.end())
    {
    }

    /// @param experiment to which the option is added @param option its name
    void AddOption(Experiment& experiment, const std::string& option);
    /// Stops the program if the option names no format. @param experiment which has read it
    void Check(const Experiment& experiment) const;

    /// @return what files are read and which names they have, for the help of the option that names
    /// them
    std::string Describe() const;

    /// @param path a file @return name of the format
    std::string Get(const std::string& path) const;

  private:
    std::string m_option;                  ///< its name
    std::string m_name{"auto"};            ///< option
    std::vector<FileFormatInfo> m_formats; ///< which it may name
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
    /// See TopologyInfo::options.
    using Options = std::vector<std::pair<std::string, std::string>>;

    /// Stops the program if an option of the network was given that has no effect beside another
    /// one (AttributeCondition). @param experiment which has read them @param options of the part
    void RequireConditions(const Experiment& experiment, Options options) const;

    std::string m_topology{"leaf-spine"};            ///< name or file
    FileFormat m_format{GetParts<TopologyFormat>()}; ///< of that file
    Ptr<TopologyPart> m_part;                        ///< of that name; null: there is a file
    uint64_t m_buffer{16 << 20};                     ///< packet memory of a switch, bytes
    uint32_t m_payload{1000};                        ///< of a full packet, bytes
    LosslessClasses m_lossless;                      ///< see there
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_NETWORK_H */
