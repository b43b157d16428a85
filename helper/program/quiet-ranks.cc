// SPDX-License-Identifier: GPL-2.0-only
#include "quiet-ranks.h"

#include "ns3/ranks.h"

#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

int g_errors = -1; ///< original standard error of a quiet rank, or -1

} // namespace

void
QuietRanks::Begin()
{
    if (Ranks::GetRank() == 0 || g_errors != -1)
    {
        return;
    }
    std::cout.flush();
    std::fflush(nullptr);
    const int nowhere = open("/dev/null", O_WRONLY);
    g_errors = dup(STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

void
QuietRanks::End()
{
    if (g_errors != -1)
    {
        dup2(g_errors, STDERR_FILENO);
        close(g_errors);
        g_errors = -1;
    }
}

void
QuietRanks::AwaitFirst()
{
    constexpr unsigned LONGEST_SECONDS = 2;
    if (g_errors != -1)
    {
        sleep(LONGEST_SECONDS);
    }
}

} // namespace ns3::lossless
