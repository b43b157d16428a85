// SPDX-License-Identifier: GPL-2.0-only

// The test runner of the stand-alone build. In an ns-3 tree, ns-3's own test-runner includes the
// suites of this module.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
