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

#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Prefix of the module's classes.
const std::string NAMESPACE = "ns3::lossless::";

std::string
GetName(TypeId type)
{
    const std::string name = type.GetName();
    return name.rfind(NAMESPACE, 0) == 0 ? name.substr(NAMESPACE.size()) : name;
}

/// @param time a whole number of nanoseconds
/// @return the time as a string, in the largest unit that needs no fraction
std::string
ToText(Time time)
{
    const std::vector<std::string> units{"ns", "us", "ms", "s"};
    int64_t number = time.GetNanoSeconds();
    std::size_t unit = 0;
    while (number % 1000 == 0 && unit + 1 < units.size())
    {
        number /= 1000;
        ++unit;
    }
    return std::to_string(number) + units[unit];
}

/// @return the default as written on a command line; empty for objects and attributes without
/// default
std::string
GetDefault(const TypeId::AttributeInformation& info)
{
    if (info.checker->GetValueTypeName() == "ns3::PointerValue")
    {
        return "";
    }
    const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(info.originalInitialValue));
    return time ? ToText(time->Get()) : info.originalInitialValue->SerializeToString(info.checker);
}

/// Classes in the order of the output.
using Types = std::vector<TypeId>;

/// Prints an underlined title.
/// @param line the character to underline with
void
PrintTitle(const std::string& title, char line)
{
    std::cout << title << '\n' << std::string(title.size(), line) << "\n\n";
}

void
PrintClass(TypeId type)
{
    PrintTitle(GetName(type), '~');
    if (type.HasParent() && type.GetParent().GetGroupName() == type.GetGroupName())
    {
        std::cout << "Is a ``" << GetName(type.GetParent()) << "``.\n\n";
    }
}

/// Prints the section on attributes, omitting classes that have none.
void
PrintAttributes(const Types& types)
{
    PrintTitle("Attributes", '-');
    for (TypeId type : types)
    {
        if (type.GetAttributeN() > 0)
        {
            PrintClass(type);
        }
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto info = type.GetAttribute(i);
            const std::string initial = GetDefault(info);
            std::cout << "* ``" << info.name << "``"
                      << (initial.empty() ? "" : " (" + initial + ")") << ": " << info.help << '\n';
        }
        std::cout << (type.GetAttributeN() > 0 ? "\n" : "");
    }
}

/// Prints the section on trace sources, omitting classes that have none.
void
PrintTraces(const Types& types)
{
    PrintTitle("Traces", '-');
    for (TypeId type : types)
    {
        if (type.GetTraceSourceN() > 0)
        {
            PrintClass(type);
        }
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
        {
            const auto info = type.GetTraceSource(i);
            std::cout << "* ``" << info.name << "`` (``" << info.callback << "``): " << info.help
                      << '\n';
        }
        std::cout << (type.GetTraceSourceN() > 0 ? "\n" : "");
    }
}

Types
GetFamily(TypeId type)
{
    Types types{type};
    while (types.back().HasParent())
    {
        types.push_back(types.back().GetParent());
    }
    return types;
}

/// @return all classes of the module, sorted by name
Types
GetAll()
{
    std::map<std::string, TypeId> sorted;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().rfind(NAMESPACE, 0) == 0)
        {
            sorted.emplace(type.GetName(), type);
        }
    }
    Types types;
    for (const auto& [name, type] : sorted)
    {
        types.push_back(type);
    }
    return types;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string name;
    StrictCommandLine commandLine(
        __FILE__,
        "Attributes and trace sources of the module, with their defaults.");
    commandLine.AddValue("type", "A class, as RoceNic or ns3::ErrorModel; empty: all.", name);
    commandLine.Parse(argc, argv);
    Types types = GetAll();
    if (name.empty())
    {
        PrintTitle("Attributes and Traces", '=');
        std::cout << "Written by ``print-attributes``. The default is in brackets; of a trace, the "
                     "type of its sinks is.\n\n";
    }
    else
    {
        TypeId type;
        const bool isKnown = TypeId::LookupByNameFailSafe(NAMESPACE + name, &type) ||
                             TypeId::LookupByNameFailSafe(name, &type);
        commandLine.Require(isKnown, "--type is \"" + name + "\"; it must be a class of ns-3");
        types = GetFamily(type);
    }
    PrintAttributes(types);
    PrintTraces(types);
    return 0;
}
