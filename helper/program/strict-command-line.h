// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STRICT_COMMAND_LINE_H
#define LOSSLESS_STRICT_COMMAND_LINE_H

#include "help-text.h"

#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/named-choices.h"
#include "ns3/nstime.h"
#include "ns3/option-text.h"
#include "ns3/part-registry.h"
#include "ns3/quantity-text.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::lossless
{

class AttributeSurvey;

/**
 * @ingroup lossless
 * A strict version of ns-3's CommandLine, which parses a number by its first characters ("1e6" is
 * 1, "16MB" 16, "-5" 2^64 - 5), takes a rate without a unit as bit/s, and ignores words that are
 * not options. This class rejects them with a message and exit status 1, also in numbers, times,
 * rates and names given for attributes. An unknown name is answered with similar names of options
 * and attributes. All other errors end the program in the same way, see EndErrorsBySentence().
 */
class StrictCommandLine
{
  public:
    /// @param file the program's __FILE__
    /// @param usage a sentence for `--help`
    StrictCommandLine(const std::string& file, const std::string& usage);

    /// Starts a group: `--help` shows the options added until EndGroup() together. Groups may be
    /// nested; options outside groups come first.
    /// @param title of a new group, or of an existing one to be extended
    /// @param example of use, such as "--scheme=DSH"
    void BeginGroup(const std::string& title, const std::string& example);
    /// Continues with the outer group.
    void EndGroup();

    /// Adds an option.
    /// @param help text for `--help`
    /// @param value variable with the default, set by Parse()
    template <typename T>
    void AddValue(const std::string& name, const std::string& help, T& value)
    {
        constexpr bool isRead = std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                                std::is_same_v<T, Time> || std::is_same_v<T, DataRate>;
        if constexpr (isRead)
        {
            AddReader(name, help, Show(value), [&value](const std::string& given) {
                return ReadOption(given, value);
            });
        }
        else
        {
            NoteName(name);
            m_commandLine.AddValue(name, help, value);
        }
    }

    /// Adds an option that is a number, a time or a rate.
    /// @param help text for `--help`, to which the range is added
    /// @param value variable with the default, which may be out of the range; set by Parse()
    /// @param range allowed values
    template <typename T>
    void AddValue(const std::string& name, const std::string& help, T& value, const Range& range)
    {
        const auto read = [&value, range](const std::string& given) {
            const std::string allowed = ReadOption(given, value);
            return allowed.empty() && !range.Has(Measure(value)) ? range.Describe() : allowed;
        };
        AddReader(name, AddRange(help, range.Describe()), Show(value), read);
    }

    /// Adds an option that is a size in bytes, optionally with a unit.
    /// @tparam T a whole number
    /// @param help text for `--help`, to which the range is added
    /// @param value variable with the default, which may be out of the range; set by Parse()
    /// @param range allowed values, without those that the type cannot hold
    template <typename T>
    void AddValue(const std::string& name,
                  const std::string& help,
                  T& value,
                  const ByteRange& range)
    {
        const ByteRange held{range.least,
                             std::min<uint64_t>(range.most, std::numeric_limits<T>::max())};
        const auto read = [&value, held](const std::string& given) {
            uint64_t bytes = value;
            const std::string allowed = held.Read(given, bytes);
            value = static_cast<T>(bytes);
            return allowed;
        };
        AddReader(name, AddRange(help, range.Describe()), FormatBytes(value), read);
    }

    /// An option of AddValue(), in a table of them.
    struct Value
    {
        /// The arguments are those of AddValue().
        template <typename T, typename... RANGE>
        Value(const std::string& name, const std::string& help, T& value, const RANGE&... range)
            : add([=, &value](StrictCommandLine& line) {
                  line.AddValue(name, help, value, range...);
              })
        {
        }

        std::function<void(StrictCommandLine&)> add; ///< to a command line
    };

    /// Adds options in the order of the table.
    void AddValues(std::initializer_list<Value> values);

    /// Adds an option as another name of an attribute: help, range, unit and default are those of
    /// the attribute, and the given value becomes its default.
    /// @param attribute a number, time, rate, truth value or text; its full name, or without the
    /// module's namespace, such as "StarTopology::Hosts"
    /// @param range further limits of the value
    /// @param own the program's default, if it differs from the attribute's
    void AddAttribute(const std::string& option,
                      const std::string& attribute,
                      const Range& range = {},
                      const AttributeValue& own = EmptyAttributeValue());

    /// As above, for an attribute that is a size in bytes, optionally with a unit.
    void AddAttribute(const std::string& option,
                      const std::string& attribute,
                      const ByteRange& range,
                      const AttributeValue& own = EmptyAttributeValue());

    /**
     * Stops the program if an option of AddAttribute() was given that belongs to another part than
     * the chosen one.
     * @tparam INFO of the kind of parts
     * @param option chooses among the parts
     * @param chosen type of the part; Object's: none of them
     * @param given value of the option
     * @param purpose of options that several of the parts have, as in RequireUse()
     */
    template <typename INFO>
    void RequireChosen(const std::string& option,
                       TypeId chosen,
                       const std::string& given,
                       const std::string& purpose) const
    {
        for (const auto& [name, attribute] : m_attributeOf)
        {
            const auto& parts = GetParts<INFO>();
            const TypeId type = TypeId::LookupByName(attribute.substr(0, attribute.rfind("::")));
            const auto isOfIt = [type](const INFO& part) { return part.type == type.GetName(); };
            const auto hasIt = [type](const INFO& part) {
                return TypeId::LookupByName(part.type).IsChildOf(type);
            };
            const auto owner = std::find_if(parts.begin(), parts.end(), isOfIt);
            if (owner == parts.end() && std::none_of(parts.begin(), parts.end(), hasIt))
            {
                continue; // of a part of another kind
            }
            RequireUse({name},
                       chosen == type || chosen.IsChildOf(type),
                       owner == parts.end()
                           ? purpose
                           : "--" + option + "=" + owner->name + ", which is \"" + given + "\"");
        }
    }

    /// Makes `--help` show only a few options and the titles of the groups; `--help=GROUP` shows a
    /// group and `--help=all` everything.
    /// @param options names of the most common ones; all others should be in groups
    void OfferShortHelp(const std::vector<std::string>& options,
                        const std::vector<std::string>& examples);

    /// Adds the option `--settings`, a file of options with one `name = value` per line, without
    /// dashes. Empty lines and lines that begin with # or ; are skipped. The command line overrides
    /// the file. Also adds `--spec`, whose file (run-spec.h) replaces a command line, which others
    /// may complete.
    void OfferSettings();

    /// An option translated from a file of another program.
    struct Translated
    {
        std::string option; ///< such as "name=value"
        std::string origin; ///< for messages: file, line and original text
    };

    /// Translates a file of another program to options of this one.
    using Translator = std::function<std::vector<Translated>(const std::string& path)>;

    /// Adds an option that names a file of settings of another program. The command line overrides
    /// them. @param help text for `--help`
    void OfferForeignSettings(const std::string& name,
                              const std::string& help,
                              const Translator& translate);

    /// Parses the command line, after the file of settings; a bad option stops the program with
    /// exit status 1 and, if from the file, with file and line.
    void Parse(int argc, char* argv[]);

    /// Declares that an option chooses an attribute that the program itself sets.
    /// @param option already added
    /// @param attribute name without the module's namespace, such as "SharedBuffer::Size"
    void SetsAttribute(const std::string& option, const std::string& attribute);

    /// As SetsAttribute(), for an option that does nothing else: it is rejected, as its attribute
    /// would be, where that has no effect; with several attributes, where none has an effect.
    void SetsOnlyAttribute(const std::string& option, const std::string& attribute);

    /// Stops the program if an attribute of this module that the user has set has no effect: the
    /// program sets it itself, uses objects of other types, such as those of another scheme, or has
    /// set another attribute that disables it (AttributeCondition). The same holds for options of
    /// SetsOnlyAttribute(). To be called after the set-up, before the run.
    /// @param addMore adds objects that AttributeSurvey::AddSimulation() does not find
    void RequireEffect(const std::function<void(AttributeSurvey&)>& addMore = nullptr) const;

    /// @return whether Parse() has read the option
    bool IsGiven(const std::string& name) const;

    /// @return files of settings that were read
    const std::vector<std::string>& GetSettingsFiles() const
    {
        return m_settingsFiles;
    }

    /// @return program and arguments as parsed: those of the file replace `--settings`, before all
    /// others; the texts belong to this object and are made by Parse()
    std::vector<const char*> GetArguments() const;

    /// @param leftOut names of options to omit
    /// @return the spec of the given options (run-spec.h), with the names but not the contents of
    /// files of other programs
    std::string MakeSpec(const std::set<std::string>& leftOut) const;

    /// Stops the program with exit status 1 and a message unless the condition holds.
    /// @param sentence what is wrong and what is allowed
    void Require(bool condition, const std::string& sentence) const;

    /// As Require(), if something does not fit.
    /// @param misfit what is wrong, as a Check() returns it; nothing: it fits
    /// @param where precedes the sentence
    void RequireFit(const std::optional<std::string>& misfit, const std::string& where = "") const;

    /// As Require(), if options were given that have no effect in this run.
    /// @param areUsed whether they have an effect
    /// @param purpose what they are for, such as "a watchdog; write --watchdog=drop"
    void RequireUse(const std::vector<std::string>& options,
                    bool areUsed,
                    const std::string& purpose) const;

    /// Looks up the value of an option; an unknown one stops the program as Require() does.
    /// @tparam T a choice, with a member `name`
    /// @param name given value, in any case
    template <typename T>
    T RequireChoice(const std::string& option,
                    const std::vector<T>& choices,
                    const std::string& name) const
    {
        const auto choice = FindByName(choices, name);
        const bool areSeveral = FindByName(choices, name.substr(0, name.find(','))).has_value();
        Require(choice.has_value(),
                "--" + option + " is \"" + name + "\"; it must be one of " + ListNames(choices) +
                    (areSeveral ? "; scripts/sweep makes a run of each of several" : ""));
        return *choice;
    }

  private:
    /// @return a default as shown by `--help`
    template <typename T>
    static std::string Show(const T& value)
    {
        std::ostringstream text;
        text << std::boolalpha;
        if constexpr (std::is_same_v<T, Time>)
        {
            text << FormatTime(value);
        }
        else if constexpr (std::is_same_v<T, DataRate>)
        {
            text << FormatRate(value);
        }
        else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        {
            text << +value; // a number, not a character
        }
        else
        {
            text << value;
        }
        return text.str();
    }

    /// @return value that a Range compares
    template <typename T>
    static double Measure(const T& value)
    {
        if constexpr (std::is_same_v<T, Time>)
        {
            return value.GetSeconds();
        }
        else if constexpr (std::is_same_v<T, DataRate>)
        {
            return static_cast<double>(value.GetBitRate());
        }
        else
        {
            return static_cast<double>(value);
        }
    }

    /// @param range allowed values; empty: all
    /// @return the help with the range
    static std::string AddRange(const std::string& help, const std::string& range);

    /// Adds an option to the group.
    void NoteName(const std::string& name);
    /// Prints the help and ends the program, if the argument, with its dashes, requests it.
    void ShowHelp(const std::string& argument) const;

    /// Passes the options of AddReader() to ns-3, with texts wrapped to fit next to their names.
    void RegisterOptions();

    /// @return the arguments, with `--spec` replaced by those of its file that are not given as
    /// well
    std::vector<std::string> ReadSpec(const std::vector<std::string>& arguments);
    /// Reads the options of a file, if the argument, with its dashes, names one.
    /// @return whether it does
    bool TryReadSettings(const std::string& argument);
    void ReadSettings(const std::string& path);
    /// Reads the options of a file of another program.
    void ReadForeignSettings(const std::string& path, const Translator& translate);
    /// @param line of a file of settings
    /// @return it as an argument; empty if it has none
    std::string MakeArgument(const std::string& line) const;
    /// @param arguments with the dashes
    void ReadArguments(const std::vector<std::string>& arguments);

    /// Stops the program if an option is given twice in one place: one of them would be ignored.
    /// @param argument with the dashes
    /// @param [in,out] names of earlier options
    void RequireOnce(const std::string& argument, std::set<std::string>& names) const;
    /// Prints the version and ends the program, if the argument, with its dashes, requests it.
    static void ShowVersion(const std::string& argument);

    /// Records the attributes of this module that have been read.
    void NoteAttributes();

    /// Stops the program if an argument is not an option, or gives an attribute or a global value
    /// an invalid text. @param argument such as "--ns3::lossless::RoceNic::Window=1000"
    void RequireOption(const std::string& argument) const;
    /// Stops the program unless one of the attributes has an effect.
    /// @param survey of the run
    /// @param option that set the attributes
    /// @param attributes full names
    void RequireAnyUse(const AttributeSurvey& survey,
                       const std::string& option,
                       const std::vector<std::string>& attributes) const;
    /// Stops the program because of an unknown name, and suggests similar ones.
    void RefuseName(const std::string& name) const;

    /// Reads a text; returns what it must be, empty if it is valid.
    using Reader = std::function<std::string(const std::string&)>;

    /// Registers an option of AddAttribute(), and sets the program's default; an unknown attribute
    /// stops the program.
    /// @param own the program's default, or an EmptyAttributeValue
    /// @return full name of the attribute
    std::string NoteAttribute(const std::string& option,
                              const std::string& attribute,
                              const AttributeValue& own);
    /// Adds an option of AddAttribute() if its attribute is of a kind.
    /// @tparam VALUE that kind
    /// @tparam RANGE of a number or of a size
    /// @return whether it is
    template <typename VALUE, typename RANGE>
    bool TryAddAttribute(const std::string& option,
                         const std::string& attribute,
                         const RANGE& range);

    /// An option that Parse() passes to ns-3.
    struct Option
    {
        std::string name;
        std::string help;         ///< text for `--help`
        std::string defaultValue; ///< as text
        Reader read;              ///< sets its variable
    };

    /// Adds an option.
    /// @param help text for `--help`
    /// @param text its default
    /// @param reader sets its variable
    void AddReader(const std::string& name,
                   const std::string& help,
                   const std::string& text,
                   const Reader& reader);

    /// Origin named in messages: the program and, while a file is read, file and line. Shared with
    /// readers of options.
    std::shared_ptr<std::string> m_speaker{std::make_shared<std::string>()};
    std::set<std::string> m_names;                ///< of the program's own options
    std::vector<HelpGroup> m_groups{HelpGroup()}; ///< in the order in which they began
    std::vector<std::string> m_everyday;
    std::vector<std::string> m_examples;
    std::vector<std::size_t> m_inGroups{0}; ///< present groups, outermost first
    std::vector<Option> m_options;          ///< in the order of AddReader()
    std::vector<std::string> m_arguments;
    /// By full name of an attribute that the user has set: its value, and the option or attribute
    /// that set it.
    std::map<std::string, std::pair<std::string, std::string>> m_attributes;
    std::map<std::string, std::string>
        m_optionOf; ///< by full name of an attribute, see SetsAttribute()
    /// Help of options whose default is an empty text: without a value they would have no effect.
    std::map<std::string, std::string> m_emptyOptions;
    /// Attributes of SetsOnlyAttribute(), by option.
    std::map<std::string, std::vector<std::string>> m_onlyAttributes;
    std::map<std::string, std::string> m_attributeOf; ///< full name, by option of AddAttribute()
    bool m_hasSettings{false};                        ///< OfferSettings() was called
    std::vector<std::string> m_settingsFiles;
    std::vector<std::string> m_foreignFiles;     ///< arguments that name files of m_foreign
    std::map<std::string, Translator> m_foreign; ///< see OfferForeignSettings(), by option
    /// Options from foreign settings only: such files set everything, so they need no effect.
    std::set<std::string> m_translated;
    CommandLine m_commandLine;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STRICT_COMMAND_LINE_H */
