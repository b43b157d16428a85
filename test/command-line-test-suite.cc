// SPDX-License-Identifier: GPL-2.0-only
//
// Tests program options and type names, and the error messages for invalid ones.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/attribute-condition.h"
#include "ns3/attribute-survey.h"
#include "ns3/capfc-flow-control.h"
#include "ns3/class-scheduler.h"
#include "ns3/named-choices.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/strict-command-line.h"
#include "ns3/switch-options.h"
#include "ns3/threshold-flow-control.h"
#include "ns3/type-id.h"
#include "ns3/weighted-forwarding.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-command-line", UNIT);

template <typename T>
void
Refuse(const std::vector<std::string>& texts, T value)
{
    for (const std::string& text : texts)
    {
        T variable = value;
        NS_TEST_EXPECT_MSG_NE(ReadOption(text, variable), "", "\"" << text << "\" is refused");
        NS_TEST_EXPECT_MSG_EQ(variable, value, "\"" << text << "\" changes nothing");
    }
}

template <typename T>
void
Accept(const std::string& text, T value)
{
    T variable{};
    NS_TEST_EXPECT_MSG_EQ(ReadOption(text, variable), "", "\"" << text << "\" is taken");
    NS_TEST_EXPECT_MSG_EQ(variable, value, "value of \"" << text << "\"");
}

LOSSLESS_TEST(g_suite, "options are read as a whole")
{
    // The largest 64-bit number is 2^64 - 1; the largest 32-bit number is 2^32 - 1, and the largest
    // 8-bit number is 255.
    Accept<uint64_t>("18446744073709551615", 18446744073709551615U);
    Accept<uint32_t>("4294967295", 4294967295U);
    Accept<uint8_t>("65", 65); // not the character "6"
    Accept<int32_t>("-5", -5);
    Refuse<uint64_t>({"1e6", "16MB", "-5", "", " 5", "5 ", "0x10", "18446744073709551616"}, 7);
    Refuse<uint32_t>({"4294967296", "1.0"}, 7);
    Refuse<uint8_t>({"256", "A"}, 7);
    uint8_t octet = 0;
    NS_TEST_EXPECT_MSG_EQ(ReadOption("x", octet), "a whole number from 0 to 255", "the range");

    Accept<DataRate>("1e11bps", DataRate("100Gbps")); // as programs print rates
    Accept<Time>("1e-06s", MicroSeconds(1));
    Accept<Time>("2.5E+1us", MicroSeconds(25));
    Accept<Time>("1\u00b5s", MicroSeconds(1)); // with the micro sign; the next line has the Greek
                                               // letter mu
    Accept<Time>("1\u03bcs", MicroSeconds(1));
    Accept<double>("1e-3", 0.001);
    Accept<double>("-.5", -0.5);
    Refuse<double>({"", "0.5x", "inf", "nan", "1e999", "0x1", " 1", "1,5"}, 7);

    Accept<bool>("TRUE", true);
    Accept<bool>("0", false);
    Accept<bool>("", true);
    Refuse<bool>({"maybe", "2"}, true);

    Accept<std::string>("two words", "two words");

    Accept<Time>("55us", MicroSeconds(55));
    Accept<Time>("0.5ms", MicroSeconds(500));
    Accept<Time>("0", Time(0));
    // 2^63 - 1 ns is about 292 years.
    Accept<Time>("292y", NanoSeconds(292LL * 31536000 * 1000000000));
    Refuse<Time>(
        {"55", "", "us", "5 us", "5parsecs", "1eus", "1-2us", "293y", "1ps", "-1ps", "1.5ns"},
        MicroSeconds(7));
    Time time;
    const std::string longest = "a time with a unit (s, ms, us, ns, ps), as 55us, of at most ";
    NS_TEST_EXPECT_MSG_EQ(ReadOption("9223372036854775807ns", time), // 2^63 - 1, in ticks of 1 ns
                          longest + "9223372036 s",
                          "the largest time");
    NS_TEST_EXPECT_MSG_EQ(ReadOption("9223372036s", time), "", "the limit");
    NS_TEST_EXPECT_MSG_EQ(ReadOption("55", time), "a time with a unit, as 10us", "the unit");
    NS_TEST_EXPECT_MSG_EQ(ReadOption("1ps", time),
                          "a multiple of 1ns, the step in which times are counted",
                          "a time that would be lost");

    Accept<DataRate>("100Gbps", DataRate(100000000000));
    Accept<DataRate>("2.5Mbps", DataRate(2500000));
    Accept<DataRate>("10Gb/s", DataRate(10000000000)); // as ns-3 prints rates
    Accept<DataRate>("0", DataRate(0));
    Accept<DataRate>("9000Tbps", DataRate(9000000000000000));
    Refuse<DataRate>({"100", "", "Gbps", "-5", "-5Gbps", "100 Gbps"}, DataRate(7));
    Refuse<DataRate>({"5Gbit", "1ebps", "1e3", "1e3e3bps", "1.5", "9001Tbps"}, DataRate(7));
    DataRate rate;
    NS_TEST_EXPECT_MSG_EQ(ReadOption("100", rate), "a rate with a unit, as 100Gbps", "unit");
}

LOSSLESS_TEST(g_suite, "sizes take units")
{
    const std::vector<std::pair<std::string, uint64_t>> sizes = {
        {"2000000", 2000000},
        {"2MB", 2000000},
        {"2MiB", 2097152},
        {"1.5kB", 1500},
        {"0.5KiB", 512},
        {"16GiB", 17179869184},
        {"3GB", 3000000000},
        {"7B", 7},
        {"18446744073709551615", UINT64_MAX},
    };
    for (const auto& [text, bytes] : sizes)
    {
        uint64_t read = 1;
        NS_TEST_EXPECT_MSG_EQ(ByteRange{}.Read(text, read), "", text);
        NS_TEST_EXPECT_MSG_EQ(read, bytes, text);
    }
    const std::vector<std::string> wrong =
        {"", "B", "1e6", "-1", "-1MB", "1.5", "1.5B", "0.0001kB", "2mb", "2 MB", "2Mbit", "1e20GB"};
    for (const std::string& text : wrong)
    {
        uint64_t read = 1;
        NS_TEST_EXPECT_MSG_EQ(
            ByteRange{}.Read(text, read),
            "a size in whole bytes (or kB, MB, GB, KiB, MiB, GiB), as 2000000 or 2MB",
            text);
        NS_TEST_EXPECT_MSG_EQ(read, 1, "\"" << text << "\" changes nothing");
    }
    uint64_t read = 1;
    NS_TEST_EXPECT_MSG_EQ((ByteRange{64, 1456}.Read("2kB", read)), "64B to 1456B", "too much");
    NS_TEST_EXPECT_MSG_EQ(ByteRange{2048}.Read("1kB", read), "at least 2KiB", "too little");
    NS_TEST_EXPECT_MSG_EQ(read, 1, "as before");
}

LOSSLESS_TEST(g_suite, "times and sizes are written in the largest whole unit")
{
    const std::vector<std::pair<Time, std::string>> times = {{Time(0), "0s"},
                                                             {Seconds(4), "4s"},
                                                             {MilliSeconds(1500), "1500ms"},
                                                             {MicroSeconds(10), "10us"},
                                                             {NanoSeconds(1001), "1001ns"},
                                                             {NanoSeconds(-2000), "-2us"}};
    for (const auto& [time, text] : times)
    {
        NS_TEST_EXPECT_MSG_EQ(FormatTime(time), text, text);
        NS_TEST_EXPECT_MSG_EQ(DescribeTime(time), text, text);
    }
    NS_TEST_EXPECT_MSG_EQ(DescribeTime(NanoSeconds(12446368)), "12.4ms", "one decimal");
    NS_TEST_EXPECT_MSG_EQ(DescribeTime(NanoSeconds(10001)), "10.0us", "five digits");
    const std::vector<std::pair<std::string, std::optional<Time>>> delays = {
        {"0s", Time(0)},
        {"1.5us", NanoSeconds(1500)},
        {"9223372036s", Seconds(9223372036)},
        {"9223372037s", std::nullopt},
        {"18446744074s", std::nullopt},
        {"18446744074000000000ns", std::nullopt},
        {"0.1us", NanoSeconds(100)},
        {"4.1ms", NanoSeconds(4100000)},
        {"1234567.123456789s", NanoSeconds(1234567123456789)},
        {"0.4ns", std::nullopt},
        {"1.5ns", std::nullopt},
        {"1.0000001us", std::nullopt},
        {"0.1234567891s", std::nullopt},
        {"5", std::nullopt}};
    for (const auto& [text, delay] : delays)
    {
        NS_TEST_EXPECT_MSG_EQ((ParseDelay(text) == delay), true, text);
    }
    const std::vector<std::pair<uint64_t, std::string>> sizes = {{0, "0B"},
                                                                 {1, "1B"},
                                                                 {1000, "1kB"},
                                                                 {1024, "1KiB"},
                                                                 {16777216, "16MiB"},
                                                                 {2000000, "2MB"},
                                                                 {1456, "1456B"}};
    for (const auto& [bytes, text] : sizes)
    {
        NS_TEST_EXPECT_MSG_EQ(FormatBytes(bytes), text, text);
        NS_TEST_EXPECT_MSG_EQ(ParseBytes(text).value_or(7), bytes, "read again");
    }
    for (uint64_t hundredths = 1; hundredths < 10000; ++hundredths)
    {
        const std::string digits = std::to_string(100 + hundredths % 100).substr(1);
        const std::string text = std::to_string(hundredths / 100) + "." + digits + "MB";
        NS_TEST_EXPECT_MSG_EQ(ParseBytes(text).value_or(7), 10000 * hundredths, text);
    }
    for (const std::string text : {"4.1B", "1.0001kB", "1.00000001kB", "1e16kB"})
    {
        NS_TEST_EXPECT_MSG_EQ(ParseBytes(text).has_value(), false, text << " is not whole");
    }
}

std::string
Say(const std::string& argument)
{
    return GetAbortMessage([argument]() {
        StrictCommandLine commandLine("/folder/program.cc", "A test.");
        uint32_t bytes = 5;
        DataRate rate;
        commandLine.AddValue("bytes", "Bytes.", bytes);
        double share = 0;
        Time delay;
        std::string action;
        std::vector<double> metres;
        commandLine.AddValue("rate", "Rate.", rate, Range::Above(0));
        commandLine.AddValue("share", "Share.", share, Range::Above(0, 2));
        commandLine.AddValue("delay", "Delay.", delay, Range{0});
        commandLine.AddValue("action", "Action.", action, OneOf{{"drop", "forward", "alert"}});
        commandLine.AddValue("metres", "Lengths.", metres, Range{0, 100});
        commandLine.AddValue("theta", "Threshold.", share, Range{0.0001, 1});
        commandLine.AddValue("queues", "Queues.", bytes, Range{3, 7});
        commandLine.AddValue("rounds", "Rounds.", bytes, Range::Above(0));
        commandLine.AddValue("ports", "Ports.", bytes, Range{2, 128, false, true});
        ParseArguments(commandLine, {argument});
        commandLine.Require(bytes != 6, "--bytes is 6");
    });
}

/// Options with a range accept its limits and reject values beyond them.
void
LimitOptions()
{
    const auto refuse =
        [](const std::string& name, const std::string& value, const std::string& allowed) {
            std::string sentence = "program: --" + name;
            sentence += " is \"" + value + "\"; it must be " + allowed + ".\n";
            NS_TEST_EXPECT_MSG_EQ(Say("--" + name + "=" + value), sentence, name);
        };
    refuse("theta", "0.00009", "0.0001 to 1");
    refuse("theta", "1.01", "0.0001 to 1");
    refuse("theta", "x", "a number, as 0.5");
    // What is not a number is answered with the range of the option and not that of its type.
    refuse("queues", "1e3", "a whole number from 3 to 7");
    refuse("queues", "+3", "a whole number from 3 to 7");
    refuse("queues", "8", "3 to 7");
    refuse("rounds", "x", "a whole number from 1 to 4294967295");
    for (const std::string ports : {"-1", "3", "130", "x"})
    {
        refuse("ports", ports, "an even number from 2 to 128");
    }
    refuse("share", "0", "above 0 and at most 2");
    refuse("share", "2.1", "above 0 and at most 2");
    refuse("rate", "0", "above 0");
    refuse("delay", "-1ns", "at least 0");
    refuse("action", "drops", "drop, forward or alert");
    refuse("action", "", "drop, forward or alert");
    for (const std::string list : {"5,far", "", "5,", "5,101"})
    {
        refuse("metres", list, "numbers separated by commas, each 0 to 100");
    }
    for (const std::string good : {"theta=0.0001",
                                   "theta=1",
                                   "share=1e-9",
                                   "share=2",
                                   "rate=1bps",
                                   "delay=0",
                                   "action=alert",
                                   "metres=0,7.5,100"})
    {
        NS_TEST_EXPECT_MSG_EQ(Say("--" + good), "", good);
    }
    NS_TEST_EXPECT_MSG_EQ((Range{1, 16777217}.Describe()), "1 to 16777217", "all digits");
    NS_TEST_EXPECT_MSG_EQ(Range{0.001}.DescribeFor<Time>(), "at least 1ms", "a time");
    NS_TEST_EXPECT_MSG_EQ((Range{0, 1e6}.DescribeFor<DataRate>()), "0 to 1Mbps", "rates");
    NS_TEST_EXPECT_MSG_EQ(Range::Above(0).DescribeFor<Time>(), "above 0", "0 needs no unit");
}

void
ExpectAnswer(const std::string& argument, const std::string& answer)
{
    NS_TEST_EXPECT_MSG_EQ(Say(argument), "program: there is no " + answer + ".\n", argument);
}

std::string
AskForHelp(const std::string& argument, bool hasShort)
{
    return GetAbortMessage([&] {
        std::cout.rdbuf(std::cerr.rdbuf());
        std::atexit([] { std::_Exit(1); });
        uint32_t number = 7;
        StrictCommandLine commandLine("/folder/program.cc", "A test.");
        commandLine.BeginGroup("Others", "--withdrawn=2 --second=1");
        commandLine.AddValue("second", "The second.", number);
        commandLine.AddValue("withdrawn", "Hidden.", number);
        commandLine.Withdraw({"withdrawn"}, "it is a test");
        commandLine.BeginGroup("Hidden", "--hidden=1");
        commandLine.AddValue("hidden", "Hidden.", number);
        commandLine.EndGroup();
        commandLine.WithdrawGroup("Hidden", "it is a test");
        commandLine.BeginGroup("Inner", "--inner=1");
        commandLine.AddValue("inner", "The inner one.", number);
        commandLine.EndGroup();
        commandLine.AddValue("third", "The third.", number);
        commandLine.EndGroup();
        commandLine.AddValue("first", "The first.", number);
        commandLine.AddValue("any", "Not negative.", number, Range{0});
        commandLine.AddValue("some", "Not 0.", number, Range{1});
        if (hasShort)
        {
            commandLine.OfferShortHelp({"third", "first"}, {"program --third=8"});
        }
        ParseArguments(commandLine, {argument});
    });
}

LOSSLESS_TEST(g_suite, "--help shows options in groups, those of the program first")
{
    for (const auto& [argument, hasShort] : {std::pair("-h", false),
                                             std::pair("--help", false),
                                             std::pair("--help=all", true),
                                             std::pair("--PrintHelp", true)})
    {
        const std::string help = AskForHelp(argument, hasShort);
        ExpectPart(help,
                   "Program Options:\n"
                   "    --first:   The first. [7]\n"
                   "    --any:     Not negative. [7]\n"
                   "    --some:    Not 0 (at least 1). [7]\n"
                   "\n"
                   "  Others, as --second=1\n"
                   "    --second:  The second. [7]\n"
                   "    --third:   The third. [7]\n"
                   "\n"
                   "  Inner, as --inner=1\n"
                   "    --inner:   The inner one. [7]\n"
                   "\n");
        ExpectPart(help, "General Arguments:");
    }
}

LOSSLESS_TEST(g_suite,
              "--help shows a program's default of an attribute, not another one beside it")
{
    for (const auto& [bytes, text] :
         {std::pair(2000000, "Packet memory of the switch, in bytes (at least 1B). [2MB]"),
          std::pair(16 << 20, "(default 16 MiB: the Tomahawk model of")})
    {
        const std::string help = GetAbortMessage([own = UintegerValue(bytes)] {
            std::cout.rdbuf(std::cerr.rdbuf());
            std::atexit([] { std::_Exit(1); });
            StrictCommandLine commandLine("/folder/program.cc", "A test.");
            commandLine.AddAttribute("buffer", "SharedBuffer::Size", ByteRange{1}, own);
            ParseArguments(commandLine, {"--help"});
        });
        ExpectPart(help, text);
    }
}

LOSSLESS_TEST(g_suite, "--help is short where a program has many options, and shows a group")
{
    const std::string help = AskForHelp("-h", true);
    ExpectPart(help,
               "Program Options:\n"
               "    --third:   The third. [7]\n"
               "    --first:   The first. [7]\n"
               "\n"
               "Examples:\n"
               "    program --third=8\n"
               "\n"
               "More options, which --help=GROUP shows, and --help=all of all groups:\n");
    ExpectPart(help, "    Others  --second=1\n    Inner   --inner=1\n");
    NS_TEST_EXPECT_MSG_EQ(AskForHelp("--help=inn", true),
                          "  Inner, as --inner=1\n    --inner:   The inner one. [7]\n",
                          "a group, by how it begins");
    NS_TEST_EXPECT_MSG_EQ(AskForHelp("--help=outer", false),
                          "program: --help is \"outer\"; it must be all or a group: Others, "
                          "Inner.\n",
                          "there is none");
}

LOSSLESS_TEST(g_suite, "wrong names are answered with the right ones")
{
    const std::string ours = "--ns3::lossless::";
    const std::string alpha = "; write " + ours + "SihBufferPolicy::Alpha";
    // The attribute belongs to the base class.
    for (const std::string name : {"DshBufferPolicy::Alpha",
                                   "ns3::DshBufferPolicy::Alpha",
                                   "ns3::lossless::DshBufferPolicy::Alpha",
                                   "ns3::lossless::SihBufferPolicy::Alfa",
                                   "SihBuferPolicy::Alpha"})
    {
        ExpectAnswer("--" + name + "=1", "attribute --" + name + alpha);
    }
    ExpectAnswer("--RoceNic::Windows=1",
                 "attribute --RoceNic::Windows; write " + ours + "RoceNic::Window");
    ExpectAnswer("--Nobody::KnowsIt=1",
                 "attribute --Nobody::KnowsIt; print-attributes lists attributes");
    ExpectAnswer("--byte=1", "option --byte; write --bytes");
    ExpectAnswer("--byt=1", "option --byt; write --bytes");
    ExpectAnswer("--bytes-each=1", "option --bytes-each; write --bytes");
    ExpectAnswer("--RngRum=1", "option --RngRum; write --RngRun");
    ExpectAnswer("--quite-another", "option --quite-another; --help lists the options");
    ExpectAnswer("--", "option --; --help lists the options");
    ExpectAnswer("-", "option --; --help lists the options");
    for (const std::string good : {"--RngRun=7", "--SchedulerType=ns3::MapScheduler"})
    {
        NS_TEST_EXPECT_MSG_EQ(Say(good), "", good);
    }
}

LOSSLESS_TEST(g_suite, "bad command lines end the program with a sentence")
{
    NS_TEST_EXPECT_MSG_EQ(Say("--bytes=7"), "", "a good one");
    NS_TEST_EXPECT_MSG_EQ(
        Say("--bytes=1e6"),
        "program: --bytes is \"1e6\"; it must be a whole number from 0 to 4294967295.\n",
        "a bad number");
    NS_TEST_EXPECT_MSG_EQ(
        Say("--rate=100"),
        "program: --rate is \"100\"; it must be a rate with a unit, as 100Gbps.\n",
        "a rate without a unit");
    NS_TEST_EXPECT_MSG_EQ(Say("--bytes=6"), "program: --bytes is 6.\n", "a condition");
    LimitOptions();
    // The numbers, times and rates of attributes are read in the same way as those of options.
    const std::string ours = "ns3::lossless::";
    const auto refuse =
        [&](const std::string& attribute, const std::string& value, const std::string& allowed) {
            std::string sentence = "program: --" + ours + attribute;
            sentence += " is \"" + value + "\"; it must be " + allowed + ".\n";
            NS_TEST_EXPECT_MSG_EQ(Say("--" + ours + attribute + "=" + value), sentence, attribute);
        };
    refuse("SharedBuffer::Size", "-1", "a whole number from 1 to 9223372036854775807");
    refuse("RoceNic::Window", "1e6", "a whole number from 0 to 9223372036854775807");
    refuse("SharedBuffer::Size", "0", "from 1 to 9223372036854775807");
    refuse("RedMarker::MaxProbability", "2", "from 0 to 1");
    refuse("RoceNic::EcnCapable", "maybe", "true or false");
    refuse("RedMarker::MaxProbability", "x", "a number, as 0.5");
    refuse("QueueSampler::Period", "5", "a time with a unit, as 10us");
    refuse("QueueSampler::Period", "1ps", "a multiple of 1ns, the step in which times are counted");
    refuse("RateCongestionControl::MinRate", "100", "a rate with a unit, as 100Gbps");
    for (const std::string good : {"SharedBuffer::Size=1000000",
                                   "QueueSampler::Period=0",
                                   "QueueSampler::Period=2us",
                                   "RateCongestionControl::MinRate=40Mb/s",
                                   "RoceNic::EcnCapable=false",
                                   "RoceNic::CongestionControl=ns3::lossless::Dcqcn"})
    {
        NS_TEST_EXPECT_MSG_EQ(Say("--" + ours + good), "", good);
    }
}

/// @return a file of options for Settle()
std::string
WriteSettings(const std::string& text)
{
    const std::string path = CreateTempDirFilename("run.ini");
    std::ofstream(path) << text;
    return path;
}

struct Settled
{
    uint32_t bytes{5};             ///< value of an option
    bool isStrict{false};          ///< value of an option
    std::string name{"own"};       ///< value of an option
    std::vector<std::string> read; ///< all arguments except the program name
    std::string spec;        ///< the spec of all options; omits "strict" if this option was given
                             ///< without a value
    bool isNameGiven{false}; ///< the result of IsGiven()
};

Settled
Settle(const std::vector<std::string>& arguments)
{
    Settled settled;
    StrictCommandLine commandLine("/folder/program.cc", "A test.");
    commandLine.AddValue("bytes", "Bytes.", settled.bytes, Range{1});
    commandLine.AddValue("strict", "Strict.", settled.isStrict);
    commandLine.AddValue("name", "Name.", settled.name);
    commandLine.OfferSettings();
    ParseArguments(commandLine, arguments);
    const auto all = commandLine.GetArguments();
    settled.read.assign(all.begin() + 1, all.end());
    settled.isNameGiven = commandLine.IsGiven("name");
    const bool isPlain =
        std::find(settled.read.begin(), settled.read.end(), "--strict") != settled.read.end();
    settled.spec =
        commandLine.MakeSpec(isPlain ? std::set<std::string>{"strict"} : std::set<std::string>());
    return settled;
}

LOSSLESS_TEST(g_suite, "options from a file, which the command line overrides")
{
    const std::string path = WriteSettings("\xEF\xBB\xBF# a study\n\n ; more\nbytes = 7 \r\n"
                                           "\tstrict=true\nRngRun = 1\n");
    // The command line takes precedence, regardless of where the file is named.
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--bytes=9", "--settings=" + path},
          std::vector<std::string>{"--settings=" + path, "--bytes=9"}})
    {
        const Settled settled = Settle(arguments);
        NS_TEST_EXPECT_MSG_EQ(settled.bytes, 9, "of the command line");
        NS_TEST_EXPECT_MSG_EQ(settled.isStrict, true, "of the file");
        NS_TEST_EXPECT_MSG_EQ(settled.name, "own", "of neither");
        NS_TEST_EXPECT_MSG_EQ(settled.isNameGiven, false, "nor given");
        const std::vector<std::string> read{"--strict=true", "--RngRun=1", "--bytes=9"};
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(settled.read, read), "", "as run.json shows it");
    }
    NS_TEST_EXPECT_MSG_EQ(Settle({"--settings=" + path, "--strict"}).isStrict, true, "both say so");
    const Settled other = Settle({"--settings=" + WriteSettings("name = two = words # kept")});
    NS_TEST_EXPECT_MSG_EQ(other.name, "two = words # kept", "all behind the first =");
    NS_TEST_EXPECT_MSG_EQ(other.isNameGiven, true, "given");
    NS_TEST_EXPECT_MSG_EQ(other.bytes, 5, "its default");
}

LOSSLESS_TEST(g_suite, "a spec stands for a command line, and a command line makes a spec")
{
    const auto expect = [](const std::vector<std::string>& arguments,
                           const std::vector<std::string>& read,
                           const std::string& spec) {
        const Settled settled = Settle(arguments);
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(settled.read, read), "", spec);
        NS_TEST_EXPECT_MSG_EQ(settled.spec, spec, "of what was read");
        const std::vector<std::string> again{"--spec=" + WriteSettings(settled.spec)};
        NS_TEST_EXPECT_MSG_EQ(Settle(again).spec, spec, "what is written is read");
    };
    const std::string tree = WriteSettings(R"({"program": "program", "bytes": 7.0, "RngRun": 3,
        "strict": true, "RoceNic": {"AckInterval": 4}, "ns3::TcpSocket": {"SegmentSize": "9"}})");
    const std::string text =
        R"({"program":"program","bytes":"7","RngRun":"3","strict":"true",)"
        R"("RoceNic":{"AckInterval":"4"},"ns3::TcpSocket":{"SegmentSize":"9"}})";
    const std::string attributes[] = {"--ns3::lossless::RoceNic::AckInterval=4",
                                      "--ns3::TcpSocket::SegmentSize=9"};
    expect({"--spec=" + tree},
           {"--bytes=7", "--RngRun=3", "--strict=true", attributes[0], attributes[1]},
           text);
    // Options are taken from the spec of a result. The other options on the command line take
    // precedence, both before and after `--spec`.
    const std::string results =
        WriteSettings(R"({"schema": "lossless-run", "spec": )" + text + "}");
    expect({"--bytes=9", "--spec=" + results, "--RngRun=4", "--name=a=b", "--strict"},
           {"--bytes=9", attributes[0], attributes[1], "--RngRun=4", "--name=a=b", "--strict"},
           R"({"program":"program","bytes":"9","RoceNic":{"AckInterval":"4"},)"
           R"("ns3::TcpSocket":{"SegmentSize":"9"},"RngRun":"4","name":"a=b"})");
    Config::Reset();
}

LOSSLESS_TEST(g_suite, "a bad spec is named")
{
    const auto expect = [](const std::string& tree, const std::string& sentence) {
        const std::string path = WriteSettings(tree);
        ExpectStop(sentence, [&path] { Settle({"--spec=" + path}); });
    };
    expect("", ":1: this is not JSON; a spec is an object of options, as {");
    expect("{\n\"bytes\": 7,\n}", ":3: this is not JSON;");
    expect("[1]", ": a spec is an object of options, as {");
    expect(R"({"bytes": 1, "bytes": 2})", ": \"bytes\" is given twice; write it once");
    expect(R"({"RoceNic": {}})", ": \"RoceNic\" has no attribute");
    expect(R"({"program": [[1]]})", ": \"program\" is no text");
    expect(R"({"bytes": 1e999})", ": a number is too large");
    expect(R"({"output": "x"})", ": --output is for the command line alone");
    expect(R"({"bytes": [1]})", ": \"bytes\" is array; it must be a text, a number, true or false");
    expect(R"({"RoceNic": {"AckInterval": {}}})", "RoceNic::AckInterval\" is object; it must be");
    expect(R"({"program": "other"})", ": the spec is for \"other\", not for \"program\"");
    expect(R"({"schema": "lossless-run"})", ": these results have no \"spec\";");
    expect(R"({"byte": 7})", "program: there is no option --byte; write --bytes");
    expect(R"({"help": true})", ": --help is for the command line alone");
    expect(R"({"spec": "x"})", ": --spec is for the command line alone");
    expect(R"({"bytes": 0.5})", "--bytes is \"0.5\"; it must be a whole number");
}

LOSSLESS_TEST(g_suite, "a bad line of a file of options is named")
{
    const auto expect = [](const std::string& line, const std::string& sentence) {
        const std::string path = WriteSettings("strict = true\n" + line + "\n");
        NS_TEST_EXPECT_MSG_EQ(GetAbortMessage([&path] { Settle({"--settings=" + path}); }),
                              "program: " + path + ":2: " + sentence + ".\n",
                              line);
    };
    expect("byte = 7", "there is no option --byte; write --bytes");
    expect("bytes = x", "--bytes is \"x\"; it must be a whole number from 1 to 4294967295");
    expect("bytes = 0", "--bytes is \"0\"; it must be at least 1");
    expect("bytes 7", "\"bytes 7\" is not a setting; write name = value");
    expect("--bytes=7", "\"--bytes=7\" is not a setting; write name = value");
    expect("= 7", "\"= 7\" is not a setting; write name = value");
    expect("settings = x", "a file of settings cannot name another one");
    expect("help = 1", "--help is for the command line alone");
    const std::string twice = WriteSettings("strict = true\nstrict = false\n");
    ExpectStop(":2: --strict is given twice; write it once (--strict comes from " + twice + ":1)",
               [&twice] { Settle({"--settings=" + twice}); });
    ExpectStop("cannot open the file '/nonexistent'", [] { Settle({"--settings=/nonexistent"}); });
    NS_TEST_EXPECT_MSG_EQ(GetAbortMessage([] { Settle({"--settings"}); }),
                          "program: --settings is \"\"; it must be a file, as "
                          "--settings=run.ini.\n",
                          "no name");
}

LOSSLESS_TEST(g_suite, "an option that could not be given is refused when it is added")
{
    const auto add = [](const std::string& name, bool isParsed = false) {
        return GetAbortMessage([&] {
            StrictCommandLine commandLine("/folder/program.cc", "A test.");
            uint32_t bytes = 0;
            commandLine.AddValue("bytes", "Bytes.", bytes);
            if (isParsed)
            {
                ParseArguments(commandLine, {});
            }
            commandLine.AddValue(name, "Another one.", bytes);
        });
    };
    NS_TEST_EXPECT_MSG_EQ(add("more-bytes_2"), "", "a good one");
    for (const char* name : {"bytes", "RngRun", "help"})
    {
        ExpectPart(add(name), std::string("there is an option --") + name + " already.");
    }
    for (const char* name : {"", "my option", "a=b", "-x", "2nd"})
    {
        ExpectPart(add(name), "\"" + std::string(name) + "\" is no name of an option");
    }
    ExpectPart(add("more", true), "--more is added after Parse().");
}

/// The unsigned number that ns-3 reads for -2^63, the most negative number.
constexpr uint64_t LEAST_NEGATIVE = uint64_t{1} << 63;

/// Unsigned attributes must reject negative numbers, which ns-3 reads as very large ones.
LOSSLESS_TEST(g_suite, "each attribute takes its default, and no negative number for a huge one")
{
    uint32_t attributes = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const bool isOurs =
            type.GetGroupName() == "Lossless" && type != EcmpForwarding::GetTypeId();
        for (std::size_t j = 0; isOurs && j < type.GetAttributeN(); ++j)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(j);
            NS_TEST_EXPECT_MSG_EQ(info.checker->Check(*info.originalInitialValue),
                                  true,
                                  type.GetAttributeFullName(j) << " allows its default");
            if (info.checker->GetValueTypeName() == "ns3::UintegerValue")
            {
                ++attributes;
                NS_TEST_EXPECT_MSG_EQ(info.checker->Check(UintegerValue(LEAST_NEGATIVE)),
                                      false,
                                      type.GetAttributeFullName(j));
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(attributes, 30, "attributes that are numbers");
}

void
ExpectRefused(const std::string& attribute, const std::string& value, const std::string& sentence)
{
    ExpectStop(sentence,
               [&]() { Config::SetDefault("ns3::lossless::" + attribute, StringValue(value)); });
}

LOSSLESS_TEST(g_suite, "attributes that make objects name the types that they take")
{
    const std::string red = "ns3::lossless::RedMarker";
    ExpectRefused(
        "RoceNic::CongestionControl",
        "ns3::lossless::Bogus",
        "\"ns3::lossless::Bogus\" is not an ns3::lossless::CongestionControl; it must be one "
        "of ns3::lossless::");
    for (const std::string base :
         {"", "Rate", "RateWindow", "Window"}) // these are the names of base classes
    {
        const std::string type = "ns3::lossless::" + base + "CongestionControl";
        ExpectRefused("RoceNic::CongestionControl", type, "\"" + type + "\" has no constructor");
    }
    ExpectRefused("SwitchNode::Marker", "Bogus[", "\"Bogus\" is not an ns3::lossless::EcnMarker");
    ExpectRefused("SwitchNode::Marker", "", "\"\" is not an ns3::lossless::EcnMarker");
    ExpectRefused("SwitchNode::Scheduler", red, "is not an ns3::lossless::ClassScheduler");
    ExpectRefused("SwitchNode::Marker", red + "[", "must end with its only \"]\"");
    ExpectRefused("SwitchNode::Marker", red + "[]]", "must end with its only \"]\"");
    ExpectRefused("SwitchNode::Marker", red + "[MinBytes]", "\"MinBytes\" sets no attribute of ");
    ExpectRefused("SwitchNode::Marker", red + "[Foo=1]", red + " has no attribute \"Foo\"");
    ExpectRefused("SwitchNode::Marker",
                  red + "[MaxProbability=2]",
                  "\"2\" is not a value of " + red + "::MaxProbability");
    ExpectStop("is not an ns3::lossless::SwitchNode",
               []() { SwitchHelper("ns3::lossless::Bogus"); });
    ExpectStop("is not an ns3::lossless::EcnMarker", []() { SwitchHelper().SetMarker("Bogus"); });
    ExpectStop("is not an ns3::lossless::ClassScheduler",
               []() { SwitchHelper().SetScheduler("Bogus"); });
    ExpectStop("is not an ns3::lossless::BufferPolicy",
               []() { SwitchHelper().SetBufferPolicy("Bogus"); });
    ExpectStop("is not an ns3::lossless::Forwarding",
               []() { SwitchHelper().SetForwarding("Bogus"); });
    ExpectStop("an ObjectFactory makes no registered type; it must make one of ns3::lossless::",
               []() {
                   CreateObject<RoceNic>()->SetAttribute("CongestionControl",
                                                         ObjectFactoryValue(ObjectFactory()));
               });

    // A valid value is applied with its settings.
    auto node = CreateObjectWithAttributes<SwitchNode>(
        "Marker",
        StringValue("ns3::lossless::RedMarker[MinBytes=100|MaxBytes=2000]"));
    ObjectFactoryValue marker;
    node->GetAttribute("Marker", marker);
    UintegerValue bytes;
    marker.Get().Create()->GetAttribute("MaxBytes", bytes);
    NS_TEST_EXPECT_MSG_EQ(bytes.Get(), 2000, "as set");
}

SwitchOptions
ReadOptions(const std::vector<std::string>& arguments)
{
    StrictCommandLine commandLine("/folder/program.cc", "A test.");
    SwitchOptions options;
    options.AddTo(commandLine);
    ParseArguments(commandLine, arguments);
    options.Check(commandLine);
    return options;
}

SwitchHelper
ChooseSwitches(const std::vector<std::string>& arguments)
{
    return ReadOptions(arguments).MakeSwitchHelper();
}

std::string
GetType(Ptr<const Object> part)
{
    const std::string name = part->GetInstanceTypeId().GetName();
    return name.substr(name.rfind(':') + 1);
}

std::string
GetTypes(const std::vector<std::string>& arguments)
{
    Ptr<SwitchNode> node = ChooseSwitches(arguments).Create();
    return GetType(node) + " " + GetType(node->GetBufferPolicy()) + " " +
           GetType(node->GetFlowControl());
}

LOSSLESS_TEST(g_suite, "a scheme, a buffer policy and an egress queue are chosen by name")
{
    const std::string pfc = "PfcSwitchNode ";
    NS_TEST_EXPECT_MSG_EQ(GetTypes({}), pfc + "SihBufferPolicy PfcFlowControl", "none given");
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=pfc"}), GetTypes({"--scheme=SIH"}), "PFC is SIH");
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=PFC", "--buffer-policy=static"}),
                          pfc + "StaticBufferPolicy PfcFlowControl",
                          "what has no name of its own");
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=PFC", "--buffer-policy=DSH"}),
                          pfc + "DshBufferPolicy PfcFlowControl",
                          "DSH is PFC with its policy");
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=DSH"}),
                          "DshSwitchNode DshBufferPolicy PfcFlowControl",
                          "the same, by its name");
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=sih", "--buffer-policy=sih", "--egress-queue=FIFO"}),
                          GetTypes({}),
                          "what is there anyway may be named");
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=PABO"}),
                          "PaboSwitchNode UnlimitedBufferPolicy PaboFlowControl",
                          "PABO");
}

LOSSLESS_TEST(g_suite, "each buffer policy and each egress queue carries a frame")
{
    const SchemeInfo pfc = *FindPart<SchemeInfo>("PFC");
    for (const BufferPolicyInfo& policy : pfc.GetPolicies())
    {
        for (const EgressQueueInfo& queue : GetParts<EgressQueueInfo>())
        {
            Star star(ChooseSwitches({"--scheme=PFC",
                                      "--buffer-policy=" + policy.name,
                                      "--egress-queue=" + queue.name})
                          .Create(),
                      2);
            star.GetHost(0).Send(1, 8, 100);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(),
                                  1,
                                  policy.name << ", " << queue.name);
            const TypeId type = star.m_switch->GetBufferPolicy()->GetInstanceTypeId();
            NS_TEST_EXPECT_MSG_EQ(type.GetName(), policy.type, policy.name);
            ObjectFactoryValue queues;
            star.m_switch->GetAttribute("EgressQueue", queues);
            NS_TEST_EXPECT_MSG_EQ(queues.Get().GetTypeId().GetName(), queue.type, queue.name);
            Simulator::Destroy();
        }
    }
}

LOSSLESS_TEST(g_suite, "a scheme from outside the module is chosen by its name, after the others")
{
    NS_TEST_EXPECT_MSG_EQ(GetTypes({"--scheme=flow-stop"}),
                          "FlowStopSwitchNode UnlimitedBufferPolicy FlowControl",
                          "registered by the suite lossless-toy-flow-stop");
    NS_TEST_EXPECT_MSG_EQ(GetParts<SchemeInfo>().back().name, "Flow-stop", "the last one");
}

LOSSLESS_TEST(g_suite, "so is a forwarding, which says whether flows keep their paths")
{
    const std::vector<std::string> arguments{"--routing=flowlet"};
    NS_TEST_EXPECT_MSG_EQ(GetType(ChooseSwitches(arguments).Create()->GetForwarding()),
                          "FlowletForwarding",
                          "registered by the suite lossless-toy-flowlet");
    NS_TEST_EXPECT_MSG_EQ(ReadOptions(arguments).GetReordering(), "--routing=Flowlet", "its name");
    NS_TEST_EXPECT_MSG_EQ(ReadOptions({"--routing=adaptive"}).GetReordering(),
                          "--routing=Adaptive",
                          "each frame");
    NS_TEST_EXPECT_MSG_EQ(ReadOptions({"--routing=Weighted"}).GetReordering(), "", "by flow");
    NS_TEST_EXPECT_MSG_EQ(ReadOptions({}).GetReordering(), "", "none given");
}

LOSSLESS_TEST(g_suite, "the order of schemes is that of their positions and names")
{
    std::vector<SchemeInfo> schemes;
    for (const auto& [name, position] : {std::pair("d", 3), {"b", 3}, {"c", 1}, {"a", 4}})
    {
        SchemeInfo scheme;
        scheme.name = name;
        scheme.position = position;
        AddChoice(schemes, scheme);
    }
    NS_TEST_EXPECT_MSG_EQ(ListNames(schemes), "c, b, d, a", "whatever the order of registration");
    ExpectStop("\"pfc\" is registered twice.",
               [] { RegisterScheme<InfiniteBufferSwitchNode>("pfc"); });
}

/// A class whose author has forgotten GetTypeId().
template <typename T>
class Nameless : public T
{
};

LOSSLESS_TEST(g_suite, "a class without a GetTypeId of its own is named; its parent is not made")
{
    const auto describe = [](SchemeInfo&) {};
    ExpectStop("have the same type, ns3::lossless::InfiniteBufferSwitchNode", [&] {
        RegisterScheme<Nameless<InfiniteBufferSwitchNode>>("Nameless", 1, describe);
    });
    ExpectStop("have the same type, ns3::lossless::UnlimitedBufferPolicy", [&] {
        RegisterPart<Nameless<UnlimitedBufferPolicy>, BufferPolicyInfo>("Nameless");
    });
    ExpectStop("have the same type, ns3::lossless::WeightedForwarding",
               [&] { RegisterPart<Nameless<WeightedForwarding>, ForwardingInfo>("Nameless"); });
    ExpectStop("The class of \"Nameless\" has no GetTypeId() of its own: ns3::lossless::SwitchNode "
               "would be made instead.",
               [&] {
                   RegisterScheme<Nameless<SwitchNode>>("Nameless", 1, describe);
                   SwitchHelper(*FindPart<SchemeInfo>("Nameless")).Create();
               });
}

LOSSLESS_TEST(g_suite, "the policy of a scheme is the one that its switches have")
{
    for (const SchemeInfo& scheme : GetParts<SchemeInfo>())
    {
        const auto own = SwitchHelper(scheme).Create()->GetBufferPolicy();
        NS_TEST_EXPECT_MSG_EQ(own->GetInstanceTypeId().GetName(),
                              scheme.GetPolicies().at(0).type,
                              scheme.name);
        if (!scheme.general.empty())
        {
            const auto general = FindPart<SchemeInfo>(scheme.general);
            NS_TEST_ASSERT_MSG_EQ(general.has_value(), true, "what may be written instead");
            NS_TEST_EXPECT_MSG_EQ(FindByName(general->GetPolicies(), scheme.policy).has_value(),
                                  true,
                                  scheme.general << " over " << scheme.policy);
        }
    }
}

/// If a scheme is mistakenly created with the class of another scheme, its results often do not
/// reveal the mistake.
LOSSLESS_TEST(g_suite, "the flow control of a scheme is its own")
{
    const std::map<std::string, std::string> expected{{"PFC", "PfcFlowControl"},
                                                      {"SIH", "PfcFlowControl"},
                                                      {"DSH", "PfcFlowControl"},
                                                      {"SHP", "PfcFlowControl"},
                                                      {"PABO", "PaboFlowControl"},
                                                      {"CaPFC-Max", "CapfcFlowControl Max"},
                                                      {"CaPFC-Cal", "CapfcFlowControl Calibrate"},
                                                      {"PFC-wdrop", "CapfcFlowControl None"},
                                                      {"PFC-wstop", "CapfcFlowControl None"},
                                                      {"CaPFC-Static", "CapfcFlowControl Max"},
                                                      {"CaPFC-Both", "CapfcBothFlowControl"},
                                                      {"OFC", "OfcFlowControl"},
                                                      {"BFC", "BfcFlowControl"},
                                                      {"FAFC", "FafcFlowControl"},
                                                      {"P-PFC", "PpfcFlowControl"},
                                                      {"P-PFC-Both", "PpfcBothFlowControl"},
                                                      {"GFC", "GfcFlowControl"},
                                                      {"G-PFC", "GpfcFlowControl"},
                                                      {"CBFC", "CbfcFlowControl"},
                                                      {"DropTail", "FlowControl"},
                                                      {"Infinite", "FlowControl"}};
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        const auto flowControl = SwitchHelper(scheme).Create()->GetFlowControl();
        std::string name = flowControl->GetInstanceTypeId().GetName();
        if (DynamicCast<CapfcFlowControl>(flowControl))
        {
            StringValue contributors;
            flowControl->GetAttribute("Contributors", contributors);
            name += " " + contributors.Get();
        }
        NS_TEST_EXPECT_MSG_EQ(name, "ns3::lossless::" + expected.at(scheme.name), scheme.name);
    }
}

/// @return true if a switch cannot combine the scheme and the policy. A scheme that pauses
/// neighbours needs thresholds, CaPFC's two memories need a packet processor, and CBFC and a memory
/// that is divided into credits require each other.
bool
CannotRun(const SchemeInfo& scheme, const BufferPolicyInfo& policy)
{
    const Ptr<SwitchNode> node = SwitchHelper(scheme).Create();
    const bool hasThresholds = policy.name != "DropTail" && policy.name != "Unlimited";
    return (DynamicCast<ThresholdFlowControl>(node->GetFlowControl()) && !hasThresholds) ||
           (policy.name == "CaPFC" && !node->GetProcessor()) ||
           (policy.name == "CBFC") != (scheme.name == "CBFC");
}

LOSSLESS_TEST(g_suite, "switches refuse what cannot run, and the command line what is in no table")
{
    for (const SchemeInfo& scheme : GetParts<SchemeInfo>())
    {
        const std::string reason = scheme.takesOtherPolicies
                                       ? " needs thresholds"
                                       : " includes the buffer policy " + scheme.policy;
        for (const BufferPolicyInfo& policy : GetParts<BufferPolicyInfo>())
        {
            const std::string pair = scheme.name + " over " + policy.name;
            const std::string said = GetAbortMessage([&] {
                SwitchHelper switches(scheme);
                switches.SetBufferPolicy(policy.type);
                // CaPFC's memories are designed for this link.
                Star star(switches.Create(), 2, {DataRate("1Gbps"), MicroSeconds(1)});
                star.m_switch->Initialize();
            });
            const bool cannotRun = CannotRun(scheme, policy);
            NS_TEST_EXPECT_MSG_EQ(!said.empty(), cannotRun, pair << ": " << said);
            const bool isAllowed = FindByName(scheme.GetPolicies(), policy.name).has_value();
            if (scheme.takesOtherPolicies || isAllowed)
            {
                NS_TEST_EXPECT_MSG_EQ(isAllowed, !cannotRun, pair << " in the table");
            }
            const std::string answer = GetAbortMessage([&] {
                ChooseSwitches({"--scheme=" + scheme.name, "--buffer-policy=" + policy.name});
            });
            NS_TEST_EXPECT_MSG_EQ(answer.empty(), isAllowed, pair << " on the command line");
            ExpectPart(answer, isAllowed ? "" : reason);
        }
    }
}

/// @return the page, with each table row on one line and without markup
std::string
ReadPage(const std::string& name)
{
    std::ifstream file(std::string(NS_TEST_SOURCEDIR) + "/../doc/" + name);
    std::string page;
    for (std::string line; std::getline(file, line);)
    {
        line.erase(std::remove(line.begin(), line.end(), '`'), line.end());
        page += line.empty() || line.front() != ' ' ? "\n" : " ";
        std::istringstream words(line);
        std::string row;
        for (std::string word; words >> word;)
        {
            row += (row.empty() ? "" : " ") + word;
        }
        page += row;
    }
    return page + "\n";
}

LOSSLESS_TEST(g_suite, "the documentation has the schemes, their order and their policies")
{
    const std::string pairs = ReadPage("lossless.rst");
    std::string table;
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        const std::string type = scheme.type.substr(scheme.type.rfind(':') + 1);
        table += "\n" + scheme.name + " " + type + " " + scheme.what;
        ExpectPart(pairs, "\n" + scheme.name + " " + ListNames(scheme.GetPolicies()) + "\n");
    }
    ExpectPart(ReadPage("schemes.rst"), table + "\n====");
}

/// @return the source addresses of the arriving frames, in order of arrival: two hosts send a burst
/// each, and a third host sends one frame
std::string
SendThroughLongQueue(Ptr<SwitchNode> node)
{
    Star star(node, 4);
    star.GetHost(0).Send(3, 8, 1500, 60);
    star.GetHost(1).Send(3, 8, 1500, 60);
    star.GetHost(2).Send(3, 8, 1500, 1, MicroSeconds(4));
    Simulator::Run();
    std::ostringstream text;
    for (const Arrival& arrival : star.GetHost(3).received.m_arrivals)
    {
        text << arrival.source << " ";
    }
    Simulator::Destroy();
    return text.str();
}

LOSSLESS_TEST(g_suite, "FAFC has fair egress queues by any way to make it, unless told otherwise")
{
    const std::string byHand =
        SendThroughLongQueue(ObjectFactory("ns3::lossless::FafcSwitchNode").Create<SwitchNode>());
    const std::string byName = SendThroughLongQueue(ChooseSwitches({"--scheme=FAFC"}).Create());
    const std::string fair =
        SendThroughLongQueue(ChooseSwitches({"--scheme=FAFC", "--egress-queue=Fair"}).Create());
    const std::string fifo =
        SendThroughLongQueue(ChooseSwitches({"--scheme=FAFC", "--egress-queue=Fifo"}).Create());
    NS_TEST_EXPECT_MSG_EQ(byHand, fair, "CreateObject");
    NS_TEST_EXPECT_MSG_EQ(byName, fair, "--scheme");
    NS_TEST_EXPECT_MSG_NE(fifo, fair, "first in, first out on request");
}

/// PFC-wstop and PFC-wdrop differ only in one attribute of their policy.
LOSSLESS_TEST(g_suite, "a scheme's own policy keeps what the scheme sets of it, named or not")
{
    for (const std::string scheme : {"PFC-wstop", "PFC-wdrop"})
    {
        for (const std::string policy : {"", "CaPFC"})
        {
            BooleanValue waits;
            ChooseSwitches({"--scheme=" + scheme, "--buffer-policy=" + policy})
                .Create()
                ->GetBufferPolicy()
                ->GetAttribute("WaitForEgress", waits);
            NS_TEST_EXPECT_MSG_EQ(waits.Get(), (scheme == "PFC-wstop"), scheme << " " << policy);
        }
    }
}

/// @return the error message if the argument is rejected before the run, otherwise an empty string
std::string
RunWith(const std::string& argument, const std::function<void()>& setUp)
{
    return GetAbortMessage([&]() {
        StrictCommandLine commandLine("program.cc", "");
        uint64_t buffer = 0;
        commandLine.AddValue("buffer", "Memory.", buffer);
        commandLine.SetsAttribute("buffer", "SharedBuffer::Size");
        ParseArguments(commandLine, {argument});
        setUp();
        commandLine.RequireEffect();
    });
}

// Programs reject such attributes with the messages listed in test/bad-inputs.py.
LOSSLESS_TEST(g_suite, "an attribute that the program sets is refused, unless it counts somewhere")
{
    const std::string size = "--ns3::lossless::SharedBuffer::Size=1000000";
    const auto make = [](const SwitchHelper& switches) {
        switches.Create();
        switches.Create();
    };
    const auto sizes = [&make] {
        SwitchHelper switches;
        switches.SetBufferAttribute("Size", UintegerValue(2000000));
        make(switches);
    };
    NS_TEST_EXPECT_MSG_EQ(RunWith(size, sizes).empty(), false, "in a part");
    NS_TEST_EXPECT_MSG_EQ(RunWith(size, [&make] { make(SwitchHelper()); }), "", "in force");
    NS_TEST_EXPECT_MSG_EQ(RunWith("--buffer=1", sizes), "", "no attribute");
    NS_TEST_EXPECT_MSG_EQ(RunWith("--ns3::lossless::SharedBuffer::Size=2000000", sizes),
                          "",
                          "the same value");
    NS_TEST_EXPECT_MSG_EQ(RunWith(size,
                                  [&] {
                                      sizes();
                                      make(SwitchHelper());
                                  }),
                          "",
                          "in force in some switches");
    const auto tellHpcc = [] {
        ObjectFactory control("ns3::lossless::Hpcc", "BaseRtt", TimeValue(MicroSeconds(9)));
        Config::SetDefault("ns3::lossless::RoceNic::CongestionControl",
                           ObjectFactoryValue(control));
    };
    const std::string control = "--ns3::lossless::RoceNic::CongestionControl=ns3::lossless::";
    NS_TEST_EXPECT_MSG_EQ(RunWith(control + "Hpcc", tellHpcc), "", "more is set of what it makes");
    for (const std::string other : {"Hpcc[BaseRtt=8us]", "Hpcc[Eta=0.9]", "Dcqcn"})
    {
        NS_TEST_EXPECT_MSG_EQ(RunWith(control + other, tellHpcc).empty(), false, other);
    }
}

LOSSLESS_TEST(g_suite, "an attribute counts if there is something of its type")
{
    const auto makeSwitch = [] {
        SwitchHelper switches; // SIH is selected
        switches.SetMarker("ns3::lossless::StepMarker");
        switches.Create();
    };
    const auto makeFafc = [] {
        SwitchHelper(*FindPart<SchemeInfo>("FAFC")).Create();
    }; // FAFC uses these attributes.
    NS_TEST_EXPECT_MSG_EQ(RunWith("--ns3::lossless::FairEgressQueue::Quantum=1000", makeFafc),
                          "",
                          "those that a kind of switch usually has");
    for (const std::string used : {"SihBufferPolicy::Alpha=0.25",
                                   // This is an attribute of the base class.
                                   "HeadroomBufferPolicy::HeadroomBytes=1000",
                                   "StepMarker::Threshold=3",
                                   // No object of this type has been created.
                                   "RawSource::FrameBytes=300"})
    {
        NS_TEST_EXPECT_MSG_EQ(RunWith("--ns3::lossless::" + used, makeSwitch), "", used);
    }
}

LOSSLESS_TEST(g_suite, "an attribute that does not count beside another one is refused")
{
    const auto makeSwitch = [](const std::string& quanta) {
        return [quanta] {
            SwitchHelper switches;
            switches.SetScheduler("ns3::lossless::DwrrScheduler", "Quanta", StringValue(quanta));
            switches.Create();
        };
    };
    const auto some = makeSwitch("1,1,1,1,1,1,1,2");
    const auto none = makeSwitch("");
    const std::string quantum = "--ns3::lossless::DwrrScheduler::Quantum=3000";
    NS_TEST_EXPECT_MSG_EQ(RunWith(quantum, some).empty(), false, "it has no effect");
    NS_TEST_EXPECT_MSG_EQ(RunWith(quantum, none), "", "it counts");
    NS_TEST_EXPECT_MSG_EQ(RunWith(quantum,
                                  [&some, &none] {
                                      some();
                                      none();
                                  }),
                          "",
                          "it counts in some switches");
    const std::string headroom = "--ns3::lossless::HeadroomBufferPolicy::ReferenceHeadroomBytes=9";
    const auto setPorts = [] {
        SwitchHelper switches;
        switches.SetPolicyAttribute("ReferencePorts", UintegerValue(32));
        switches.Create();
    };
    NS_TEST_EXPECT_MSG_EQ(RunWith(headroom, setPorts), "", "ReferencePorts is not 0");
    NS_TEST_EXPECT_MSG_EQ(
        GetAbortMessage([] {
            AddCondition(DwrrScheduler::GetTypeId(), {"Quantums"}, {"Quanta", Where::IS, ""});
        }).empty(),
        false,
        "of an attribute that there is not");
}

LOSSLESS_TEST(g_suite, "the results show which buffer policy was chosen")
{
    AttributeSurvey survey;
    survey.AddDefaults();
    survey.AddObject(ChooseSwitches({"--scheme=PFC", "--buffer-policy=Static"}).Create());
    std::string found;
    for (const AttributeDifference& difference : survey.GetDifferences())
    {
        if (difference.attribute == "BufferPolicy")
        {
            found += difference.type + " has " + *difference.values.begin();
        }
    }
    NS_TEST_EXPECT_MSG_EQ(found,
                          "ns3::lossless::SwitchNode has ns3::lossless::StaticBufferPolicy",
                          "the policy");
}

} // namespace ns3::lossless::tests::THIS_FILE
