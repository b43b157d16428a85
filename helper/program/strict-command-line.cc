// SPDX-License-Identifier: GPL-2.0-only
#include "strict-command-line.h"

#include "attribute-survey.h"
#include "attribute-text.h"
#include "error-exit.h"
#include "lossless-version.h"
#include "option-names.h"
#include "run-spec.h"

#include "ns3/abort.h"
#include "ns3/factory-attribute.h"
#include "ns3/pointer.h"
#include "ns3/text-lines.h"
#include "ns3/type-id.h"

#include <boost/algorithm/string.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>

namespace ns3::lossless
{

namespace
{

/// @return the name of the option in an argument
std::string
GetName(const std::string& argument)
{
    const std::size_t begin = std::min(argument.find_first_not_of('-'), argument.size());
    return argument.substr(begin, argument.find('=') - begin);
}

/// Wraps a help text so that its lines end before column 100.
/// @param defaultValue the default, which ns-3 adds in brackets
/// @param indent the first column of the text
std::string
Wrap(const std::string& help, const std::string& defaultValue, std::size_t indent)
{
    constexpr std::size_t WIDTH = 99;
    std::istringstream words(help);
    std::string text;
    std::size_t column = indent;
    const auto breakBefore = [&](std::size_t length) {
        const bool isTooLong = column > indent && column + 1 + length > WIDTH;
        text += isTooLong ? "\n" + std::string(indent, ' ') : "";
        column = isTooLong ? indent : column;
    };
    for (std::string word; words >> word;)
    {
        breakBefore(word.size());
        text += column > indent ? " " : "";
        column += word.size() + (column > indent ? 1 : 0);
        text += word;
    }
    breakBefore(defaultValue.size() + 2);
    return column > indent ? text : text.substr(0, text.size() - 1); // ns-3 adds a space
}

constexpr const char* SETTINGS = "settings";
constexpr const char* SPEC = "spec";

/// The options that every ns-3 program has.
const std::set<std::string> COMMON_OPTIONS{"PrintHelp",
                                           "help",
                                           "PrintVersion",
                                           "version",
                                           "PrintGlobals",
                                           "PrintGroups",
                                           "PrintGroup",
                                           "PrintTypeIds",
                                           "PrintAttributes"};

/// The names that options had before 1.0.0 or have in other programs, mapped to the current names.
const std::multimap<std::string, std::string> RENAMED{
    {"duration", "stop"},
    {"alpha", "ns3::lossless::SihBufferPolicy::Alpha"},
    {"bandwidth", "rate"},
    {"cc", "congestion-control"},
    {"fan-in", "incast-senders"},
    {"incast", "incast-load"},
    {"incast", "incast-senders"},
    {"latency", "delay"},
    {"list", "help"},
    {"out", "output"},
    {"runs", "RngRun"},
    {"seed", "RngRun"},
    {"seeds", "RngRun"},
    {"time", "stop"},
    {"workload", "sizes"},
    {"fan-in-bytes", "incast-bytes"},
    {"fan-in-load", "incast-load"},
    {"flow-file", "flows"},
    {"limit", "stop"},
    {"max-fan-in", "max-incast-senders"},
    {"topology-file", "topology"},
    {"uplink-rate", "fabric-rate"}};

/// The global values that are names of types, and the required base classes. ns-3 crashes if the
/// type has another base class.
const std::map<std::string, std::string> TYPES_OF_GLOBALS{
    {"SchedulerType", "ns3::Scheduler"},
    {"SimulatorImplementationType", "ns3::SimulatorImpl"}};

/// @return the settings that ns-3 reads from the environment, as arguments. The types of the
/// simulator and of its event list are omitted, because results do not depend on them.
std::vector<std::string>
ReadEnvironment()
{
    std::vector<std::string> arguments;
    for (const char* variable : {"NS_ATTRIBUTE_DEFAULT", "NS_GLOBAL_VALUE"})
    {
        const char* text = std::getenv(variable);
        for (const std::string& part : Split(text ? text : "", ';'))
        {
            const std::size_t equal = part.find('=');
            const bool isSetting =
                equal != std::string::npos && TYPES_OF_GLOBALS.count(part.substr(0, equal)) == 0;
            arguments.insert(arguments.end(), isSetting ? 1 : 0, "--" + part);
        }
    }
    return arguments;
}

} // namespace

StrictCommandLine::StrictCommandLine(const std::string& file, const std::string& usage)
    : m_commandLine(file)
{
    const std::size_t slash = file.find_last_of('/');
    const std::string name = file.substr(slash == std::string::npos ? 0 : slash + 1);
    m_speaker = name.substr(0, name.find('.'));
    m_commandLine.Usage(Wrap(usage, "", 0));
    EndErrorsBySentence(m_speaker);
}

void
StrictCommandLine::BeginGroup(const std::string& title, const std::string& example)
{
    const auto found = std::find_if(m_groups.begin(), m_groups.end(), [&](const HelpGroup& group) {
        return group.title == title;
    });
    m_inGroups.push_back(static_cast<std::size_t>(found - m_groups.begin()));
    if (found == m_groups.end())
    {
        m_groups.push_back({title, example, {}});
    }
}

void
StrictCommandLine::EndGroup()
{
    m_inGroups.pop_back();
}

void
StrictCommandLine::NoteName(const std::string& name)
{
    static const std::regex allowed("[A-Za-z][A-Za-z0-9_-]*");
    NS_ABORT_MSG_IF(!std::regex_match(name, allowed),
                    "StrictCommandLine: \"" << name
                                            << "\" is no name of an option; it must have letters, "
                                               "digits, _ and -, a letter first.");
    const bool isTaken =
        COMMON_OPTIONS.count(name) > 0 || FindGlobalValue(name) || !m_names.insert(name).second;
    NS_ABORT_MSG_IF(isTaken, "StrictCommandLine: there is an option --" << name << " already.");
    NS_ABORT_MSG_IF(!m_arguments.empty(),
                    "StrictCommandLine: --" << name << " is added after Parse().");
    m_groups[m_inGroups.back()].names.insert(name);
}

void
StrictCommandLine::OfferShortHelp(const std::vector<std::string>& options,
                                  const std::vector<std::string>& examples)
{
    m_everyday = options;
    m_examples = examples;
}

void
StrictCommandLine::ShowHelp(const std::string& argument) const
{
    const std::string help = "--help";
    const std::string wanted = argument.substr(std::min(argument.size(), help.size()));
    const bool isAll =
        argument == "--PrintHelp" || wanted == "=all" || (wanted.empty() && m_everyday.empty());
    if (argument != "--PrintHelp" &&
        (argument.compare(0, help.size(), help) != 0 || (!wanted.empty() && wanted[0] != '=')))
    {
        return;
    }
    std::ostringstream written;
    m_commandLine.PrintHelp(written);
    const HelpText text(written.str(), m_groups);
    if (isAll || wanted.empty())
    {
        std::cout << (isAll ? text.ShowAll() : text.ShowShort(m_everyday, m_examples));
        std::exit(0);
    }
    const auto group = text.ShowGroup(wanted.substr(1));
    Require(group.has_value(),
            "--help is \"" + wanted.substr(1) +
                "\"; it must be all or a group: " + text.ListGroups());
    std::cout << *group;
    std::exit(0);
}

void
StrictCommandLine::AddValues(std::initializer_list<Value> values)
{
    for (const Value& value : values)
    {
        value.add(*this);
    }
}

void
StrictCommandLine::OfferSettings()
{
    m_hasSettings = true;
    AddReader(
        SETTINGS,
        "File with options, one \"name = value\" per line; the command line takes precedence.",
        "",
        // This function is never called with a file name, because the file is read before all other
        // options.
        [](const std::string&) { return "a file, as --settings=run.ini"; });
    AddReader(SPEC,
              "File with options in JSON, or the run.json of results, whose run is repeated; the "
              "command line takes precedence.",
              "",
              [](const std::string&) { return "a file, as --spec=my-run/run.json"; });
}

void
StrictCommandLine::OfferForeignSettings(const std::string& name,
                                        const std::string& help,
                                        const Translator& translate)
{
    m_foreign[name] = translate;
    AddReader(name, help, "", [name](const std::string&) {
        return "a file, as --" + name + "=FILE";
    });
}

std::vector<std::string>
StrictCommandLine::ReadSpec(const std::vector<std::string>& arguments,
                            std::map<std::string, std::string>& origins)
{
    const auto isSpec = [](const std::string& argument) {
        return argument[0] == '-' && GetName(argument) == SPEC &&
               argument.find('=') != std::string::npos;
    };
    const auto spec = std::find_if(arguments.begin(), arguments.end(), isSpec);
    if (!m_hasSettings || spec == arguments.end())
    {
        return arguments;
    }
    Require(std::find_if(spec + 1, arguments.end(), isSpec) == arguments.end(),
            std::string("--") + SPEC + " is given twice; write it once");
    m_hasSpec = true;
    m_settingsFiles.push_back(FindRunSpec(spec->substr(spec->find('=') + 1)));
    std::set<std::string> names;
    std::transform(arguments.begin(), arguments.end(), std::inserter(names, names.end()), GetName);
    std::vector<std::string> all(arguments.begin(), spec);
    for (const std::string& argument : ReadRunSpec(m_settingsFiles.back(), m_speaker))
    {
        const std::string name = GetName(argument);
        Require(name != SPEC && name != "output" && COMMON_OPTIONS.count(name) == 0,
                m_settingsFiles.back() + ": --" + name + " is for the command line alone");
        if (names.count(name) == 0)
        {
            all.push_back(argument);
            origins[name] = m_settingsFiles.back();
        }
    }
    all.insert(all.end(), spec + 1, arguments.end());
    return all;
}

bool
StrictCommandLine::TryReadSettings(const std::string& argument)
{
    const std::size_t equal = argument.find('=');
    const std::string name = GetName(argument);
    if (argument[0] != '-' || equal == std::string::npos)
    {
        return false;
    }
    const std::string path = argument.substr(equal + 1);
    const auto foreign = m_foreign.find(name);
    if (m_hasSettings && name == SETTINGS)
    {
        ReadSettings(path);
    }
    else if (foreign != m_foreign.end())
    {
        m_foreignFiles.push_back(argument);
        ReadForeignSettings(path, foreign->second);
    }
    else
    {
        return false;
    }
    m_settingsFiles.push_back(path);
    return true;
}

void
StrictCommandLine::ReadForeignSettings(const std::string& path, const Translator& translate)
{
    const std::string program = m_speaker;
    for (const auto& [option, origin] : translate(path))
    {
        m_speaker = program + ": " + origin;
        m_origins[GetName(option)] = origin;
        m_translated.insert(GetName(option));
        ReadArguments({"--" + option});
    }
    m_speaker = program;
}

void
StrictCommandLine::Parse(int argc, char* argv[])
{
    RegisterOptions();
    m_arguments.assign(argv, argv + 1);
    std::vector<std::string> own;
    std::set<std::string> names;
    std::map<std::string, std::string> ofSpec;
    m_typed = ReadSpec({argv + 1, argv + argc}, ofSpec);
    for (const std::string& given : m_typed)
    {
        const std::string argument = given == "-h" ? "--help" : given;
        Require(!argument.empty() && argument[0] == '-',
                "\"" + argument + "\" is not an option; " +
                    (m_names.size() == 1
                         ? "write --" + *m_names.begin() + "=" + argument
                         : "options are written --name=value, and --help lists them"));
        ShowVersion(argument);
        ShowHelp(argument);
        RequireOnce(argument, names);
        if (!TryReadSettings(argument))
        {
            own.push_back(argument);
        }
    }
    const auto isOverridden = [&names](const std::string& argument) {
        return names.count(GetName(argument)) > 0;
    };
    m_arguments.erase(std::remove_if(m_arguments.begin() + 1, m_arguments.end(), isOverridden),
                      m_arguments.end());
    for (const std::string& name : names)
    {
        m_translated.erase(name);
        m_origins.erase(name);
    }
    m_origins.insert(ofSpec.begin(), ofSpec.end());
    ReadArguments(own);
    NoteAttributes();
}

void
StrictCommandLine::NoteAttributes()
{
    AttributeSurvey defaults;
    defaults.AddDefaults();
    for (const std::string& argument : m_arguments)
    {
        const std::string given = GetName(argument);
        const auto option = m_attributeOf.find(given);
        const std::string name = option == m_attributeOf.end() ? given : option->second;
        const auto checker = FindAttribute(name);
        const bool isOurs = m_translated.count(given) == 0 && checker;
        const auto values = isOurs ? defaults.GetValues(name) : std::set<std::string>();
        if (!values.empty())
        {
            // The survey contains the type of an object, but not its settings in brackets.
            const bool isObject = dynamic_cast<const PointerChecker*>(PeekPointer(checker));
            const std::string value =
                isObject ? argument.substr(argument.find('=') + 1) : *values.begin();
            const auto [first, isFirst] = m_attributes.try_emplace(name, value, given);
            Require(isFirst,
                    "--" + first->second.second + " and --" + given +
                        " are names of one attribute; leave one out");
        }
    }
}

void
StrictCommandLine::Withdraw(const std::vector<std::string>& options, const std::string& reason)
{
    for (const std::string& option : options)
    {
        NS_ABORT_MSG_IF(m_names.count(option) == 0,
                        "StrictCommandLine: there is no option " << option << ".");
        m_withdrawn[option] = reason;
    }
}

void
StrictCommandLine::JudgesEffect(const std::string& option)
{
    m_judged.insert(option);
}

void
StrictCommandLine::WithdrawGroup(const std::string& title, const std::string& reason)
{
    const auto found = std::find_if(m_groups.begin(), m_groups.end(), [&](const HelpGroup& group) {
        return group.title == title;
    });
    NS_ABORT_MSG_IF(found == m_groups.end(),
                    "StrictCommandLine: there is no group \"" << title << "\".");
    Withdraw({found->names.begin(), found->names.end()}, reason);
}

void
StrictCommandLine::ReadSettings(const std::string& path)
{
    std::ifstream input = OpenText(path);
    TextLines lines(input, path);
    const std::string program = m_speaker;
    std::set<std::string> names;
    const auto error = CatchComplaint([&] {
        while (lines.Next())
        {
            const std::string origin = path + ":" + std::to_string(lines.GetNumber());
            m_speaker = program + ": " + origin;
            const std::string argument = MakeArgument(lines.Get());
            if (!argument.empty())
            {
                RequireOnce(argument, names);
                m_origins[GetName(argument)] = origin;
                ReadArguments({argument});
                m_translated.erase(GetName(argument));
            }
        }
    });
    m_speaker = program;
    RequireFit(error);
}

std::string
StrictCommandLine::MakeArgument(const std::string& line) const
{
    const std::string text = boost::algorithm::trim_copy(line);
    if (text.empty() || text[0] == '#' || text[0] == ';')
    {
        return "";
    }
    const std::size_t equal = text.find('=');
    Require(equal != std::string::npos && equal > 0 && text[0] != '-',
            "\"" + text + "\" is not a setting; write name = value");
    const std::string name = boost::algorithm::trim_copy(text.substr(0, equal));
    Require(name != SETTINGS && name != SPEC && m_foreign.count(name) == 0,
            "a file of settings cannot name another one");
    Require(COMMON_OPTIONS.count(name) == 0, "--" + name + " is for the command line alone");
    return "--" + name + "=" + boost::algorithm::trim_copy(text.substr(equal + 1));
}

void
StrictCommandLine::ReadArguments(const std::vector<std::string>& arguments)
{
    std::vector<std::string> all{m_arguments.front()};
    for (const std::string& argument : arguments)
    {
        RequireOption(argument);
        all.push_back(argument);
        m_arguments.push_back(argument);
    }
    m_commandLine.Parse(all);
    for (const std::string& argument : arguments)
    {
        const auto option = m_emptyOptions.find(GetName(argument));
        Require(option == m_emptyOptions.end() || argument.find('=') != std::string::npos,
                "--" + GetName(argument) + " has no value; it takes: " +
                    (option == m_emptyOptions.end()
                         ? ""
                         : option->second.substr(0, option->second.find_last_not_of('.') + 1)));
    }
}

std::string
StrictCommandLine::FindTyped(const std::string& name) const
{
    const auto found = std::find_if(m_typed.begin(), m_typed.end(), [&](const std::string& text) {
        return text[0] == '-' && GetName(text) == name && text.find('=') != std::string::npos;
    });
    return found == m_typed.end() ? "" : found->substr(found->find('=') + 1);
}

bool
StrictCommandLine::IsGiven(const std::string& name) const
{
    return std::any_of(m_arguments.begin() + 1,
                       m_arguments.end(),
                       [&name](const std::string& text) { return GetName(text) == name; });
}

void
StrictCommandLine::RequireOnce(const std::string& argument, std::set<std::string>& names) const
{
    const std::string name = GetName(argument);
    Require(argument[0] != '-' || names.insert(name).second,
            "--" + name + " is given twice; write it once");
}

void
StrictCommandLine::ShowVersion(const std::string& argument)
{
    if (argument == "--version" || argument == "--PrintVersion")
    {
        std::cout << DescribeVersion() << std::endl;
        std::exit(0);
    }
}

std::string
StrictCommandLine::AddRange(const std::string& help, const std::string& range)
{
    const std::string sentence = help.substr(0, help.find_last_not_of('.') + 1);
    // Times and sizes are never negative, so the range "at least 0" is omitted.
    const bool isPlain = range.empty() || range == Range{0}.Describe();
    return isPlain ? help : sentence + " (" + range + ").";
}

std::vector<const char*>
StrictCommandLine::GetArguments() const
{
    std::vector<const char*> arguments(m_arguments.size());
    std::transform(m_arguments.begin(),
                   m_arguments.end(),
                   arguments.begin(),
                   [](const std::string& argument) { return argument.c_str(); });
    return arguments;
}

std::string
StrictCommandLine::MakeSpec(const std::set<std::string>& leftOut) const
{
    std::vector<std::string> arguments = ReadEnvironment();
    arguments.insert(arguments.end(), m_foreignFiles.begin(), m_foreignFiles.end());
    std::copy_if(m_arguments.begin() + 1,
                 m_arguments.end(),
                 std::back_inserter(arguments),
                 [&](const std::string& argument) {
                     const std::string name = GetName(argument);
                     return leftOut.count(name) == 0 && m_translated.count(name) == 0;
                 });
    return FormatRunSpec(m_speaker, arguments);
}

void
StrictCommandLine::RequireOption(const std::string& argument) const
{
    const std::size_t dashes =
        std::min({argument.find_first_not_of('-'), std::size_t{2}, argument.size()});
    const std::size_t equal = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(dashes, equal - dashes);
    const std::string given = argument.substr(std::min(equal + 1, argument.size()));
    const auto withdrawn = m_withdrawn.find(name);
    const bool isWithdrawn = withdrawn != m_withdrawn.end();
    Require(!isWithdrawn,
            "--" + name + " has no effect, since " + (isWithdrawn ? withdrawn->second : ""));
    if (m_names.count(name) > 0 || COMMON_OPTIONS.count(name) > 0)
    {
        return;
    }
    const Ptr<const AttributeChecker> attribute = FindAttribute(name);
    const Ptr<const AttributeChecker> checker = attribute ? attribute : FindGlobalValue(name);
    if (!checker)
    {
        RefuseName(name);
    }
    const auto base = TYPES_OF_GLOBALS.find(name);
    if (base != TYPES_OF_GLOBALS.end())
    {
        RequireType(given, TypeId::LookupByName(base->second));
    }
    // ns-3 rejects other seeds only when the first random number is drawn (RngSeedManager).
    const Range seeds{1, 4294944442};
    uint64_t seed = 0;
    const bool isBad = name == "RngSeed" && ReadOption(given, seed).empty() &&
                       !seeds.Has(static_cast<double>(seed));
    RequireAllowed(name, given, isBad ? seeds.Describe() : CheckAttribute(given, *checker));
}

void
StrictCommandLine::RequireAllowed(const std::string& name,
                                  const std::string& given,
                                  const std::string& allowed) const
{
    Require(allowed.empty(), "--" + name + " is \"" + given + "\"; it must be " + allowed);
}

void
StrictCommandLine::RefuseName(const std::string& name) const
{
    const bool isAttribute = name.find("::") != std::string::npos;
    std::vector<std::string> known(m_names.begin(), m_names.end());
    const auto globals = GetGlobalValueNames();
    known.insert(known.end(), globals.begin(), globals.end());
    auto similar = isAttribute ? FindSimilarAttributes(name) : FindSimilarNames(name, known);
    const auto [first, last] = RENAMED.equal_range(name);
    std::vector<std::string> meant;
    for (auto other = first; other != last; ++other)
    {
        const bool isThere = m_names.count(other->second) > 0 ||
                             COMMON_OPTIONS.count(other->second) > 0 ||
                             FindAttribute(other->second) || FindGlobalValue(other->second);
        meant.insert(meant.end(), isThere ? 1 : 0, other->second);
    }
    similar = meant.empty() ? similar : meant;
    const std::string where =
        isAttribute ? "print-attributes lists attributes" : "--help lists the options";
    Require(false,
            std::string("there is no ") + (isAttribute ? "attribute" : "option") + " --" + name +
                "; " +
                (similar.empty() ? where : "write --" + boost::algorithm::join(similar, " or --")));
}

void
StrictCommandLine::Require(bool condition, const std::string& sentence) const
{
    if (!condition)
    {
        const std::string end = sentence.back() == '?' ? "" : ".";
        std::cerr << EscapeControls(m_speaker + ": " + sentence + NameOrigins(sentence) + end)
                  << std::endl;
        std::exit(1);
    }
}

std::string
StrictCommandLine::NameOrigins(const std::string& sentence) const
{
    std::string origins;
    for (const auto& [name, origin] : m_origins)
    {
        const std::string option = "--" + name;
        const std::size_t end = sentence.find(option) + option.size();
        const bool isNamed =
            sentence.find(option) != std::string::npos &&
            (end == sentence.size() || sentence.find_first_of(" ,;.=", end) == end);
        if (isNamed && m_speaker.find(origin) == std::string::npos)
        {
            origins += (origins.empty() ? "" : ", ") + option + " comes from " + origin;
        }
    }
    return origins.empty() ? "" : " (" + origins + ")";
}

void
StrictCommandLine::RequireFit(const std::optional<std::string>& misfit,
                              const std::string& where) const
{
    Require(!misfit, where + misfit.value_or(""));
}

void
StrictCommandLine::RequireUse(const std::vector<std::string>& options,
                              bool areUsed,
                              const std::string& purpose) const
{
    for (const std::string& option : options)
    {
        Require(areUsed || !IsGiven(option), "--" + option + " is for " + purpose);
    }
}

void
StrictCommandLine::AddReader(const std::string& name,
                             const std::string& help,
                             const std::string& text,
                             const Reader& reader)
{
    NoteName(name);
    m_options.push_back({name, help, text, reader});
    if (text.empty())
    {
        m_emptyOptions[name] = help;
    }
}

void
StrictCommandLine::HideWithdrawn()
{
    const auto isHidden = [this](const std::string& argument) {
        return m_withdrawn.count(GetName(argument)) > 0;
    };
    for (HelpGroup& group : m_groups)
    {
        for (const auto& [name, reason] : m_withdrawn)
        {
            group.names.erase(name);
        }
        std::vector<std::string> examples = Split(group.example, ' ');
        examples.erase(std::remove_if(examples.begin(), examples.end(), isHidden), examples.end());
        group.example = boost::algorithm::join(examples, " ");
    }
}

void
StrictCommandLine::RegisterOptions()
{
    HideWithdrawn();
    // Before the help text, ns-3 prints four spaces, two dashes, the longest name, a colon and two
    // spaces.
    constexpr std::size_t BESIDE_NAME = 9;
    std::size_t indent = 0;
    for (const HelpGroup& group : m_groups)
    {
        for (const std::string& name : group.names)
        {
            indent = std::max(indent, BESIDE_NAME + name.size());
        }
    }
    for (const Option& option : m_options)
    {
        if (m_withdrawn.count(option.name) > 0)
        {
            continue; // RequireOption() rejects it
        }
        // A Callback with a named argument type is not portable, because the string is passed by
        // value up to ns-3.37 and by reference in later versions.
        const auto read = [this, option](const std::string& given) {
            RequireAllowed(option.name, given, option.read(given));
            return true;
        };
        m_commandLine.AddValue(option.name,
                               Wrap(option.help, option.defaultValue, indent),
                               read,
                               option.defaultValue);
    }
    m_options.clear();
}

} // namespace ns3::lossless
