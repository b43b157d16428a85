// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_TEST_H
#define LOSSLESS_TEST_H

#include "ns3/test.h"

#include <type_traits>

namespace ns3::lossless::tests
{

/**
 * @brief The kinds of suites and the durations of cases, up to ns-3.40.
 *
 * There they are unscoped enumerators of TestSuite and TestCase. Within a class derived from these,
 * the plain names mean the inherited members, which are deprecated later: write tests::UNIT and
 * tests::QUICK there.
 */
template <typename Case, typename Suite, typename = void>
struct TestNames
{
    static constexpr auto UNIT = Suite::UNIT;          //!< suite of one class
    static constexpr auto SYSTEM = Suite::SYSTEM;      //!< suite of several classes
    static constexpr auto QUICK = Case::QUICK;         //!< case that always runs
    static constexpr auto EXTENSIVE = Case::EXTENSIVE; //!< case that runs if asked for
};

/**
 * @brief The same from ns-3.41 on, where they are enumerators of scoped enumerations.
 */
template <typename Case, typename Suite>
struct TestNames<Case, Suite, std::void_t<typename Case::Duration>>
{
    static constexpr auto UNIT = Suite::Type::UNIT;              //!< suite of one class
    static constexpr auto SYSTEM = Suite::Type::SYSTEM;          //!< suite of several classes
    static constexpr auto QUICK = Case::Duration::QUICK;         //!< case that always runs
    static constexpr auto EXTENSIVE = Case::Duration::EXTENSIVE; //!< case that runs if asked for
};

inline constexpr auto UNIT = TestNames<TestCase, TestSuite>::UNIT;           //!< for TestSuite
inline constexpr auto SYSTEM = TestNames<TestCase, TestSuite>::SYSTEM;       //!< for TestSuite
inline constexpr auto QUICK = TestNames<TestCase, TestSuite>::QUICK;         //!< for AddTestCase
inline constexpr auto EXTENSIVE = TestNames<TestCase, TestSuite>::EXTENSIVE; //!< for AddTestCase

} // namespace ns3::lossless::tests

#endif // LOSSLESS_TEST_H
