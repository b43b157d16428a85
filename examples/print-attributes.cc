// SPDX-License-Identifier: GPL-2.0-only
//
// Prints the attributes and trace sources of the module with their defaults and help texts, as a
// page of the documentation (reStructuredText). With --type, it prints only one class and its base
// classes.
//
//   print-attributes
//   print-attributes --type=RoceNic

#include "ns3/core-module.h"
#include "ns3/lossless-module.h"

#include <functional>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Prints a title, underlined by a character.
void
PrintTitle(const std::string& title, char line)
{
    std::cout << title << '\n' << std::string(title.size(), line) << "\n\n";
}

/// Prints the names of classes, each followed by one line per item, unless the class has no items.
/// @param list a function that returns the lines about the items of a class
void
PrintSection(const std::string& title,
             const std::vector<TypeId>& types,
             const std::function<std::vector<std::string>(TypeId)>& list)
{
    PrintTitle(title, '-');
    for (const TypeId& type : types)
    {
        const auto lines = list(type);
        if (lines.empty())
        {
            continue;
        }
        PrintTitle(GetShortName(type), '~');
        if (type.HasParent() && type.GetParent().GetGroupName() == type.GetGroupName())
        {
            std::cout << "Is a ``" << GetShortName(type.GetParent()) << "``.\n\n";
        }
        for (const std::string& line : lines)
        {
            std::cout << "* ``" << line << '\n';
        }
        std::cout << '\n';
    }
}

std::vector<std::string>
ListAttributes(TypeId type)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto info = type.GetAttribute(i);
        const std::string initial = DescribeDefault(info);
        lines.push_back(info.name + "``" + (initial.empty() ? "" : " (" + initial + ")") + ": " +
                        info.help);
    }
    return lines;
}

std::vector<std::string>
ListTraces(TypeId type)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const auto info = type.GetTraceSource(i);
        lines.push_back(info.name + "`` (``" + info.callback + "``): " + info.help);
    }
    return lines;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string name;
    StrictCommandLine commandLine(
        __FILE__,
        "Attributes and trace sources of the module, with their defaults.");
    commandLine.AddValue("type",
                         "A class, such as RoceNic or ns3::ErrorModel; empty: all classes.",
                         name);
    commandLine.Parse(argc, argv);
    std::vector<TypeId> types;
    if (name.empty())
    {
        PrintTitle("Attributes and Traces", '=');
        std::cout << "Written by ``print-attributes``. The default is in brackets; of a trace, the "
                     "type of its sinks is.\n\n";
        types = GetOwnTypes();
    }
    else
    {
        TypeId type;
        const bool isKnown = TypeId::LookupByNameFailSafe("ns3::lossless::" + name, &type) ||
                             TypeId::LookupByNameFailSafe(name, &type);
        const auto similar = FindSimilarTypes(name);
        commandLine.Require(isKnown,
                            "--type is \"" + name + "\"; it must be a class of ns-3" +
                                (similar.empty() ? "" : ", as " + OneOf{similar}.Describe()));
        types = GetFamily(type);
    }
    PrintSection("Attributes", types, ListAttributes);
    PrintSection("Traces", types, ListTraces);
    return 0;
}
