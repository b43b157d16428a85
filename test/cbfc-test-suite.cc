// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-test.h"

namespace ns3::lossless::tests
{

namespace
{

Suite g_suite("lossless-cbfc", UNIT);

} // namespace

} // namespace ns3::lossless::tests
