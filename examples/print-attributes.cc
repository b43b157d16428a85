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

#include <algorithm>
#include <functional>
#include <iostream>
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

/// @return the default as written on a command line; empty for objects and attributes without a
/// default
std::string
GetDefault(const TypeId::AttributeInformation& info)
{
    if (info.checker->GetValueTypeName() == "ns3::PointerValue")
    {
        return "";
    }
    const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(info.originalInitialValue));
    return time ? FormatTime(time->Get())
                : info.originalInitialValue->SerializeToString(info.checker);
}

/// Prints an underlined title.
/// @param line the character of the underline
void
PrintTitle(const std::string& title, char line)
{
    std::cout << title << '\n' << std::string(title.size(), line) << "\n\n";
}

/// Prints the name of a class and one line per item, or nothing if there are no items.
/// @param count the number of items
/// @param describe a function that returns the line about an item
void
PrintClass(TypeId type, std::size_t count, const std::function<std::string(std::size_t)>& describe)
{
    if (count == 0)
    {
        return;
    }
    PrintTitle(GetName(type), '~');
    if (type.HasParent() && type.GetParent().GetGroupName() == type.GetGroupName())
    {
        std::cout << "Is a ``" << GetName(type.GetParent()) << "``.\n\n";
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        std::cout << "* ``" << describe(i) << '\n';
    }
    std::cout << '\n';
}

void
PrintSections(const std::vector<TypeId>& types)
{
    PrintTitle("Attributes", '-');
    for (const TypeId& type : types)
    {
        PrintClass(type, type.GetAttributeN(), [type](std::size_t i) {
            const auto info = type.GetAttribute(i);
            const std::string initial = GetDefault(info);
            return info.name + "``" + (initial.empty() ? "" : " (" + initial + ")") + ": " +
                   info.help;
        });
    }
    PrintTitle("Traces", '-');
    for (const TypeId& type : types)
    {
        PrintClass(type, type.GetTraceSourceN(), [type](std::size_t i) {
            const auto info = type.GetTraceSource(i);
            return info.name + "`` (``" + info.callback + "``): " + info.help;
        });
    }
}

/// @return all classes of the module, sorted by name
std::vector<TypeId>
GetAll()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().rfind(NAMESPACE, 0) == 0)
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](TypeId a, TypeId b) {
        return a.GetName() < b.GetName();
    });
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
        types = GetAll();
    }
    else
    {
        TypeId type;
        const bool isKnown = TypeId::LookupByNameFailSafe(NAMESPACE + name, &type) ||
                             TypeId::LookupByNameFailSafe(name, &type);
        commandLine.Require(isKnown, "--type is \"" + name + "\"; it must be a class of ns-3");
        types.push_back(type);
        while (types.back().HasParent())
        {
            types.push_back(types.back().GetParent());
        }
    }
    PrintSections(types);
    return 0;
}
