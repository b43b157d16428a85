// SPDX-License-Identifier: GPL-2.0-only
//
// doc/lossless.rst lists every attribute and trace source of the module, as they are registered.

#include "lossless-test.h"

#include "ns3/string.h"
#include "ns3/type-id.h"

#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace ns3::lossless::tests
{

namespace
{

const std::string NAMESPACE = "ns3::lossless::";

/// What the documentation says of an attribute or a trace source.
struct Entry
{
    std::string initial; ///< default of an attribute; empty: none
    std::string help;    ///< what it is
};

/// Entries by "Type::Attribute", and by "Type::trace Source".
using Entries = std::map<std::string, Entry>;

/// @param path of a text with a section per type @return what its lists say
Entries
ReadEntries(const std::string& path)
{
    // * ``Name`` (default): help        * trace ``Name``: help
    const std::regex pattern(R"(\* (trace )?``(\w+)``(?: \(([^)]*)\))?: (.*))");
    Entries entries;
    std::ifstream input(path);
    std::string type;
    std::string before;
    for (std::string line; std::getline(input, line); before = line)
    {
        std::smatch match;
        if (!line.empty() && line.find_first_not_of('^') == std::string::npos)
        {
            type = before;
        }
        else if (!line.empty() && line.find_first_not_of("-~") == std::string::npos)
        {
            type.clear(); // another section
        }
        else if (!type.empty() && std::regex_match(line, match, pattern))
        {
            entries[type + "::" + match.str(1) + match.str(2)] = {match.str(3), match.str(4)};
        }
    }
    return entries;
}

/// The lists of the documentation and the types that are registered say the same.
class AttributeListCase : public TestCase
{
  public:
    AttributeListCase()
        : TestCase("attributes and trace sources are documented as they are")
    {
    }

  private:
    void DoRun() override
    {
        m_entries = ReadEntries(NS_TEST_SOURCEDIR "/../doc/lossless.rst");
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            const std::string name = type.GetName();
            // The module's own types, not those that other suites register.
            if (name.rfind(NAMESPACE, 0) == 0 && name.find("tests::") == std::string::npos)
            {
                CheckType(type, name.substr(NAMESPACE.size()));
            }
        }
        for (const auto& [name, entry] : m_entries)
        {
            NS_TEST_EXPECT_MSG_EQ(name, "", "documented, but not there");
        }
    }

    /// Compares a type and crosses its entries out. @param type of it @param name of it
    void CheckType(TypeId type, const std::string& name)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const std::string path = name + "::" + info.name;
            const std::string initial = info.initialValue->SerializeToString(info.checker);
            const bool isObject = info.checker->GetValueTypeName() == "ns3::PointerValue";
            CheckHelp(path, info.help, isObject ? "" : " (" + initial + ")");
            CheckInitial(path, info, isObject ? "" : initial);
            m_entries.erase(path);
        }
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const TypeId::TraceSourceInformation info = type.GetTraceSource(i);
            const std::string path = name + "::trace " + info.name;
            CheckHelp(path, info.help, "");
            m_entries.erase(path);
        }
    }

    /// @param path of an entry @param help that it must have @param initial to be shown
    void CheckHelp(const std::string& path, const std::string& help, const std::string& initial)
    {
        NS_TEST_EXPECT_MSG_EQ(m_entries.count(path), 1, path << initial << ": " << help);
        NS_TEST_EXPECT_MSG_EQ(m_entries[path].help, help, "help of " << path);
    }

    /**
     * Compares a default with that of the documentation, which may be written otherwise ("1us").
     * @param path of the entry
     * @param info of the attribute
     * @param initial its default as ns-3 writes it; empty: none
     */
    void CheckInitial(const std::string& path,
                      const TypeId::AttributeInformation& info,
                      const std::string& initial)
    {
        const std::string& given = m_entries[path].initial;
        NS_TEST_EXPECT_MSG_EQ(given.empty(), initial.empty(), "default of " << path);
        if (!given.empty() && !initial.empty())
        {
            const auto value = info.checker->CreateValidValue(StringValue(given));
            NS_TEST_EXPECT_MSG_EQ((value ? value->SerializeToString(info.checker) : given),
                                  initial,
                                  "default of " << path);
        }
    }

    Entries m_entries; ///< those that no type has had yet
};

/// The suite.
class DocumentationSuite : public TestSuite
{
  public:
    DocumentationSuite()
        : TestSuite("lossless-documentation", tests::UNIT)
    {
        AddTestCase(new AttributeListCase, tests::QUICK);
    }
};

DocumentationSuite g_documentationSuite; //!< the suite

} // namespace

} // namespace ns3::lossless::tests
