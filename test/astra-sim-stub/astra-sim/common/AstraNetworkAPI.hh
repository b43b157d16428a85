// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ASTRA_SIM_STUB_H
#define LOSSLESS_ASTRA_SIM_STUB_H

/// @file
/// What examples/astra-sim needs of ASTRA-sim's header of this name, so that the tests can compile
/// it without ASTRA-sim. Names, types and the order of arguments are those of its version of March
/// 2026; nothing else is.

#include <cstdint>

namespace AstraSim
{

/// Units of a time.
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
    time_type_e time_res; ///< its unit
    long double time_val; ///< how many of these
};

/// About a message; not used by networks.
struct sim_request;

/// The network, as one NPU sees it.
class AstraNetworkAPI
{
  public:
    /// @param npu number of the NPU
    explicit AstraNetworkAPI(int npu)
        : rank(npu)
    {
    }

    virtual ~AstraNetworkAPI() = default;

    /// Sends; see AstraRank. @return 0
    virtual int sim_send(void* buffer,
                         uint64_t count,
                         int type,
                         int dst,
                         int tag,
                         sim_request* request,
                         void (*msg_handler)(void* fun_arg),
                         void* fun_arg) = 0;
    /// Receives; see AstraRank. @return 0
    virtual int sim_recv(void* buffer,
                         uint64_t count,
                         int type,
                         int src,
                         int tag,
                         sim_request* request,
                         void (*msg_handler)(void* fun_arg),
                         void* fun_arg) = 0;
    /// Calls a function later.
    virtual void sim_schedule(timespec_t delta,
                              void (*fun_ptr)(void* fun_arg),
                              void* fun_arg) = 0;
    /// @return the time
    virtual timespec_t sim_get_time() = 0;

    /// The NPU has done all its work.
    virtual void sim_notify_finished()
    {
    }

    int rank; ///< number of the NPU
};

} // namespace AstraSim

#endif // LOSSLESS_ASTRA_SIM_STUB_H
