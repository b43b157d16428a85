// SPDX-License-Identifier: GPL-2.0-only
#include "run-spec.h"

#include "ns3/abort.h"
#include "ns3/foreign-format.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace ns3::lossless
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* EXAMPLE =
    R"(as {"scheme": "DSH", "load": 0.6, "RoceNic": {"AckInterval": 4}})";
constexpr const char* PROGRAM = "program";
constexpr std::size_t MAX_BYTES = std::size_t{16} << 20;
const std::string NAMESPACE = "ns3::lossless::";

Json
ParseTree(const std::string& text, const std::string& path)
{
    std::vector<std::set<std::string>> names; // names that have occurred in each open object
    const auto requireOnce = [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start)
        {
            names.emplace_back();
        }
        else if (event == Json::parse_event_t::object_end)
        {
            names.pop_back();
        }
        NS_ABORT_MSG_IF(event == Json::parse_event_t::key &&
                            !names.back().insert(parsed.get<std::string>()).second,
                        path << ": \"" << parsed.get<std::string>()
                             << "\" is given twice; write it once");
        return true;
    };
    try
    {
        return Json::parse(text, requireOnce);
    }
    catch (const Json::out_of_range&)
    {
        NS_ABORT_MSG(path << ": a number is too large");
    }
    catch (const Json::parse_error& error)
    {
        const auto end =
            text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
        NS_ABORT_MSG(path << ":" << 1 + std::count(text.begin(), end, '\n')
                          << ": this is not JSON; a spec is an object of options, " << EXAMPLE);
    }
}

Json
ReadTree(const std::string& path)
{
    const std::string text = ReadBytes(path, MAX_BYTES); // limited, because the file may be endless
    NS_ABORT_MSG_IF(text.size() > MAX_BYTES,
                    path << ": the file is longer than " << MAX_BYTES << " bytes; no spec is");
    const std::string standIn = RecognizeStandIn(text);
    NS_ABORT_MSG_IF(!standIn.empty(), path << ": " << standIn);
    const Json tree = ParseTree(text, path);
    NS_ABORT_MSG_IF(!tree.is_object(), path << ": a spec is an object of options, " << EXAMPLE);
    if (!tree.contains("schema"))
    {
        return tree;
    }
    NS_ABORT_MSG_IF(!tree.contains("spec") || !tree["spec"].is_object(),
                    path << ": these results have no \"spec\"; an earlier version has written "
                            "them, whose command line is in \"command_line\"");
    return tree["spec"];
}

/// @return the option in command-line syntax
std::string
MakeArgument(const std::string& path, const std::string& name, const Json& value)
{
    NS_ABORT_MSG_IF(!value.is_string() && !value.is_number() && !value.is_boolean(),
                    path << ": \"" << name << "\" is " << value.type_name()
                         << "; it must be a text, a number, true or false");
    const std::string start = "--" + name + "=";
    if (value.is_string())
    {
        return start + value.get<std::string>();
    }
    // Integer options do not accept a decimal point.
    const double number = value.is_number_float() ? value.get<double>() : 0;
    const bool isWhole =
        value.is_number_float() && std::abs(number) < 0x1p53 && std::trunc(number) == number;
    return start + (isWhole ? std::to_string(static_cast<int64_t>(number)) : value.dump());
}

} // namespace

std::string
FormatRunSpec(const std::string& program, const std::vector<std::string>& arguments)
{
    Json tree{{PROGRAM, program}};
    for (const std::string& argument : arguments)
    {
        const std::size_t equal = argument.find('=');
        const std::string name = argument.substr(0, equal).substr(argument.find_first_not_of('-'));
        const Json value =
            equal == std::string::npos ? Json(true) : Json(argument.substr(equal + 1));
        const std::size_t colons = name.rfind("::");
        if (colons == std::string::npos)
        {
            tree[name] = value;
            continue;
        }
        const bool isOwn = name.compare(0, NAMESPACE.size(), NAMESPACE) == 0;
        const std::size_t start = isOwn ? NAMESPACE.size() : 0;
        tree[name.substr(start, colons - start)][name.substr(colons + 2)] = value;
    }
    // A command line can contain arbitrary bytes, but JSON requires UTF-8.
    return tree.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string
FindRunSpec(const std::string& place)
{
    std::error_code ignored;
    const bool isFolder = std::filesystem::is_directory(place, ignored);
    return isFolder ? (std::filesystem::path(place) / "run.json").string() : place;
}

std::vector<std::string>
ReadRunSpec(const std::string& path, const std::string& program)
{
    std::vector<std::string> arguments;
    const Json tree = ReadTree(path);
    for (const auto& [name, value] : tree.items())
    {
        if (name == PROGRAM)
        {
            NS_ABORT_MSG_IF(!value.is_string(), path << ": \"program\" is no text");
            NS_ABORT_MSG_IF(value != program,
                            path << ": the spec is for \"" << value.get<std::string>()
                                 << "\", not for \"" << program << "\"");
            continue;
        }
        if (!value.is_object())
        {
            arguments.push_back(MakeArgument(path, name, value));
            continue;
        }
        NS_ABORT_MSG_IF(value.empty(), path << ": \"" << name << "\" has no attribute");
        const std::string type = name.compare(0, 5, "ns3::") == 0 ? name : NAMESPACE + name;
        for (const auto& [attribute, given] : value.items())
        {
            arguments.push_back(MakeArgument(path, type + "::" + attribute, given));
        }
    }
    return arguments;
}

} // namespace ns3::lossless
