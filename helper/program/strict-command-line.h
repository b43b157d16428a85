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
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class AttributeSurvey;

/**
 * @ingroup lossless
 * A strict version of ns-3's CommandLine. The original may read only the first characters of a
 * number ("1e6" is 1, and "16MB" is 16), reads "-5" as 2^64 - 5, interprets a rate without a unit
 * as bit/s, and ignores arguments that are not options. This class rejects such input with an error
 * message and exit status 1. It also checks the numbers, times, rates and names that are given for
 * attributes. For an unknown name, the message suggests similar names of options and attributes.
 * All other errors end the program in the same way; see EndErrorsBySentence().
 */
class StrictCommandLine
{
  public:
    /// @param file the __FILE__ of the program
    /// @param usage a sentence for `--help`
    StrictCommandLine(const std::string& file, const std::string& usage);

    // The readers that are registered with ns-3 refer to this object.
    StrictCommandLine(const StrictCommandLine&) = delete;
    StrictCommandLine& operator=(const StrictCommandLine&) = delete;

    /// Starts a group. `--help` lists the options that are added before EndGroup() as one group.
    /// Groups can be nested, and options outside groups are listed first.
    /// @param title the title of a new group, or of an existing group to extend
    /// @param example an example of use, such as "--scheme=DSH"
    void BeginGroup(const std::string& title, const std::string& example);
    /// Ends the group and continues the enclosing group.
    void EndGroup();

    /// Adds an option.
    /// @tparam T bool, a number, std::string, Time, DataRate, or std::vector<double> for a list of
    /// numbers, separated by commas; with a ByteRange an integer, and with OneOf a string
    /// @param help the description for `--help`, to which the range is added
    /// @param value the variable that Parse() sets; its initial value is the default, which may be
    /// outside the range
    /// @param range the valid values: a Range, a ByteRange for sizes with a unit, or OneOf
    template <typename T, typename RANGE = Range>
    void AddValue(const std::string& name,
                  const std::string& help,
                  T& value,
                  const RANGE& range = {})
    {
        const auto read = [&value, range](const std::string& given) {
            return range.Read(given, value);
        };
        AddReader(name, AddRange(help, range.template DescribeFor<T>()), Show<RANGE>(value), read);
    }

    /// Adds an option without a default.
    /// @param value the variable that Parse() sets if the option is given
    template <typename T, typename RANGE = Range>
    void AddValue(const std::string& name,
                  const std::string& help,
                  std::optional<T>& value,
                  const RANGE& range = {})
    {
        const auto read = [&value, range](const std::string& given) {
            return range.Read(given, value.emplace());
        };
        AddReader(name, AddRange(help, range.template DescribeFor<T>()), "", read);
    }

    /// The arguments of AddValue() or AddAttribute(), for use in a table of options.
    struct Value
    {
        /// Takes the arguments of AddAttribute(), with a Range or a ByteRange.
        template <typename RANGE = Range>
        Value(const std::string& option,
              const std::string& attribute,
              const RANGE& range = {},
              const AttributeValue& own = EmptyAttributeValue())
            : add([=, own = own.Copy()](StrictCommandLine& line) {
                  line.AddAttribute(option, attribute, range, *own);
              })
        {
        }

        /// Takes the arguments of AddValue().
        template <typename T, typename... RANGE>
        Value(const std::string& name, const std::string& help, T& value, const RANGE&... range)
            : add([=, &value](StrictCommandLine& line) {
                  line.AddValue(name, help, value, range...);
              })
        {
        }

        std::function<void(StrictCommandLine&)> add; ///< adds the option to a command line
    };

    /// Adds options in the order of the table.
    void AddValues(std::initializer_list<Value> values);

    /// Adds an option that is an alias of an attribute. The description, range, unit and default
    /// are taken from the attribute. The value of the option becomes the default of the attribute.
    /// @param attribute the name of a numeric, time, rate, Boolean or string attribute, without the
    /// module's namespace, such as "StarTopology::Hosts"
    /// @param range additional limits on the value
    /// @param own the default of the program, if it differs from the default of the attribute
    void AddAttribute(const std::string& option,
                      const std::string& attribute,
                      const Range& range = {},
                      const AttributeValue& own = EmptyAttributeValue());

    /// Adds an option that is an alias of an attribute whose value is a size in bytes, with an
    /// optional unit.
    void AddAttribute(const std::string& option,
                      const std::string& attribute,
                      const ByteRange& range,
                      const AttributeValue& own = EmptyAttributeValue());

    /**
     * Stops the program if an option added by AddAttribute() was given but belongs to a part that
     * was not selected.
     * @tparam INFO the PartInfo type of the parts
     * @param option the option that selects one of the parts
     * @param chosen the type of the selected part; the type of Object if no part was selected
     * @param given the value of the option
     * @param purpose the purpose of options that belong to several parts; see RequireUse()
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
                continue; // the attribute belongs to a part of another kind
            }
            RequireUse({name},
                       chosen == type || chosen.IsChildOf(type),
                       owner == parts.end() ? purpose
                                            : "--" + option + "=" + owner->name + "; here --" +
                                                  option + " is \"" + given + "\"");
        }
    }

    /// Limits the output of `--help` to a few options and the titles of the groups. `--help=GROUP`
    /// shows one group, and `--help=all` shows all options.
    /// @param options the names of the most common options; all other options should be in groups
    /// @param examples examples of use
    void OfferShortHelp(const std::vector<std::string>& options,
                        const std::vector<std::string>& examples);

    /// Adds the option `--settings`, which names a file that has one option per line, as `name =
    /// value`, without dashes. Empty lines and lines that start with # or ; are skipped. The
    /// command line overrides the file. Also adds the option `--spec`, which names a file with the
    /// options of a run (see run-spec.h). The command line overrides this file, too.
    void OfferSettings();

    /// An option translated from the settings file of another program.
    struct Translated
    {
        std::string option; ///< option, such as "name=value"
        std::string origin; ///< file, line and original text, for error messages
    };

    /// Translates a settings file of another program to options of this program.
    using Translator = std::function<std::vector<Translated>(const std::string& path)>;

    /// Adds an option that names a settings file of another program. The command line overrides the
    /// file.
    /// @param help the description for `--help`
    void OfferForeignSettings(const std::string& name,
                              const std::string& help,
                              const Translator& translate);

    /// Parses the settings file and then the command line. Stops the program with exit status 1 if
    /// an option is invalid. If the option is in a file, the message contains the file name and the
    /// line number.
    void Parse(int argc, char* argv[]);

    /// Declares that the program itself finds out whether an option added by AddAttribute() has an
    /// effect, and calls RequireUse(). RequireEffect() would refuse an option that has one only in
    /// a later run of the program.
    void JudgesEffect(const std::string& option);

    /// Declares that an option controls an attribute that the program sets.
    /// @param option an option that has already been added
    /// @param attribute the name without the module's namespace, such as "SharedBuffer::Size"
    void SetsAttribute(const std::string& option, const std::string& attribute);

    /// Declares that the only purpose of an option is to set an attribute; see SetsAttribute().
    /// Like the attribute, the option is rejected if it has no effect. If it sets several
    /// attributes, it is rejected only if none of them has an effect.
    void SetsOnlyAttribute(const std::string& option, const std::string& attribute);

    /// Adds an option that selects among the parts of a kind; see SetsAttribute(). If no object in
    /// a run has the type to which a given setting applies, the error message lists the parts that
    /// would create such an object.
    /// @tparam INFO the PartInfo type of the parts
    template <typename INFO>
    void AddChoice(const std::string& option,
                   const std::string& help,
                   std::string& value,
                   const std::string& attribute)
    {
        AddValue(option, help, value);
        SetsAttribute(option, attribute);
        m_choices.emplace_back(
            option,
            std::vector<PartInfo>(GetParts<INFO>().begin(), GetParts<INFO>().end()));
    }

    /// Stops the program if an attribute of this module was set by the user but has no effect. This
    /// is the case if the program sets the attribute itself, if it uses objects of other types (for
    /// example, those of another scheme), or if another attribute disables it (see
    /// AttributeCondition). Options declared with SetsOnlyAttribute() are treated in the same way.
    /// Call this after the set-up and before the run.
    /// @param addMore the function that adds the objects that AttributeSurvey::AddSimulation() does
    /// not find
    void RequireEffect(const std::function<void(AttributeSurvey&)>& addMore = nullptr) const;

    /// @return true if the options are those of a spec, with or without others
    bool HasSpec() const
    {
        return m_hasSpec;
    }

    /// @return the value of an option on the command line or in a spec, or an empty string; also
    /// while Parse() reads files
    std::string FindTyped(const std::string& name) const;

    /// @return true if Parse() has read the option
    bool IsGiven(const std::string& name) const;

    /// @return the settings files that were read
    const std::vector<std::string>& GetSettingsFiles() const
    {
        return m_settingsFiles;
    }

    /// @return the program name and the arguments as parsed. The arguments of a settings file
    /// replace `--settings` and precede all others. The strings belong to this object and are valid
    /// after Parse().
    std::vector<const char*> GetArguments() const;

    /// @param leftOut the names of options to omit
    /// @return the spec of the given options (see run-spec.h). It contains the names of other
    /// programs' settings files, but not their contents.
    std::string MakeSpec(const std::set<std::string>& leftOut) const;

    /// Stops the program with exit status 1 and a message unless the condition holds.
    /// @param sentence a description of the error and of the valid values
    void Require(bool condition, const std::string& sentence) const;

    /// Stops the program if there is a problem; see Require().
    /// @param misfit the message of a Check() function; not set if it found no problem
    /// @param where the text that precedes the message
    void RequireFit(const std::optional<std::string>& misfit, const std::string& where = "") const;

    /// Rejects options that other programs of the same kind have, and leaves them out of the help.
    /// Call this before Parse().
    /// @param reason the reason why they have no effect in this program
    void Withdraw(const std::vector<std::string>& options, const std::string& reason);
    /// Withdraws all options of a group.
    /// @param title the title of the group
    void WithdrawGroup(const std::string& title, const std::string& reason);

    /// Stops the program if options were given that have no effect in this run; see Require().
    /// @param areUsed true if the options have an effect
    /// @param purpose the purpose of the options, such as "a watchdog; write --watchdog=drop"
    void RequireUse(const std::vector<std::string>& options,
                    bool areUsed,
                    const std::string& purpose) const;

    /// Finds the choice that the value of an option names. Stops the program if the name is
    /// unknown; see Require().
    /// @tparam T the type of the choices, with a member `name`
    /// @param name the given value, in upper or lower case
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
    /// @return the default as shown by `--help`
    template <typename RANGE, typename T>
    static std::string Show(const T& value)
    {
        if constexpr (std::is_same_v<RANGE, ByteRange>)
        {
            return FormatBytes(value);
        }
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
            text << +value; // the plus makes this print a number rather than a character
        }
        else if constexpr (std::is_same_v<T, std::vector<double>>)
        {
            for (const double number : value)
            {
                text << (text.tellp() > 0 ? "," : "") << number;
            }
        }
        else
        {
            text << value;
        }
        return text.str();
    }

    /// @param range a description of the valid values, or an empty string if all values are valid
    /// @return the description with the range
    static std::string AddRange(const std::string& help, const std::string& range);

    /// Adds an option name to the current group. Aborts if the name is invalid or taken.
    void NoteName(const std::string& name);
    /// Prints the help and ends the program if the argument requests it.
    /// @param argument the argument, with its dashes
    void ShowHelp(const std::string& argument) const;

    /// Removes the options that are withdrawn from the groups.
    void HideWithdrawn();

    /// Passes the options added by AddReader() to ns-3, except for those that are withdrawn. The
    /// help texts are wrapped to fit next to the names.
    void RegisterOptions();

    /// @param [out] origins the file of each option that comes from the spec
    /// @return the arguments, with `--spec` replaced by those options in its file that are not
    /// given explicitly
    std::vector<std::string> ReadSpec(const std::vector<std::string>& arguments,
                                      std::map<std::string, std::string>& origins);
    /// Reads the options in a settings file if the argument specifies one.
    /// @param argument the argument, with its dashes
    /// @return true if the argument specifies a settings file
    bool TryReadSettings(const std::string& argument);
    void ReadSettings(const std::string& path);
    /// Reads the options in a file of another program.
    void ReadForeignSettings(const std::string& path, const Translator& translate);
    /// @param sentence an error message
    /// @return a note, in brackets, on the files of the options that the sentence names; empty if
    /// no such option comes from a file, or if the prefix of messages names the file
    std::string NameOrigins(const std::string& sentence) const;
    /// @param line a line of a settings file
    /// @return the option on this line as an argument, or an empty string if there is none
    std::string MakeArgument(const std::string& line) const;
    /// @param arguments the arguments, with their dashes
    void ReadArguments(const std::vector<std::string>& arguments);

    /// Stops the program if an option occurs twice in the same place, because one of the values
    /// would be ignored.
    /// @param argument the argument, with its dashes
    /// @param [in,out] names the names of earlier options, to which the name of this one is added
    void RequireOnce(const std::string& argument, std::set<std::string>& names) const;
    /// Prints the version and ends the program if the argument requests it.
    /// @param argument the argument, with its dashes
    static void ShowVersion(const std::string& argument);

    /// Records the attributes of this module that have been set.
    void NoteAttributes();

    /// Stops the program if an argument is not an option, or if it sets an attribute or a global
    /// value to an invalid value.
    /// @param argument the argument, such as "--ns3::lossless::RoceNic::Window=1000"
    void RequireOption(const std::string& argument) const;
    /// Stops the program unless at least one of the attributes has an effect.
    /// @param survey the survey of the run
    /// @param option the option that set the attributes
    /// @param attributes the full names
    void RequireAnyUse(const AttributeSurvey& survey,
                       const std::string& option,
                       const std::vector<std::string>& attributes) const;
    /// @return a message that states that no object has the type and lists the choices that would
    /// create one
    std::string DescribeMissing(const std::string& type) const;
    /// Stops the program with an error message unless an option value is valid.
    /// @param allowed a description of the valid values, or an empty string if the value is valid
    void RequireAllowed(const std::string& name,
                        const std::string& given,
                        const std::string& allowed) const;
    /// Stops the program because a name is unknown. The message suggests similar names.
    void RefuseName(const std::string& name) const;

    /// Parses a value. Returns a description of the valid values, or an empty string if the value
    /// is valid.
    using Reader = std::function<std::string(const std::string&)>;

    /// Registers an option for AddAttribute() and sets the program's default. Aborts if the
    /// attribute is unknown.
    /// @param own the default of the program, or an EmptyAttributeValue
    /// @return the full name of the attribute
    std::string NoteAttribute(const std::string& option,
                              const std::string& attribute,
                              const AttributeValue& own);
    /// Adds an option for AddAttribute() if the attribute has the given type.
    /// @tparam VALUE the type
    /// @tparam RANGE the range type for numbers or sizes
    /// @return true if the attribute has this type
    template <typename VALUE, typename RANGE>
    bool TryAddAttribute(const std::string& option,
                         const std::string& attribute,
                         const RANGE& range);

    /// An option that Parse() registers with ns-3.
    struct Option
    {
        std::string name;
        std::string help;         ///< description for `--help`
        std::string defaultValue; ///< default value as a string
        Reader read;              ///< sets the variable of the option
    };

    /// Adds an option.
    /// @param help the description for `--help`
    /// @param text the default value as a string
    /// @param reader the function that sets the variable of the option
    void AddReader(const std::string& name,
                   const std::string& help,
                   const std::string& text,
                   const Reader& reader);

    /// The prefix of error messages. It is the program name, followed by the file name and line
    /// number while a file is being read.
    std::string m_speaker;
    std::map<std::string, std::string> m_withdrawn; ///< reasons why options have no effect; see
                                                    ///< Withdraw()
    std::set<std::string> m_names;                  ///< names of the program's own options
    std::vector<HelpGroup> m_groups{HelpGroup()};   ///< groups, in order of creation
    std::vector<std::string> m_everyday;
    std::vector<std::string> m_examples;
    std::vector<std::size_t> m_inGroups{0}; ///< open groups, outermost first
    std::vector<Option> m_options;          ///< options, in the order of the AddReader() calls
    std::vector<std::string> m_arguments;
    /// The attributes that the user has set, by full name. Each is mapped to its value and to the
    /// name under which the user set it.
    std::map<std::string, std::pair<std::string, std::string>> m_attributes;
    std::map<std::string, std::string> m_optionOf; ///< option that controls each attribute; see
                                                   ///< SetsAttribute()
    /// The help texts of the options whose default is an empty string. Such options are rejected if
    /// no value is given.
    std::map<std::string, std::string> m_emptyOptions;
    /// The parts among which options select; see AddChoice().
    std::vector<std::pair<std::string, std::vector<PartInfo>>> m_choices;
    /// The attributes passed to SetsOnlyAttribute(), by option name.
    std::map<std::string, std::vector<std::string>> m_onlyAttributes;
    std::map<std::string, std::string> m_attributeOf; ///< attribute of each option added by
                                                      ///< AddAttribute()
    std::set<std::string> m_judged;                   ///< options passed to JudgesEffect()
    bool m_hasSettings{false};                        ///< true if OfferSettings() was called
    std::vector<std::string> m_typed; ///< arguments of the command line and of the spec
    std::vector<std::string> m_settingsFiles;
    std::vector<std::string> m_foreignFiles;      ///< arguments that name files for m_foreign
    std::map<std::string, Translator> m_foreign;  ///< translators, by option
    bool m_hasSpec{false};                        ///< see HasSpec()
    std::map<std::string, std::string> m_origins; ///< file of each option that comes from a file
    /// The options that come only from foreign settings. Such files contain all settings, so an
    /// option without an effect is not an error.
    std::set<std::string> m_translated;
    CommandLine m_commandLine;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STRICT_COMMAND_LINE_H */
