// SPDX-License-Identifier: GPL-2.0-only
#include "ranks.h"

#include "ns3/abort.h"
#include "ns3/node.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

#ifdef LOSSLESS_MPI
#include <mpi.h>
#endif

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace ns3::lossless
{

namespace
{

/// The header of each record in a box.
struct RecordHead
{
    uint32_t receiver; ///< see MailReceiver::GetNumber()
    uint32_t size;     ///< the number of bytes that follow
};

/// The records sent to, or received from, one rank in a window.
using Box = std::vector<char>;

/// The state of this rank's communication with the other ranks.
struct Mail
{
    uint32_t rank{0};                  ///< the number of this rank
    uint32_t size{1};                  ///< the number of ranks
    std::vector<Box> out{1};           ///< the box to be sent to each rank
    std::vector<Box> in{1};            ///< the box received from each rank
    uint64_t nextDue{UINT64_MAX};      ///< see Ranks::GetNextDue()
    std::vector<MailReceiver*> places; ///< the receivers, indexed by their numbers; null if
                                       ///< destroyed
};

volatile std::sig_atomic_t g_interruption = 0; ///< see Ranks::GetInterruption()

/// @return the only instance, which is never destroyed
Mail&
GetMail()
{
    static Mail mail;
    return mail;
}

/// @return the number of ranks started by mpirun (Open MPI or MPICH) or by a batch system
int
GetStarted()
{
    int started = 1;
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"})
    {
        const char* text = std::getenv(name);
        started = std::max(started, text ? std::atoi(text) : 1);
    }
    return started;
}

#ifdef LOSSLESS_MPI

void
Deliver(const Box& box)
{
    RecordHead head;
    for (std::size_t at = 0; at < box.size(); at += head.size)
    {
        std::memcpy(&head, box.data() + at, sizeof(head));
        at += sizeof(head);
        if (MailReceiver* receiver = GetMail().places.at(head.receiver))
        {
            receiver->TakeMail(box.data() + at, head.size);
        }
    }
}

constexpr uint64_t LONGEST_MESSAGE = 1 << 30; ///< in bytes; limited because MPI uses an int for
                                              ///< sizes

bool g_isRunning = false; ///< see Ranks::SetRunning()
bool g_isDone = false;    ///< see Ranks::SetDone()

/// Called by exit(). A rank that fails terminates the other ranks, which may be waiting for it.
void
Leave(int status, void* /* unused */)
{
    if (g_isRunning || (status != 0 && !g_isDone))
    {
        // If all ranks fail, only the first rank reports the reason. The other ranks wait this
        // long, in seconds, so that the first rank can terminate them.
        constexpr unsigned FIRST_SPEAKS_S = 2;
        sleep(Ranks::IsFirst() || g_isRunning ? 0 : FIRST_SPEAKS_S);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    MPI_Finalize(); // waits for the other ranks
}

/// Sends bytes from one rank to all others.
/// @param bytes the bytes to send, or the receive buffer
void
Broadcast(char* bytes, uint64_t size, uint32_t rank)
{
    for (uint64_t at = 0; at < size; at += LONGEST_MESSAGE)
    {
        MPI_Bcast(bytes + at,
                  static_cast<int>(std::min(size - at, LONGEST_MESSAGE)),
                  MPI_BYTE,
                  static_cast<int>(rank),
                  MPI_COMM_WORLD);
    }
}

/// Waits for other ranks, which may need the processor that this rank uses.
class Patience
{
  public:
    /// Called between two polls.
    void Wait()
    {
        constexpr useconds_t PAUSE_US = 5;
        if (++m_looks > g_spins)
        {
            usleep(PAUSE_US);
        }
    }

    /// Sets the number of polls before the first pause, which is large if each rank on this machine
    /// has its own processor.
    static void CountProcessors()
    {
        // Spinning lasts up to a few milliseconds, because the amount of work varies between ranks.
        constexpr uint32_t LONG_SPIN = 20000;
        constexpr uint32_t SHORT_SPIN = 20;
        MPI_Comm here = MPI_COMM_NULL;
        int ranks = 0;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
        MPI_Comm_size(here, &ranks);
        MPI_Comm_free(&here);
        g_spins = ranks <= sysconf(_SC_NPROCESSORS_ONLN) ? LONG_SPIN : SHORT_SPIN;
#ifdef PR_SET_TIMERSLACK
        prctl(PR_SET_TIMERSLACK,
              1000UL); // in ns; with the default slack, a pause would take ten times as long
#endif
    }

  private:
    static uint32_t g_spins; ///< the number of polls before the first pause

    uint32_t m_looks{0}; ///< the number of polls so far
};

uint32_t Patience::g_spins = 0;

/// Sends a box. The box must not change until the returned request has completed.
MPI_Request
Send(const Box& box, uint32_t rank)
{
    NS_ABORT_MSG_IF(box.size() > LONGEST_MESSAGE,
                    "Ranks: more than 1 GiB of frames cross to another rank in a window.");
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(box.data(),
              static_cast<int>(box.size()),
              MPI_BYTE,
              static_cast<int>(rank),
              0,
              MPI_COMM_WORLD,
              &request);
    return request;
}

void
Receive(Box& box, uint32_t rank)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    int size = 0;
    Patience patience;
    for (int isThere = 0;; patience.Wait())
    {
        MPI_Improbe(static_cast<int>(rank), 0, MPI_COMM_WORLD, &isThere, &message, &status);
        if (isThere)
        {
            break;
        }
    }
    MPI_Get_count(&status, MPI_BYTE, &size);
    box.resize(static_cast<std::size_t>(size));
    MPI_Mrecv(box.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
}

void
Await(std::vector<MPI_Request>& requests)
{
    Patience patience;
    for (int isDone = 0;; patience.Wait())
    {
        MPI_Testall(static_cast<int>(requests.size()),
                    requests.data(),
                    &isDone,
                    MPI_STATUSES_IGNORE);
        if (isDone)
        {
            break;
        }
    }
}

/// Sends the boxes in `out` to all other ranks and stores the boxes received from them in `in`.
void
Transfer()
{
    Mail& mail = GetMail();
    std::vector<MPI_Request> requests;
    for (uint32_t rank = 0; rank < mail.size; ++rank)
    {
        if (rank != mail.rank)
        {
            requests.push_back(Send(mail.out[rank], rank));
        }
    }
    for (uint32_t rank = 0; rank < mail.size; ++rank)
    {
        if (rank != mail.rank)
        {
            Receive(mail.in[rank], rank);
        }
    }
    Await(requests);
}

#endif

} // namespace

MailReceiver::MailReceiver()
    : m_number(static_cast<uint32_t>(GetMail().places.size()))
{
    GetMail().places.push_back(this);
}

MailReceiver::~MailReceiver()
{
    std::vector<MailReceiver*>& places = GetMail().places;
    places[m_number] = nullptr;
    while (!places.empty() && !places.back())
    {
        places.pop_back(); // keeps the numbers equal on all ranks in the next simulation
    }
}

std::optional<std::string>
Ranks::Join()
{
    Mail& mail = GetMail();
    if (GetStarted() == 1 || mail.size > 1)
    {
        return std::nullopt;
    }
#ifdef LOSSLESS_MPI
    int rank = 0;
    int size = 0;
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    on_exit(&Leave, nullptr);
    Patience::CountProcessors();
    mail.rank = static_cast<uint32_t>(rank);
    mail.size = static_cast<uint32_t>(size);
    mail.out.resize(mail.size);
    mail.in.resize(mail.size);
    return std::nullopt;
#else
    return "mpirun has started " + std::to_string(GetStarted()) +
           " ranks, but the module was built without MPI, which a build takes up where CMake finds "
           "it (on Debian: apt-get install libopenmpi-dev)";
#endif
}

bool
Ranks::HasMpi()
{
#ifdef LOSSLESS_MPI
    return true;
#else
    return false;
#endif
}

bool
Ranks::AreStarted()
{
    return GetStarted() > 1;
}

std::optional<uint32_t>
Ranks::FindOther(const std::string& text)
{
    const std::vector<std::string> all = Gather(text);
    const auto other = std::find_if(all.begin(), all.end(), [&all](const std::string& one) {
        return one != all.front();
    });
    return other == all.end() ? std::nullopt
                              : std::optional(static_cast<uint32_t>(other - all.begin()));
}

void
Ranks::SetRunning([[maybe_unused]] bool isRunning)
{
#ifdef LOSSLESS_MPI
    g_isRunning = isRunning;
#endif
}

void
Ranks::SetDone()
{
#ifdef LOSSLESS_MPI
    g_isDone = true;
#endif
}

uint32_t
Ranks::GetRank()
{
    return GetMail().rank;
}

uint32_t
Ranks::GetSize()
{
    return GetMail().size;
}

uint32_t
Ranks::GetRankOf(const Node& node)
{
    // A single rank executes the events of all nodes, regardless of their system IDs.
    return AreSeveral() ? node.GetSystemId() : GetRank();
}

char*
Ranks::Post(uint32_t rank, uint32_t receiver, uint64_t due, std::size_t size)
{
    Mail& mail = GetMail();
    mail.nextDue = std::min(mail.nextDue, due);
    Box& box = mail.out.at(rank);
    const std::size_t at = box.size();
    const RecordHead head{receiver, static_cast<uint32_t>(size)};
    box.resize(at + sizeof(head) + size);
    std::memcpy(box.data() + at, &head, sizeof(head));
    return box.data() + at + sizeof(head);
}

uint64_t
Ranks::GetNextDue()
{
    return GetMail().nextDue;
}

std::vector<std::vector<uint64_t>>
Ranks::Exchange(const std::vector<uint64_t>& values)
{
    Mail& mail = GetMail();
    std::vector<std::vector<uint64_t>> all(mail.size, values);
    if (!AreSeveral())
    {
        return all;
    }
#ifdef LOSSLESS_MPI
    // Each other rank receives one message, which contains its box followed by the values.
    const std::size_t bytes = values.size() * sizeof(uint64_t);
    const auto* first = reinterpret_cast<const char*>(values.data());
    for (Box& box : mail.out)
    {
        box.insert(box.end(), first, first + bytes);
    }
    Transfer();
    for (uint32_t rank = 0; rank < mail.size; ++rank)
    {
        mail.out[rank].clear();
        Box& box = mail.in[rank];
        if (rank != mail.rank)
        {
            std::memcpy(all[rank].data(), box.data() + box.size() - bytes, bytes);
            box.resize(box.size() - bytes);
            Deliver(box);
        }
    }
#endif
    mail.nextDue = UINT64_MAX;
    return all;
}

std::vector<std::string>
Ranks::Gather(const std::string& bytes)
{
    std::vector<std::string> all(GetSize(), bytes);
#ifdef LOSSLESS_MPI
    if (AreSeveral())
    {
        for (uint32_t rank = 0; rank < GetSize(); ++rank)
        {
            uint64_t size = all[rank].size();
            Broadcast(reinterpret_cast<char*>(&size), sizeof(size), rank);
            all[rank].resize(size);
            Broadcast(all[rank].data(), size, rank);
        }
    }
#endif
    return all;
}

void
Ranks::Interrupt(int signal)
{
    g_interruption = signal;
}

int
Ranks::GetInterruption()
{
    return g_interruption;
}

AssumedRank::AssumedRank(uint32_t rank, uint32_t size)
    : m_rank(std::exchange(GetMail().rank, rank)),
      m_size(std::exchange(GetMail().size, size))
{
}

AssumedRank::~AssumedRank()
{
    GetMail().rank = m_rank;
    GetMail().size = m_size;
}

} // namespace ns3::lossless
