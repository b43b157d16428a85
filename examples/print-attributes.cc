// SPDX-License-Identifier: GPL-2.0-only
//
// Every attribute and trace source of the module, with its default and what it is, as a page of
// the documentation (reStructuredText); or those of one class and its base classes.
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

/// Before the name of each class of the module.
const std::string NAMESPACE = "ns3::lossless::";

/// @param type a class @return its name, without the namespace of the module
std::string
GetName(TypeId type)
{
    const std::string name = type.GetName();
    return name.rfind(NAMESPACE, 0) == 0 ? name.substr(NAMESPACE.size()) : name;
}

/// @param time a span of whole nanoseconds @return the same, in the largest unit without fraction
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

/// @param info an attribute @return its default as a command line has it; empty: an object or none
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

/// Prints a section about a class. @param type the class
void
Print(TypeId type)
{
    const std::string name = GetName(type);
    std::cout << name << '\n' << std::string(name.size(), '-') << "\n\n";
    if (type.HasParent() && type.GetParent().GetGroupName() == type.GetGroupName())
    {
        std::cout << "Is a ``" << GetName(type.GetParent()) << "``.\n\n";
    }
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto info = type.GetAttribute(i);
        const std::string initial = GetDefault(info);
        std::cout << "* ``" << info.name << "``" << (initial.empty() ? "" : " (" + initial + ")")
                  << ": " << info.help << '\n';
    }
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        const auto info = type.GetTraceSource(i);
        std::cout << "* trace ``" << info.name << "``: " << info.help << '\n';
    }
    std::cout << '\n';
}

/// @param type a class @return whether there is anything to print about it
bool
HasEntries(TypeId type)
{
    return type.GetAttributeN() > 0 || type.GetTraceSourceN() > 0;
}

/// Prints a class and its base classes. @param type the class
void
PrintFamily(TypeId type)
{
    for (bool more = true; more; more = type.HasParent(), type = type.GetParent())
    {
        if (HasEntries(type))
        {
            Print(type);
        }
    }
}

/// Prints all classes of the module, by name.
void
PrintPage()
{
    std::map<std::string, TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().rfind(NAMESPACE, 0) == 0 && HasEntries(type))
        {
            types.emplace(type.GetName(), type);
        }
    }
    std::cout << "Attributes and Trace Sources\n============================\n\n"
              << "Written by ``print-attributes``.\n\n";
    for (const auto& [name, type] : types)
    {
        Print(type);
    }
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
    if (name.empty())
    {
        PrintPage();
        return 0;
    }
    TypeId type;
    const bool isKnown = TypeId::LookupByNameFailSafe(NAMESPACE + name, &type) ||
                         TypeId::LookupByNameFailSafe(name, &type);
    commandLine.Require(isKnown, "--type is \"" + name + "\"; it must be a class of ns-3");
    PrintFamily(type);
    return 0;
}
