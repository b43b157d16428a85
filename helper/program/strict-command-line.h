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
#include <limits>
#include <map>
#include <memory>
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
 * ns-3's CommandLine, which takes a number for what its first characters say ("1e6" for 1, "16MB"
 * for 16, "-5" for 2^64 - 5), a rate without a unit for bit/s, and ignores words that are no
 * options. This one refuses them with a sentence and exit status 1, and so it does with numbers,
 * times, rates and names that are given to attributes. A name that no option and no attribute has
 * is answered with those that may have been meant. Whatever else stops the program ends it in the
 * same way, see EndErrorsBySentence().
 */
class StrictCommandLine
{
  public:
    /**
     * @param file the program's __FILE__
     * @param usage a sentence for `--help`
     */
    StrictCommandLine(const std::string& file, const std::string& usage);

    /// Options that are added until EndGroup() are shown together by `--help`. Groups may be
    /// nested; those of a program, which is in none, come first. @param title of the group; one
    /// that is there already gets more options @param example how to use it, as "--scheme=DSH"
    void BeginGroup(const std::string& title, const std::string& example);
    /// Goes on with the group before.
    void EndGroup();

    /**
     * Adds an option.
     * @tparam T type of the variable
     * @param name name of the option
     * @param help text for `--help`
     * @param value variable with the default, set by Parse()
     */
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

    /**
     * Adds an option that is a number, a time or a rate.
     * @tparam T type of the variable
     * @param name name of the option
     * @param help text for `--help`, which tells the range besides
     * @param value variable with the default, which may be out of the range; set by Parse()
     * @param range what may be given
     */
    template <typename T>
    void AddValue(const std::string& name, const std::string& help, T& value, const Range& range)
    {
        const auto read = [&value, range](const std::string& given) {
            const std::string allowed = ReadOption(given, value);
            return allowed.empty() && !range.Has(Measure(value)) ? range.Describe() : allowed;
        };
        AddReader(name, AddRange(help, range.Describe()), Show(value), read);
    }

    /**
     * Adds an option that is a size in bytes, which may have a unit.
     * @tparam T type of the variable, a whole number
     * @param name name of the option
     * @param help text for `--help`, which tells the range besides
     * @param value variable with the default, which may be out of the range; set by Parse()
     * @param range what may be given; what the type cannot hold is left out of it
     */
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

    /**
     * Adds an option that is another name of an attribute: help, range, unit and default come from
     * there, and what is given becomes the attribute's default.
     * @param option name of the option
     * @param attribute a number, time, rate, truth value or text; without the module's namespace,
     * as "StarTopology::Hosts"
     * @param range what may be given besides what the attribute takes
     * @param own the program's default, if it is another one than the attribute's
     */
    void AddAttribute(const std::string& option,
                      const std::string& attribute,
                      const Range& range = {},
                      const AttributeValue& own = EmptyAttributeValue());

    /// Likewise of an attribute that is a size in bytes, which may be given with a unit.
    /// @param option see above @param attribute see above @param range see above
    /// @param own see above
    void AddAttribute(const std::string& option,
                      const std::string& attribute,
                      const ByteRange& range,
                      const AttributeValue& own = EmptyAttributeValue());

    /**
     * Stops the program if an option of AddAttribute() was given that is of another part than the
     * one chosen.
     * @tparam INFO of the kind of parts
     * @param option that chooses among them
     * @param chosen type of the part; Object's: none of them
     * @param given what the option was given
     * @param purpose of options that several of the parts have, as RequireUse() has it
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

    /**
     * Lets `--help` show a few options only, and the titles of the groups, of which `--help=GROUP`
     * shows one and `--help=all` all.
     * @param options names of those that most users need; all others are to be in groups
     * @param examples command lines
     */
    void OfferShortHelp(const std::vector<std::string>& options,
                        const std::vector<std::string>& examples);

    /**
     * Adds the option `--settings`, a file of options: one `name = value` a line, without dashes.
     * Empty lines are passed over, and those that begin with # or ;. It is read before the command
     * line, which wins. Adds `--spec` as well, whose file (run-spec.h) stands for a command line
     * that others complete.
     */
    void OfferSettings();

    /// An option that a file of another program stands for.
    struct Translated
    {
        std::string option; ///< as "name=value"
        std::string origin; ///< for complaints: file and line, and what the file has there
    };

    /// Makes options of this program of a file of another one. @param path the file @return them
    using Translator = std::function<std::vector<Translated>(const std::string& path)>;

    /// Adds an option that names a file of another program, whose settings are read before the
    /// command line, which wins. @param name name of the option @param help text for `--help`
    /// @param translate reads the file
    void OfferForeignSettings(const std::string& name,
                              const std::string& help,
                              const Translator& translate);

    /// Reads the command line, and the file of settings before it; a bad option stops the program
    /// with exit status 1, with file and line if it is there.
    /// @param argc number of arguments @param argv program and arguments
    void Parse(int argc, char* argv[]);

    /**
     * Tells by which option an attribute is chosen that the program sets itself.
     * @param option which was added
     * @param attribute name without the module's namespace, as "SharedBuffer::Size"
     */
    void SetsAttribute(const std::string& option, const std::string& attribute);

    /// Tells likewise of an option that does nothing else: it is refused, as the attribute would
    /// be, where that has no effect; of an option with several, where none has one.
    /// @param option which was added @param attribute see SetsAttribute()
    void SetsOnlyAttribute(const std::string& option, const std::string& attribute);

    /**
     * Stops the program if an attribute of this module that the user has set is in force nowhere:
     * the program sets it itself, has chosen objects of other types, as another scheme's, or has
     * set another attribute by which this one does not count (AttributeCondition). Likewise if an
     * option was given for which SetsOnlyAttribute() was called. To be called when all is set up,
     * and before it runs.
     * @param addMore takes up objects which AttributeSurvey::AddSimulation() does not find
     */
    void RequireEffect(const std::function<void(AttributeSurvey&)>& addMore = nullptr) const;

    /// @param name of an option @return whether Parse() has read it
    bool IsGiven(const std::string& name) const;

    /// @return files of settings that have been read
    const std::vector<std::string>& GetSettingsFiles() const
    {
        return m_settingsFiles;
    }

    /// @return program and arguments as they were read: with those of the file in the place of
    /// `--settings`, before all others; texts of this object, which Parse() has made
    std::vector<const char*> GetArguments() const;

    /// @param leftOut names of options that are left out @return the spec of what was given
    /// (run-spec.h), which names the files of other programs that were read and not their content
    std::string MakeSpec(const std::set<std::string>& leftOut) const;

    /**
     * Stops the program with exit status 1 and a sentence, unless a condition holds.
     * @param condition what must hold
     * @param sentence what is wrong and what is allowed
     */
    void Require(bool condition, const std::string& sentence) const;

    /**
     * Stops the program likewise if options were given that have no effect in this run.
     * @param options their names
     * @param areUsed whether they have one
     * @param purpose what they are for, as "a watchdog; write --watchdog=drop"
     */
    void RequireUse(const std::vector<std::string>& options,
                    bool areUsed,
                    const std::string& purpose) const;

    /**
     * Looks up the value of an option; stops the program as Require() does if it is none.
     * @tparam T a choice, with a member `name`
     * @param option name of the option
     * @param choices what it may be
     * @param name what was given, in any case
     * @return the choice
     */
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
    /// @tparam T type of an option @param value its default @return as `--help` shows it
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

    /// @tparam T type of an option @param value of it @return what a Range compares
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

    /// @param help of an option @param range what may be given; empty: all
    /// @return the one with the other
    static std::string AddRange(const std::string& help, const std::string& range);

    /// Puts an option into the group. @param name of it
    void NoteName(const std::string& name);
    /// Prints the help and ends the program, if an argument asks for it.
    /// @param argument with the dashes
    void ShowHelp(const std::string& argument) const;

    /// Hands the options of AddReader() to ns-3, with texts in lines that fit beside their names.
    void RegisterOptions();

    /// @param arguments of a program @return the same with what is in the file in the place of
    /// `--spec`, if it is not given besides
    std::vector<std::string> ReadSpec(const std::vector<std::string>& arguments);
    /// Reads the options of a file, if an argument names one. @param argument with the dashes
    /// @return whether it does
    bool TryReadSettings(const std::string& argument);
    /// Reads the options of a file. @param path the file
    void ReadSettings(const std::string& path);
    /// Reads the options of a file of another program. @param path the file @param translate it
    void ReadForeignSettings(const std::string& path, const Translator& translate);
    /// @param line of a file of settings @return the same as an argument; empty if it has none
    std::string MakeArgument(const std::string& line) const;
    /// Reads arguments. @param arguments with the dashes
    void ReadArguments(const std::vector<std::string>& arguments);

    /// Stops the program if an option is given twice in one place: one of them would be ignored.
    /// @param argument with the dashes @param [in,out] names of those before it
    void RequireOnce(const std::string& argument, std::set<std::string>& names) const;
    /// Prints the version and ends the program, if an argument asks for it.
    /// @param argument with the dashes
    static void ShowVersion(const std::string& argument);

    /// Notes the attributes of this module that have been read.
    void NoteAttributes();

    /// Stops the program if an argument names no option, or sets an attribute or a global value to
    /// a text that is not one of its values.
    /// @param argument of the program, as "--ns3::lossless::RoceNic::Window=1000"
    void RequireOption(const std::string& argument) const;
    /// Stops the program unless an attribute has an effect. @param survey of what there is
    /// @param option by which it was set @param attributes full names of those that it may set
    void RequireAnyUse(const AttributeSurvey& survey,
                       const std::string& option,
                       const std::vector<std::string>& attributes) const;
    /// Stops the program, with the names that may have been meant.
    /// @param name that no option, attribute or global value has
    void RefuseName(const std::string& name) const;

    /// Reads a text; returns what it must be, empty if it is.
    using Reader = std::function<std::string(const std::string&)>;

    /// Notes an option of AddAttribute(), whose attribute gets the program's default; one that is
    /// not there stops the program. @param option its name @param attribute of this module
    /// @param own the program's default, or an EmptyAttributeValue @return full name
    std::string NoteAttribute(const std::string& option,
                              const std::string& attribute,
                              const AttributeValue& own);
    /// Adds an option of AddAttribute() if its attribute is of a kind. @tparam VALUE that kind
    /// @tparam RANGE of a number or of a size @param option its name @param attribute full name
    /// @param range what may be given @return whether it is
    template <typename VALUE, typename RANGE>
    bool TryAddAttribute(const std::string& option,
                         const std::string& attribute,
                         const RANGE& range);

    /// An option that Parse() hands to ns-3.
    struct Option
    {
        std::string name;         ///< its name
        std::string help;         ///< text for `--help`
        std::string defaultValue; ///< text of its default
        Reader read;              ///< sets its variable
    };

    /// Adds an option. @param name of it @param help for `--help` @param text its default
    /// @param reader sets its variable
    void AddReader(const std::string& name,
                   const std::string& help,
                   const std::string& text,
                   const Reader& reader);

    /// Who speaks: the name of the program, and file and line while one is read. Readers of options
    /// know it, too.
    std::shared_ptr<std::string> m_speaker{std::make_shared<std::string>()};
    std::set<std::string> m_names;                ///< of the program's own options
    std::vector<HelpGroup> m_groups{HelpGroup()}; ///< in the order in which they began
    std::vector<std::string> m_everyday;          ///< see OfferShortHelp()
    std::vector<std::string> m_examples;          ///< see OfferShortHelp()
    std::vector<std::size_t> m_inGroups{0};       ///< those that have begun and not ended
    std::vector<Option> m_options;                ///< in the order of AddReader()
    std::vector<std::string> m_arguments;         ///< see GetArguments()
    /// By full name of an attribute that the user has set, its value, and the option or attribute
    /// by which it was set.
    std::map<std::string, std::pair<std::string, std::string>> m_attributes;
    std::map<std::string, std::string>
        m_optionOf; ///< by full name of an attribute, see SetsAttribute()
    /// Help of the options whose default is an empty text: without a value they would do nothing.
    std::map<std::string, std::string> m_emptyOptions;
    /// By option, the attributes told by SetsOnlyAttribute().
    std::map<std::string, std::vector<std::string>> m_onlyAttributes;
    std::map<std::string, std::string> m_attributeOf; ///< by option of AddAttribute(), full name
    bool m_hasSettings{false};                        ///< whether there is `--settings`
    std::vector<std::string> m_settingsFiles;         ///< see GetSettingsFiles()
    std::vector<std::string> m_foreignFiles;          ///< arguments that name files of m_foreign
    std::map<std::string, Translator> m_foreign;      ///< see OfferForeignSettings(), by option
    /// Options from foreign settings alone: such files have some for whatever could be chosen, so
    /// that they need no effect.
    std::set<std::string> m_translated;
    CommandLine m_commandLine; ///< all options
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STRICT_COMMAND_LINE_H */
