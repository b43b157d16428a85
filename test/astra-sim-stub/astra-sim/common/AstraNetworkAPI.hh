// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ASTRA_SIM_STUB_H
#define LOSSLESS_ASTRA_SIM_STUB_H

/// @file
/// The part of ASTRA-sim's header of this name that examples/astra-sim needs, so that the tests can
/// compile it without ASTRA-sim. Only the names, types and order of arguments are taken from the
/// version of March 2026.

#include <cstdint>

namespace AstraSim
{

/// The units of a time.
enum time_type_e
{
    SE, ///< seconds
    MS, ///< milliseconds
    US, ///< microseconds
    NS, ///< nanoseconds
    FS  ///< femtoseconds
};

/// A time.
struct timespec_t
{
    time_type_e time_res; ///< unit of the time
    long double time_val; ///< number of these units
};

/// Information about a message; networks do not use it.
struct sim_request;

/// The network as seen by one NPU.
class AstraNetworkAPI
{
  public:
    /// @param npu the number of the NPU
    explicit AstraNetworkAPI(int npu)
        : rank(npu)
    {
    }

    virtual ~AstraNetworkAPI() = default;

    /// Sends a message; see AstraRank. @return 0
    virtual int sim_send(void* buffer,
                         uint64_t count,
                         int type,
                         int dst,
                         int tag,
                         sim_request* request,
                         void (*msg_handler)(void* fun_arg),
                         void* fun_arg) = 0;
    /// Receives a message; see AstraRank. @return 0
    virtual int sim_recv(void* buffer,
                         uint64_t count,
                         int type,
                         int src,
                         int tag,
                         sim_request* request,
                         void (*msg_handler)(void* fun_arg),
                         void* fun_arg) = 0;
    /// Calls a function after a delay.
    virtual void sim_schedule(timespec_t delta,
                              void (*fun_ptr)(void* fun_arg),
                              void* fun_arg) = 0;
    /// @return the current time
    virtual timespec_t sim_get_time() = 0;

    /// Called when the NPU has done all its work.
    virtual void sim_notify_finished()
    {
    }

    int rank; ///< number of the NPU
};

} // namespace AstraSim

#endif // LOSSLESS_ASTRA_SIM_STUB_H
