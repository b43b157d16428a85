// SPDX-License-Identifier: GPL-2.0-only
#include "results-writer.h"

#include "ns3/abort.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/mac48-address.h"
#include "ns3/object-ptr-container.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <set>
#include <sstream>
#include <unistd.h>

#if __has_include("ns3/version-defines.h")
#include "ns3/version-defines.h"
#endif

namespace ns3::lossless
{

/// Writes JSON (RFC 8259), two blanks per level.
class JsonWriter
{
  public:
    /// @param os where to
    explicit JsonWriter(std::ostream& os)
        : m_os(os)
    {
    }

    /// @param name of the member that follows, inside an object @return this
    JsonWriter& Key(const std::string& name)
    {
        Separate();
        WriteText(name);
        m_os << ": ";
        m_afterKey = true;
        return *this;
    }

    /// @param bracket '{' or '['
    void Begin(char bracket)
    {
        Separate();
        m_os << bracket;
        m_levels.push_back(0);
    }

    /// @param bracket '}' or ']'
    void End(char bracket)
    {
        const bool empty = m_levels.back() == 0;
        m_levels.pop_back();
        if (!empty)
        {
            BreakLine();
        }
        m_os << bracket;
    }

    /// @param text a value
    void Text(const std::string& text)
    {
        Separate();
        WriteText(text);
    }

    /// @param number a value
    void Integer(uint64_t number)
    {
        Separate();
        m_os << number;
    }

    /// @param number a value, written with as many digits as tell it from any other
    void Number(double number)
    {
        Separate();
        if (!std::isfinite(number))
        {
            m_os << "null"; // JSON has no such numbers
            return;
        }
        std::ostringstream digits;
        for (int precision = 15; precision <= 17; ++precision)
        {
            digits.str("");
            digits.imbue(std::locale::classic());
            digits << std::setprecision(precision) << number;
            if (std::strtod(digits.str().c_str(), nullptr) == number)
            {
                break;
            }
        }
        m_os << digits.str();
    }

    /// @param value a value
    void Boolean(bool value)
    {
        Separate();
        m_os << (value ? "true" : "false");
    }

    /// Writes null.
    void Null()
    {
        Separate();
        m_os << "null";
    }

  private:
    /// Puts what must stand between the previous value and the next.
    void Separate()
    {
        if (m_afterKey)
        {
            m_afterKey = false;
            return;
        }
        if (m_levels.empty())
        {
            return;
        }
        m_os << (m_levels.back()++ == 0 ? "" : ",");
        BreakLine();
    }

    void BreakLine()
    {
        m_os << '\n' << std::string(2 * m_levels.size(), ' ');
    }

    /// @param text to be quoted
    void WriteText(const std::string& text)
    {
        m_os << '"';
        for (const char c : text)
        {
            if (c == '"' || c == '\\')
            {
                m_os << '\\' << c;
            }
            else if (static_cast<unsigned char>(c) < 0x20)
            {
                m_os << "\\u" << std::hex << std::setw(4) << std::setfill('0')
                     << static_cast<int>(c) << std::dec << std::setfill(' ');
            }
            else
            {
                m_os << c;
            }
        }
        m_os << '"';
    }

    std::ostream& m_os;                ///< where to
    std::vector<std::size_t> m_levels; ///< values so far in each open object or array
    bool m_afterKey{false};            ///< the next value belongs to a key
};

namespace
{

namespace fs = std::filesystem;

/// Value of "schema" in run.json, by which a result folder is known.
const std::string SCHEMA = "lossless-run";

/// Version of the folder's format: changes whenever a name or a meaning does.
constexpr uint64_t SCHEMA_VERSION = 1;

/// The files of a result folder.
const std::array<std::string, 5> FILES = {"run.json",
                                          "flows.csv",
                                          "pauses.csv",
                                          "queues.csv",
                                          "drops.csv"};

/// Distinct values of an attribute that run.json lists.
constexpr std::size_t MAX_LISTED_VALUES = 16;

/**
 * Finds the attributes that differ from the defaults in the source code: by changed defaults
 * (Config::SetDefault, command line) and by what objects of the run hold.
 */
class AttributeSurvey
{
  public:
    /// Takes up the changed defaults of all types of this module.
    void AddDefaults()
    {
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            for (std::size_t j = 0; IsOurs(type) && j < type.GetAttributeN(); ++j)
            {
                const auto info = type.GetAttribute(j);
                Entry& entry = GetEntry(type, info);
                entry.changedDefault = Describe(*info.initialValue, info);
            }
        }
    }

    /// Takes up the values of an object and of all objects that its attributes point to.
    /// @param object the object; may be null
    void AddObject(Ptr<const Object> object)
    {
        if (!object || !m_visited.insert(PeekPointer(object)).second)
        {
            return;
        }
        const TypeId instanceType = object->GetInstanceTypeId();
        TypeId type = instanceType;
        for (bool more = true; more; more = type.HasParent(), type = type.GetParent())
        {
            // Of foreign parents (Node, NetDevice) only bookkeeping would come along.
            for (std::size_t i = 0;
                 (IsOurs(type) || !IsOurs(instanceType)) && i < type.GetAttributeN();
                 ++i)
            {
                AddAttribute(object, type, type.GetAttribute(i));
            }
        }
    }

    /// Writes the array of all that differs. @param json where to
    void Write(JsonWriter& json) const
    {
        json.Begin('[');
        for (const auto& [key, entry] : m_entries)
        {
            // What objects hold decides; the changed default stands for objects not seen here.
            auto values = entry.values;
            if (values.empty())
            {
                values.insert(entry.changedDefault);
            }
            if (values.size() > 1 || *values.begin() != entry.originalDefault)
            {
                WriteEntry(json, key.first, key.second, entry.originalDefault, values);
            }
        }
        json.End(']');
    }

  private:
    /// One attribute.
    struct Entry
    {
        std::string originalDefault;  ///< in the source code
        std::string changedDefault;   ///< for objects made by now
        std::set<std::string> values; ///< held by objects
    };

    using Information = TypeId::AttributeInformation;

    /// @param type a type @return whether it is of this module
    static bool IsOurs(TypeId type)
    {
        return type.GetGroupName() == "Lossless";
    }

    /// @param value a value of an attribute @param info the attribute @return its text
    static std::string Describe(const AttributeValue& value, const Information& info)
    {
        if (dynamic_cast<const PointerChecker*>(PeekPointer(info.checker)))
        {
            // The type of the object: its address differs from run to run.
            if (const auto* text = dynamic_cast<const StringValue*>(&value))
            {
                return text->Get().substr(0, text->Get().find('['));
            }
            const auto* pointer = dynamic_cast<const PointerValue*>(&value);
            Ptr<Object> object = pointer ? pointer->GetObject() : nullptr;
            return object ? object->GetInstanceTypeId().GetName() : "";
        }
        const auto valid = info.checker->CreateValidValue(value);
        return valid ? valid->SerializeToString(info.checker) : "";
    }

    /// @param type that declares an attribute @param info the attribute @return its entry
    Entry& GetEntry(TypeId type, const Information& info)
    {
        const auto [place, isNew] = m_entries.try_emplace({type.GetName(), info.name});
        if (isNew)
        {
            place->second.originalDefault = Describe(*info.originalInitialValue, info);
            place->second.changedDefault = place->second.originalDefault;
        }
        return place->second;
    }

    /// @param object an object @param type that declares an attribute @param info the attribute
    void AddAttribute(Ptr<const Object> object, TypeId type, const Information& info)
    {
        Ptr<AttributeValue> value = info.checker->Create();
        if (!(info.flags & TypeId::ATTR_GET) || !info.accessor->HasGetter() ||
            !info.accessor->Get(PeekPointer(object), *value))
        {
            return;
        }
        if (const auto* list = dynamic_cast<const ObjectPtrContainerValue*>(PeekPointer(value)))
        {
            for (auto it = list->Begin(); it != list->End(); ++it)
            {
                AddObject(it->second);
            }
            return;
        }
        if (const auto* pointer = dynamic_cast<const PointerValue*>(PeekPointer(value)))
        {
            AddObject(pointer->GetObject());
        }
        // What cannot be set is no setting, and an address is rather a name.
        const bool canBeSet = info.flags & (TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT);
        if (canBeSet && !dynamic_cast<const Mac48AddressValue*>(PeekPointer(value)))
        {
            GetEntry(type, info).values.insert(Describe(*value, info));
        }
    }

    /// @param json where to @param type declares the attribute @param name of the attribute
    /// @param original its default @param values those in use
    static void WriteEntry(JsonWriter& json,
                           const std::string& type,
                           const std::string& name,
                           const std::string& original,
                           const std::set<std::string>& values)
    {
        json.Begin('{');
        json.Key("type").Text(type);
        json.Key("attribute").Text(name);
        json.Key("default").Text(original);
        if (values.size() == 1)
        {
            json.Key("value").Text(*values.begin());
        }
        else
        {
            json.Key("distinct_values").Integer(values.size());
            json.Key("values").Begin('[');
            auto value = values.begin();
            for (std::size_t i = 0; i < std::min(values.size(), MAX_LISTED_VALUES); ++i)
            {
                json.Text(*value++);
            }
            json.End(']');
        }
        json.End('}');
    }

    std::map<std::pair<std::string, std::string>, Entry> m_entries; ///< by type and attribute
    std::set<const Object*> m_visited;                              ///< objects taken up
};

/// @param time an instant or a span @return whole nanoseconds
int64_t
Ns(Time time)
{
    return time.GetNanoSeconds();
}

/// @param address an address @return its text
std::string
ToText(Ipv4Address address)
{
    std::ostringstream text;
    text << address;
    return text.str();
}

/// @param what failed, with its object @param error why @return one sentence
std::string
Complain(const std::string& what, const std::string& error)
{
    return "Results: cannot " + what + ": " + error + ".";
}

/// @param folder as the user wrote it @return the absolute path, without links and trailing slash
fs::path
GetTarget(const std::string& folder)
{
    std::error_code error;
    fs::path path = fs::absolute(folder, error).lexically_normal();
    if (!path.has_filename())
    {
        path = path.parent_path();
    }
    const fs::path real = fs::canonical(path, error);
    return error ? path : real;
}

/// @param target a result folder @param purpose a word @return a path beside it, of this process
fs::path
GetSibling(const fs::path& target, const std::string& purpose)
{
    return target.parent_path() /
           (target.filename().string() + "." + purpose + "-" + std::to_string(getpid()));
}

/// @param folder a folder @return whether it holds a run.json of this module
bool
HoldsResult(const fs::path& folder)
{
    std::ifstream file(folder / FILES[0]);
    std::string start(100, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find("\"schema\": \"" + SCHEMA + "\"") != std::string::npos;
}

/// @param target a result folder @return why it must not be replaced
std::optional<std::string>
CheckReplaceable(const fs::path& target)
{
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (!fs::exists(status))
    {
        return std::nullopt;
    }
    if (!fs::is_directory(status))
    {
        return "Results: " + target.string() + " is a file; name a folder.";
    }
    const bool empty = fs::is_empty(target, error);
    if (error)
    {
        return Complain("read " + target.string(), error.message());
    }
    if (!empty && !HoldsResult(target))
    {
        return "Results: " + target.string() +
               " holds other files and no result of an earlier run; name another folder.";
    }
    return std::nullopt;
}

/// @param folder a folder to make, empty, with all its parents @return why it cannot be made
std::optional<std::string>
MakeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::remove_all(folder, error);
    fs::create_directories(folder, error);
    return error ? std::optional(Complain("create " + folder.string(), error.message()))
                 : std::nullopt;
}

/// @param path a file @param write writes its content @return why it cannot be written
std::optional<std::string>
WriteFile(const fs::path& path, const std::function<void(std::ostream&)>& write)
{
    errno = 0;
    std::ofstream file(path);
    file.imbue(std::locale::classic());
    write(file);
    file.close(); // what is left in the stream's buffer may not fit on the disk either
    if (file)
    {
        return std::nullopt;
    }
    return Complain("write " + path.string(), errno ? std::strerror(errno) : "unknown error");
}

/// Takes what is not ours from an earlier result over into the new one.
/// @param old the earlier result @param target the new one @return why it cannot be done
std::optional<std::string>
KeepForeignFiles(const fs::path& old, const fs::path& target)
{
    std::error_code error;
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(old, error))
    {
        names.push_back(entry.path().filename());
    }
    for (const fs::path& name : names)
    {
        if (std::find(FILES.begin(), FILES.end(), name.string()) == FILES.end())
        {
            fs::rename(old / name, target / name, error);
        }
        if (error)
        {
            return Complain("move " + (old / name).string() + " to " + target.string(),
                            error.message());
        }
    }
    fs::remove_all(old, error);
    return error ? std::optional(Complain("remove " + old.string(), error.message()))
                 : std::nullopt;
}

/// Puts a complete folder in the place of the target.
/// @param made the folder @param target its place @return why it cannot be done
std::optional<std::string>
Install(const fs::path& made, const fs::path& target)
{
    std::error_code error;
    std::error_code ignored;
    const bool replaces = fs::exists(target, error);
    const fs::path old = GetSibling(target, "old");
    if (replaces)
    {
        fs::rename(target, old, error);
    }
    if (!error)
    {
        fs::rename(made, target, error);
        if (error && replaces)
        {
            fs::rename(old, target, ignored);
        }
    }
    if (error)
    {
        return Complain("put the result at " + target.string(), error.message());
    }
    return replaces ? KeepForeignFiles(old, target) : std::nullopt;
}

/// @param sentence said on standard error before the program stops with exit status 1
[[noreturn]] void
Fail(const std::string& sentence)
{
    std::cerr << sentence << std::endl;
    std::exit(1);
}

/// Writes who made the run. @param json where to
void
WriteVersions(JsonWriter& json)
{
    json.Key("versions").Begin('{');
#ifdef NS3_VERSION_MAJOR
    json.Key("ns3").Text(std::to_string(NS3_VERSION_MAJOR) + "." +
                         std::to_string(NS3_VERSION_MINOR));
#else
    json.Key("ns3").Null();
#endif
#ifdef LOSSLESS_VERSION
    json.Key("lossless").Text(LOSSLESS_VERSION);
#else
    json.Key("lossless").Null();
#endif
#ifdef __clang__
    json.Key("compiler").Text("Clang " __clang_version__);
#else
    json.Key("compiler").Text("GCC " __VERSION__);
#endif
#ifdef NS3_ASSERT_ENABLE
    json.Key("asserts").Boolean(true);
#else
    json.Key("asserts").Boolean(false);
#endif
#ifdef __OPTIMIZE__
    json.Key("optimized").Boolean(true);
#else
    json.Key("optimized").Boolean(false);
#endif
    json.End('}');
}

/// Writes how many PFC frames each port has sent. @param json where to @param records the ports
void
WritePfcFrames(JsonWriter& json, const std::vector<PfcFrameRecord>& records)
{
    json.Key("pfc_frames").Begin('[');
    for (const PfcFrameRecord& record : records)
    {
        json.Begin('{');
        json.Key("node").Text(record.node);
        json.Key("port").Integer(Index(record.port));
        json.Key("frames").Integer(record.frames);
        json.End('}');
    }
    json.End(']');
}

/// Writes a place and what was lost there. @param json where to @param drop the record
void
WriteDrop(JsonWriter& json, const DropRecord& drop)
{
    json.Begin('{');
    json.Key("node").Text(drop.node);
    json.Key("port").Integer(Index(drop.port));
    json.Key("priority");
    if (drop.priority)
    {
        json.Integer(Index(*drop.priority));
    }
    else
    {
        json.Null();
    }
    json.Key("lossless_class").Boolean(drop.lossless);
    json.Key("reason").Text(ToString(drop.reason));
    json.Key("frames").Integer(drop.frames);
    json.Key("bytes").Integer(drop.bytes);
    json.End('}');
}

/// Writes the verdict. @param json where to @param verdict what came of the run
/// @param drops what was lost
void
WriteVerdict(JsonWriter& json,
             const ResultsWriter::Verdict& verdict,
             const std::vector<DropRecord>& drops)
{
    json.Key("verdict").Begin('{');
    json.Key("outcome").Text(ResultsWriter::ToString(verdict.outcome));
    json.Key("lost_frames").Integer(verdict.lostFrames);
    json.Key("lost_bytes").Integer(verdict.lostBytes);
    json.Key("lossless_class_lost_frames").Integer(verdict.losslessClassFrames);
    json.Key("lossless_class_lost_bytes").Integer(verdict.losslessClassBytes);
    json.Key("flows").Integer(verdict.flows);
    json.Key("unfinished_flows").Integer(verdict.unfinishedFlows);
    json.Key("problems").Begin('[');
    for (const std::string& problem : verdict.problems)
    {
        json.Text(problem);
    }
    json.End(']');
    json.Key("drops").Begin('[');
    for (const DropRecord& drop : drops)
    {
        WriteDrop(json, drop);
    }
    json.End(']');
    json.End('}');
}

} // namespace

ResultsWriter::ResultsWriter(const std::string& folder)
    : m_folder(folder),
      m_created(std::chrono::steady_clock::now()),
      m_sampler(CreateObject<QueueSampler>())
{
    if (const auto error = m_folder.empty() ? std::nullopt : CheckFolder(m_folder))
    {
        Fail(*error);
    }
}

std::optional<std::string>
ResultsWriter::CheckFolder(const std::string& folder)
{
    const fs::path target = GetTarget(folder);
    if (const auto error = CheckReplaceable(target))
    {
        return error;
    }
    const fs::path trial = GetSibling(target, "partial");
    const auto error = MakeFolder(trial);
    std::error_code ignored;
    fs::remove(trial, ignored);
    return error;
}

void
ResultsWriter::SetCommandLine(int argc, const char* const* argv)
{
    m_commandLine.assign(argv, argv + argc);
}

void
ResultsWriter::SetScheme(const std::string& scheme)
{
    m_scheme = scheme;
}

void
ResultsWriter::AddParameter(const std::string& name, const std::string& value)
{
    m_parameters[name] = value;
}

void
ResultsWriter::AddParameter(const std::string& name, double value)
{
    m_parameters[name] = value;
}

void
ResultsWriter::SetPacketHops(uint64_t hops)
{
    m_packetHops = hops;
}

void
ResultsWriter::AddNode(const std::string& name, Ptr<Node> node)
{
    NS_ABORT_MSG_IF(name.empty() || name.find_first_of(",\"\r\n") != std::string::npos,
                    "ResultsWriter: a node is called \""
                        << name << "\"; a name must not be empty and holds no comma, quote or "
                        << "line break.");
    NS_ABORT_MSG_IF(!m_nodes.emplace(name, node).second,
                    "ResultsWriter: two nodes are called \"" << name << "\".");
    m_drops.Watch(name, node);
}

void
ResultsWriter::AddSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    AddNode(name, node);
    m_pauses.Watch(name, node);
    m_sampler->WatchBuffer(name, node);
}

void
ResultsWriter::AddHost(const std::string& name, Ptr<Node> node)
{
    AddNode(name, node);
}

void
ResultsWriter::AddNic(Ptr<Object> nic)
{
    m_flows.Watch(nic);
    m_nics.push_back(nic);
}

void
ResultsWriter::SetFlows(const FlowList& flows, const Topology& topology)
{
    m_specs.clear();
    for (const FlowSpec& flow : flows)
    {
        m_specs[flow.id] = flow;
    }
    m_hostNames.clear();
    for (const uint32_t host : topology.GetHosts())
    {
        m_hostNames.push_back(topology.GetNodes()[host].name);
    }
}

void
ResultsWriter::SetIdealFct(IdealFct ideal)
{
    m_ideal = std::move(ideal);
}

Ptr<QueueSampler>
ResultsWriter::GetSampler() const
{
    return m_sampler;
}

const PauseRecorder&
ResultsWriter::GetPauses() const
{
    return m_pauses;
}

const DropRecorder&
ResultsWriter::GetDrops() const
{
    return m_drops;
}

const FlowRecorder&
ResultsWriter::GetFlows() const
{
    return m_flows;
}

std::vector<ResultsWriter::FlowRow>
ResultsWriter::GetFlowRows() const
{
    std::map<uint64_t, FlowRow> rows;
    for (const auto& [id, record] : m_flows.GetFlows())
    {
        FlowRow& row = rows[id];
        row.source = ToText(record.source);
        row.destination = ToText(record.flow.destination);
        row.priority = Index(record.flow.priority);
        row.bytes = record.flow.bytes;
        row.start = record.start;
        if (FlowRecorder::IsFinished(record))
        {
            row.fct = record.GetCompletionTime();
        }
    }
    for (const auto& [id, spec] : m_specs)
    {
        const auto [place, isNew] = rows.try_emplace(id);
        FlowRow& row = place->second;
        row.source = m_hostNames.at(spec.source);
        row.destination = m_hostNames.at(spec.destination);
        row.priority = spec.priority;
        row.bytes = spec.bytes;
        row.start = isNew ? spec.start : row.start;
        row.ideal = m_ideal ? std::optional(m_ideal(spec)) : std::nullopt;
        row.group = spec.group;
    }
    std::vector<FlowRow> list;
    for (auto& [id, row] : rows)
    {
        row.id = id;
        list.push_back(std::move(row));
    }
    return list;
}

ResultsWriter::Verdict
ResultsWriter::GetVerdict() const
{
    Verdict verdict;
    JudgeDrops(verdict);
    JudgeFlows(verdict);
    if (verdict.losslessClassFrames > 0)
    {
        verdict.outcome = Outcome::VIOLATED;
    }
    else if (verdict.unfinishedFlows > 0)
    {
        verdict.outcome = Outcome::UNFINISHED;
    }
    else if (verdict.lostFrames > 0)
    {
        verdict.outcome = Outcome::LOSSY;
    }
    return verdict;
}

void
ResultsWriter::JudgeDrops(Verdict& verdict) const
{
    DropRecord worst;
    uint64_t places = 0;
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        verdict.lostFrames += drop.frames;
        verdict.lostBytes += drop.bytes;
        if (drop.lossless)
        {
            verdict.losslessClassFrames += drop.frames;
            verdict.losslessClassBytes += drop.bytes;
            worst = drop.bytes > worst.bytes ? drop : worst;
            ++places;
        }
    }
    if (places > 0)
    {
        std::ostringstream text;
        text << "Frames lost in lossless classes: " << verdict.losslessClassFrames << " ("
             << verdict.losslessClassBytes << " B); most at " << worst.node << ", port "
             << Index(worst.port) << ", class " << Index(*worst.priority) << " ("
             << lossless::ToString(worst.reason) << "): " << worst.frames << " (" << worst.bytes
             << " B).";
        verdict.problems.push_back(text.str());
    }
}

void
ResultsWriter::JudgeFlows(Verdict& verdict) const
{
    std::optional<FlowRow> first;
    for (const FlowRow& row : GetFlowRows())
    {
        ++verdict.flows;
        if (!row.fct)
        {
            ++verdict.unfinishedFlows;
            first = first ? first : row;
        }
    }
    if (first)
    {
        std::ostringstream text;
        text << verdict.unfinishedFlows << " of " << verdict.flows << " flows unfinished after "
             << Ns(Simulator::Now()) << " ns; the first is flow " << first->id << " from "
             << first->source << " to " << first->destination << " (" << first->bytes << " B).";
        verdict.problems.push_back(text.str());
    }
}

std::optional<std::string>
ResultsWriter::Write() const
{
    if (m_folder.empty())
    {
        return std::nullopt;
    }
    const fs::path target = GetTarget(m_folder);
    const fs::path partial = GetSibling(target, "partial");
    auto error = CheckReplaceable(target);
    error = error ? error : MakeFolder(partial);
    using Writer = void (ResultsWriter::*)(std::ostream&) const;
    const std::array<Writer, FILES.size()> writers = {&ResultsWriter::WriteRun,
                                                      &ResultsWriter::WriteFlows,
                                                      &ResultsWriter::WritePauses,
                                                      &ResultsWriter::WriteQueues,
                                                      &ResultsWriter::WriteDrops};
    for (std::size_t i = 0; !error && i < FILES.size(); ++i)
    {
        error = WriteFile(partial / FILES[i], [&](std::ostream& os) { (this->*writers[i])(os); });
    }
    error = error ? error : Install(partial, target);
    if (error)
    {
        std::error_code ignored;
        fs::remove_all(partial, ignored);
    }
    return error;
}

ResultsWriter::Verdict
ResultsWriter::Finish() const
{
    if (const auto error = Write())
    {
        Fail(*error);
    }
    const Verdict verdict = GetVerdict();
    for (const std::string& problem : verdict.problems)
    {
        std::cerr << problem << std::endl;
    }
    return verdict;
}

const char*
ResultsWriter::ToString(Outcome outcome)
{
    constexpr std::array<const char*, 4> names = {"violated", "unfinished", "lossy", "lossless"};
    return names[static_cast<std::size_t>(outcome)];
}

void
ResultsWriter::WriteParameters(JsonWriter& json) const
{
    json.Key("parameters").Begin('{');
    for (const auto& [name, value] : m_parameters)
    {
        json.Key(name);
        if (const auto* number = std::get_if<double>(&value))
        {
            json.Number(*number);
        }
        else
        {
            json.Text(std::get<std::string>(value));
        }
    }
    json.End('}');
}

void
ResultsWriter::WriteCounts(JsonWriter& json) const
{
    using Seconds = std::chrono::duration<double>;
    const Seconds wall = std::chrono::steady_clock::now() - m_created;
    json.Key("wall_s").Number(std::round(wall.count() * 1e3) / 1e3);
    json.Key("cpu_s").Number(std::round(1e3 * std::clock() / CLOCKS_PER_SEC) / 1e3);
    json.Key("simulated_ns").Integer(Ns(Simulator::Now()));
    json.Key("events").Integer(Simulator::GetEventCount());
    json.Key("packet_hops");
    if (m_packetHops)
    {
        json.Integer(*m_packetHops);
    }
    else
    {
        json.Null();
    }
    uint64_t retransmitted = 0;
    for (const Ptr<Object>& nic : m_nics)
    {
        auto roce = DynamicCast<RoceNic>(nic);
        retransmitted += roce ? roce->GetCounts().retransmitted : 0;
    }
    json.Key("retransmitted_packets").Integer(retransmitted);
}

void
ResultsWriter::WriteAttributes(JsonWriter& json) const
{
    AttributeSurvey survey;
    survey.AddDefaults();
    for (const auto& [name, node] : m_nodes)
    {
        survey.AddObject(DynamicCast<SwitchNode>(node));
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i)))
            {
                survey.AddObject(device);
                survey.AddObject(device->GetGate());
                survey.AddObject(device->GetChannel());
            }
        }
    }
    for (const Ptr<Object>& nic : m_nics)
    {
        survey.AddObject(nic);
    }
    survey.AddObject(m_sampler);
    json.Key("attributes");
    survey.Write(json);
}

void
ResultsWriter::WriteRun(std::ostream& os) const
{
    JsonWriter json(os);
    json.Begin('{');
    json.Key("schema").Text(SCHEMA);
    json.Key("schema_version").Integer(SCHEMA_VERSION);
    json.Key("program").Text(
        m_commandLine.empty() ? "" : fs::path(m_commandLine.front()).filename().string());
    json.Key("command_line").Begin('[');
    for (const std::string& argument : m_commandLine)
    {
        json.Text(argument);
    }
    json.End(']');
    json.Key("scheme").Text(m_scheme);
    WriteParameters(json);
    json.Key("seed").Integer(RngSeedManager::GetSeed());
    json.Key("run").Integer(RngSeedManager::GetRun());
    WriteVersions(json);
    WriteCounts(json);
    WriteVerdict(json, GetVerdict(), m_drops.GetDrops());
    WritePfcFrames(json, m_pauses.GetFrames());
    WriteAttributes(json);
    json.End('}');
    os << '\n';
}

void
ResultsWriter::WriteFlows(std::ostream& os) const
{
    os << "id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group\n";
    os << std::fixed << std::setprecision(6);
    for (const FlowRow& row : GetFlowRows())
    {
        os << row.id << ',' << row.source << ',' << row.destination << ',' << row.priority << ','
           << row.bytes << ',' << Ns(row.start) << ',';
        if (row.fct)
        {
            os << Ns(*row.fct);
        }
        os << ',';
        if (row.ideal)
        {
            os << Ns(*row.ideal);
        }
        os << ',';
        if (row.fct && row.ideal && row.ideal->IsStrictlyPositive())
        {
            os << static_cast<double>(row.fct->GetTimeStep()) /
                      static_cast<double>(row.ideal->GetTimeStep());
        }
        os << ',' << row.group << '\n';
    }
}

void
ResultsWriter::WritePauses(std::ostream& os) const
{
    os << "node,port,priority,pauses,resumes,paused_ns,first_pause_ns\n";
    for (const PauseRecord& record : m_pauses.GetPauses())
    {
        os << record.node << ',' << Index(record.port) << ',';
        if (record.priority)
        {
            os << Index(*record.priority);
        }
        else
        {
            os << "port";
        }
        os << ',' << record.pauses << ',' << record.resumes << ',' << Ns(record.paused) << ','
           << Ns(record.firstPause) << '\n';
    }
}

void
ResultsWriter::WriteQueues(std::ostream& os) const
{
    os << "time_ns,node,port,side,priority,bytes,shared_bytes,headroom_bytes\n";
    for (const QueueSample& sample : m_sampler->GetSamples())
    {
        const bool isBuffer = sample.side == QueueSide::BUFFER;
        os << Ns(sample.time) << ',' << sample.node << ',';
        os << (isBuffer ? "" : std::to_string(Index(sample.queue.port))) << ','
           << lossless::ToString(sample.side) << ','
           << (isBuffer ? "" : std::to_string(Index(sample.queue.priority))) << ',' << sample.bytes
           << ',';
        if (sample.side == QueueSide::EGRESS)
        {
            os << ",\n";
        }
        else
        {
            os << sample.shared << ',' << sample.headroom << '\n';
        }
    }
}

void
ResultsWriter::WriteDrops(std::ostream& os) const
{
    os << "node,port,priority,reason,frames,bytes,first_ns,last_ns\n";
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        os << drop.node << ',' << Index(drop.port) << ','
           << (drop.priority ? std::to_string(Index(*drop.priority)) : "") << ','
           << lossless::ToString(drop.reason) << ',' << drop.frames << ',' << drop.bytes << ','
           << Ns(drop.first) << ',' << Ns(drop.last) << '\n';
    }
}

} // namespace ns3::lossless
