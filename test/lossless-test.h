// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_TEST_H
#define LOSSLESS_TEST_H

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lossless
 * Suites whose test cases are single blocks, and the includes that nearly all suites need. Test
 * files do not repeat the includes of the headers that they use from this folder.
 *
 * @code
 * Suite g_suite("lossless-arithmetic", UNIT);
 *
 * /// A check shared by several test cases.
 * void
 * CheckSum(int a, int b, int sum)
 * {
 *     NS_TEST_EXPECT_MSG_EQ(a + b, sum, a << " and " << b);
 * }
 *
 * LOSSLESS_TEST(g_suite, "sums of two numbers")
 * {
 *     CheckSum(2, 2, 4);
 * }
 *
 * LOSSLESS_TESTS(g_suite)
 * {
 *     for (const int number : {3, 4})
 *     {
 *         g_suite.Add("squares of " + std::to_string(number), [number] { ... });
 *     }
 * }
 * @endcode
 *
 * Test cases run in the order in which they appear in the file. NS_TEST_*_MSG_* can be used in the
 * blocks and in all functions that they call, including members of any class. A failed
 * NS_TEST_ASSERT_* returns from the enclosing function. After each test case, even a failed one,
 * the simulator is destroyed and the defaults of attributes are restored.
 */

/// The namespace for the private names of a suite's file, `namespace
/// ns3::lossless::tests::THIS_FILE`. It has a unique name if several files are compiled as one (see
/// cmake/unity.cmake); otherwise, it is part of the unnamed namespace.
#ifndef THIS_FILE
#define THIS_FILE this_file

namespace ns3::lossless::tests
{
inline namespace
{
namespace this_file
{
} // namespace this_file
} // namespace
} // namespace ns3::lossless::tests
#endif

namespace ns3::lossless
{

/// In failure messages, an enumerator is printed with ToString() if available, otherwise as a
/// number.
template <typename T, typename = std::enable_if_t<std::is_enum_v<T>>>
auto
PrintEnum(std::ostream& os, T value, int /* the preferred overload */)
    -> decltype(os << ToString(value))
{
    return os << ToString(value);
}

template <typename T>
std::ostream&
PrintEnum(std::ostream& os, T value, long /* otherwise */)
{
    return os << +static_cast<std::underlying_type_t<T>>(value);
}

/// Prints ports, classes, reasons and all other enumerations of the module.
template <typename T, typename = std::enable_if_t<std::is_enum_v<T>>>
std::ostream&
operator<<(std::ostream& os, T value)
{
    return PrintEnum(os, value, 0);
}

inline std::ostream&
operator<<(std::ostream& os, QueueId queue)
{
    return os << "port " << queue.port << " class " << queue.priority;
}

} // namespace ns3::lossless

namespace ns3::lossless::tests
{

/// The types of suites and the durations of tests in releases up to ns-3.40.
///
/// In these releases, they are unscoped enumerators of TestSuite and TestCase. Within a derived
/// class, the plain names refer to the inherited members, which are deprecated in later releases.
/// Use tests::UNIT and tests::QUICK there.
template <typename Case, typename Suite, typename = void>
struct TestNames
{
    static constexpr auto UNIT = Suite::UNIT;          //!< suite of one class
    static constexpr auto SYSTEM = Suite::SYSTEM;      //!< suite of several classes
    static constexpr auto QUICK = Case::QUICK;         //!< test that always runs
    static constexpr auto EXTENSIVE = Case::EXTENSIVE; //!< test that runs on request
};

/// The constants of TestNames from ns-3.41 on, where they are scoped enumerators.
template <typename Case, typename Suite>
struct TestNames<Case, Suite, std::void_t<typename Case::Duration>>
{
    static constexpr auto UNIT = Suite::Type::UNIT;              //!< suite of one class
    static constexpr auto SYSTEM = Suite::Type::SYSTEM;          //!< suite of several classes
    static constexpr auto QUICK = Case::Duration::QUICK;         //!< test that always runs
    static constexpr auto EXTENSIVE = Case::Duration::EXTENSIVE; //!< test that runs on request
};

inline constexpr auto UNIT = TestNames<TestCase, TestSuite>::UNIT;           //!< for TestSuite
inline constexpr auto SYSTEM = TestNames<TestCase, TestSuite>::SYSTEM;       //!< for TestSuite
inline constexpr auto QUICK = TestNames<TestCase, TestSuite>::QUICK;         //!< for AddTestCase
inline constexpr auto EXTENSIVE = TestNames<TestCase, TestSuite>::EXTENSIVE; //!< for AddTestCase

/// A test case of a Suite.
class Case : public TestCase
{
  public:
    Case(const std::string& sentence, std::function<void()> body)
        : TestCase(sentence),
          m_body(std::move(body))
    {
    }

    static Case& Running()
    {
        NS_ABORT_MSG_IF(!g_running, "an assertion outside of the cases of a tests::Suite");
        return *g_running;
    }

    // Public for the functions below.
    using TestCase::CreateTempDirFilename;
    using TestCase::IsStatusFailure;
    using TestCase::MustAssertOnFailure;
    using TestCase::MustContinueOnFailure;
    using TestCase::ReportTestFailure;

  private:
    void DoRun() override
    {
        g_running = this;
        m_body();
    }

    void DoTeardown() override
    {
        g_running = nullptr;
        Simulator::Destroy();
        Config::Reset();
    }

    inline static Case* g_running{nullptr}; ///< see Running()
    std::function<void()> m_body;           ///< body of the test
};

/// A test suite; see the top of this file.
class Suite : public TestSuite
{
  public:
    using TestSuite::AddTestCase;
    using TestSuite::TestSuite;

    /// The duration of a test case.
    using Duration = std::remove_const_t<decltype(tests::QUICK)>;

    /// Appends a test case.
    void Add(const std::string& sentence,
             std::function<void()> body,
             Duration duration = tests::QUICK)
    {
        AddTestCase(new Case(sentence, std::move(body)), duration);
    }

    /// Adds the block of a LOSSLESS_TEST.
    /// @param body see Add()
    bool AddBlock(void (*body)(), const std::string& sentence, Duration duration = tests::QUICK)
    {
        Add(sentence, body, duration);
        return true;
    }

    /// Executes the block of a LOSSLESS_TESTS.
    bool AddMore(void (*body)())
    {
        body();
        return true;
    }
};

/// Adds two test cases for a randomized check: a quick one with the seeds from 1 to `few`, and an
/// extensive one with the others up to `last`.
/// @param check a function that takes the first and the last seed
template <typename Check>
void
AddSeeds(Suite& suite, const std::string& law, uint32_t few, uint32_t last, const Check& check)
{
    suite.Add(law, [check, few] { check(1, few); });
    const std::string more = law + ": seeds up to " + std::to_string(last);
    suite.Add(
        more,
        [check, few, last] { check(few + 1, last); },
        EXTENSIVE);
}

/// @name Functions that NS_TEST_*_MSG_* call, usually members of TestCase
/// @{
inline bool
MustAssertOnFailure()
{
    return Case::Running().MustAssertOnFailure();
}

inline bool
MustContinueOnFailure()
{
    return Case::Running().MustContinueOnFailure();
}

inline bool
IsStatusFailure()
{
    return Case::Running().IsStatusFailure();
}

inline void
ReportTestFailure(const std::string& condition,
                  const std::string& actual,
                  const std::string& limit,
                  const std::string& message,
                  const std::string& file,
                  int32_t line)
{
    Case::Running().ReportTestFailure(condition, actual, limit, message, file, line);
}

/// @}

/// The text that a failed comparison prints for its values and its message.
class Printed
{
  public:
    template <typename T>
    [[gnu::noinline]] Printed& operator<<(const T& value)
    {
        m_text << value;
        return *this;
    }

    std::string Get() const
    {
        return m_text.str();
    }

  private:
    std::ostringstream m_text;
};

/// @return the values as a stream prints them, one after another
template <typename... T>
std::string
TextOf(const T&... values)
{
    return (Printed() << ... << values).Get();
}

/// Reports a failed comparison; used by the macros below.
template <typename Actual, typename Limit>
[[gnu::noinline]] void
ReportComparison(const char* condition,
                 const Actual& actual,
                 const Limit& limit,
                 const Printed& message,
                 const char* file,
                 int32_t line)
{
    ASSERT_ON_FAILURE;
    ReportTestFailure(condition, TextOf(actual), TextOf(limit), message.Get(), file, line);
}

/// @name Replacements for ns-3's comparison macros. They print values in separate functions because
/// the inline streams of ns-3's macros account for a fifth of the suites' compile time.
/// @{
#define LOSSLESS_COMPARE(actual, is, limit, message, otherwise)                                    \
    do                                                                                             \
    {                                                                                              \
        if (!((actual)is(limit)))                                                                  \
        {                                                                                          \
            ns3::lossless::tests::ReportComparison(#actual " (actual) " #is " " #limit " (limit)", \
                                                   actual,                                         \
                                                   limit,                                          \
                                                   ns3::lossless::tests::Printed() << message,     \
                                                   __FILE__,                                       \
                                                   __LINE__);                                      \
            otherwise;                                                                             \
        }                                                                                          \
    } while (false)
#undef NS_TEST_EXPECT_MSG_EQ
#define NS_TEST_EXPECT_MSG_EQ(actual, limit, message) LOSSLESS_COMPARE(actual, ==, limit, message, )
#undef NS_TEST_EXPECT_MSG_GT
#define NS_TEST_EXPECT_MSG_GT(actual, limit, message) LOSSLESS_COMPARE(actual, >, limit, message, )
#undef NS_TEST_ASSERT_MSG_EQ
#define NS_TEST_ASSERT_MSG_EQ(actual, limit, message)                                              \
    LOSSLESS_COMPARE(actual, ==, limit, message, CONTINUE_ON_FAILURE)

/// @}

/// Expects that one string contains another.
inline void
ExpectPart(const std::string& text, const std::string& part)
{
    NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, "\"" << part << "\" in: " << text);
}

/// Expects that one string begins with another.
inline void
ExpectBegin(const std::string& text, const std::string& begin)
{
    NS_TEST_EXPECT_MSG_EQ(text.substr(0, begin.size()), begin, text);
}

/// Simulates until the given time has passed or no events are left.
inline void
RunFor(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

inline std::string
CreateTempDirFilename(const std::string& name)
{
    return Case::Running().CreateTempDirFilename(name);
}

/**
 * Compares two logs in one assertion:
 * @code
 * NS_TEST_EXPECT_MSG_EQ(FirstDifference(actual, expected), "", "order of the frames");
 * @endcode
 * @param actual the actual events, a container of values that can be compared and printed
 * @param expected the expected events
 * @return the first difference, with its index, or an empty string
 */
template <typename Actual, typename Expected>
std::string
FirstDifference(const Actual& actual, const Expected& expected)
{
    auto a = actual.begin();
    auto e = expected.begin();
    std::size_t index = 0;
    for (; a != actual.end() && e != expected.end() && *a == *e; ++a, ++e)
    {
        ++index;
    }
    if (a == actual.end() && e == expected.end())
    {
        return "";
    }
    std::ostringstream text;
    const auto print = [&text](const auto& events, const auto& event) {
        if (event == events.end())
        {
            text << "the end";
        }
        else if constexpr (sizeof(*event) == 1 &&
                           std::is_integral_v<std::decay_t<decltype(*event)>>)
        {
            text << +*event; // prints bytes as numbers
        }
        else
        {
            text << *event;
        }
    };
    text << "event " << index << ": ";
    print(actual, a);
    text << " instead of ";
    print(expected, e);
    return text.str();
}

} // namespace ns3::lossless::tests

/// A name that is unique within the file.
#define LOSSLESS_NAME_AT(prefix, line) prefix##line
#define LOSSLESS_NAME(prefix, line) LOSSLESS_NAME_AT(prefix, line)

/// A test case of a Suite: LOSSLESS_TEST(suite, sentence) or LOSSLESS_TEST(suite, sentence,
/// EXTENSIVE), followed by its block.
#define LOSSLESS_TEST(suite, ...)                                                                  \
    static void LOSSLESS_NAME(Test, __LINE__)();                                                   \
    [[maybe_unused]] static const bool LOSSLESS_NAME(g_test, __LINE__) =                           \
        (suite).AddBlock(LOSSLESS_NAME(Test, __LINE__), __VA_ARGS__);                              \
    static void LOSSLESS_NAME(Test, __LINE__)()

/// Adds test cases of a Suite at this position. A block that calls suite.Add() must follow.
#define LOSSLESS_TESTS(suite)                                                                      \
    static void LOSSLESS_NAME(AddTests, __LINE__)();                                               \
    [[maybe_unused]] static const bool LOSSLESS_NAME(g_tests, __LINE__) =                          \
        (suite).AddMore(LOSSLESS_NAME(AddTests, __LINE__));                                        \
    static void LOSSLESS_NAME(AddTests, __LINE__)()

/// Defines GetTypeId() for a test class from its name, its parent and any further calls, such as
/// .AddConstructor<>().
#define LOSSLESS_TEST_TYPE(type, parent, ...)                                                      \
    static TypeId GetTypeId()                                                                      \
    {                                                                                              \
        static TypeId tid =                                                                        \
            TypeId("ns3::lossless::tests::" #type).SetParent<parent>() __VA_ARGS__;                \
        return tid;                                                                                \
    }

#endif // LOSSLESS_TEST_H
