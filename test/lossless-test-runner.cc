// SPDX-License-Identifier: GPL-2.0-only

// The stand-alone build's test runner; in an ns-3 tree its own test-runner takes in our suites.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
