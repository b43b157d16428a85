// SPDX-License-Identifier: GPL-2.0-only
//
// Tests output files whose names users specify. A file must be replaced completely or not at all,
// and devices must never be replaced.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/output-file.h"
#include "ns3/result-folder.h"

#include <csignal>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3::lossless::tests::THIS_FILE
{

namespace fs = std::filesystem;

Suite g_suite("lossless-output-file", UNIT);

class Folder
{
  public:
    explicit Folder(const fs::path& parent = fs::temp_directory_path())
        : m_path(CreateTempFolder(parent))
    {
    }

    ~Folder()
    {
        fs::remove_all(m_path);
    }

    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string GetPath(const std::string& name) const
    {
        return m_path / name;
    }

    std::set<std::string> List() const
    {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_path))
        {
            names.insert(entry.path().filename());
        }
        return names;
    }

    std::size_t Count() const
    {
        return std::distance(fs::directory_iterator(m_path), fs::directory_iterator());
    }

  private:
    static fs::path CreateTempFolder(const fs::path& parent)
    {
        std::string name = parent / "lossless-output-XXXXXX";
        return mkdtemp(name.data());
    }

    fs::path m_path; ///< path of the folder
};

bool
Write(const std::string& path, const std::string& text)
{
    return !OutputFile(path).Write([&text](std::ostream& os) { os << text; });
}

/// @param path the path of a file to write and replace, in an otherwise empty folder
void
ExpectReplaced(const std::string& path)
{
    NS_TEST_EXPECT_MSG_EQ(Write(path, "first"), true, "a new file");
    NS_TEST_EXPECT_MSG_EQ(Write(path, "second"), true, "another content");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(path), "second", "replaced");
    const std::error_code error = OutputFile(path).Write([](std::ostream& os) {
        os << "third";
        os.setstate(std::ios::failbit); // simulates a full disk
    });
    NS_TEST_EXPECT_MSG_EQ(!error, false, "the failure is told");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(path), "second", "and nothing is changed");
}

LOSSLESS_TEST(g_suite, "a file is replaced as a whole, or left as it was")
{
    const Folder folder;
    ExpectReplaced(folder.GetPath("a"));
    NS_TEST_EXPECT_MSG_EQ(folder.Count(), 1, "no part is left");
    if (fs::is_directory("/dev/shm")) // contains files rather than devices
    {
        const Folder shared("/dev/shm");
        ExpectReplaced(shared.GetPath("a"));
        NS_TEST_EXPECT_MSG_EQ(shared.Count(), 1, "no part is left");
    }
}

LOSSLESS_TEST(g_suite, "a symbolic link stays, and what it leads to is replaced")
{
    const Folder folder;
    fs::create_symlink("target", folder.GetPath("link"));
    NS_TEST_EXPECT_MSG_EQ(Write(folder.GetPath("link"), "new"), true, "a target that is missing");
    NS_TEST_EXPECT_MSG_EQ(Write(folder.GetPath("link"), "newer"), true, "one that is there");
    NS_TEST_EXPECT_MSG_EQ(fs::is_symlink(folder.GetPath("link")), true, "still a link");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(folder.GetPath("target")), "newer", "its target");
}

LOSSLESS_TEST(g_suite, "devices and FIFOs are written to and not replaced")
{
    const Folder folder;
    const std::string fifo = folder.GetPath("fifo");
    NS_TEST_ASSERT_MSG_EQ(mkfifo(fifo.c_str(), S_IRUSR | S_IWUSR), 0, "a FIFO");
    std::string read;
    std::thread reader([&]() { read = ReadFile(fifo); });
    NS_TEST_EXPECT_MSG_EQ(Write(fifo, "through"), true, "written");
    reader.join();
    NS_TEST_EXPECT_MSG_EQ(read, "through", "read at the other end");
    NS_TEST_EXPECT_MSG_EQ(fs::is_fifo(fifo), true, "still a FIFO");
    NS_TEST_EXPECT_MSG_EQ(Write("/dev/null", "away"), true, "a device");
    NS_TEST_EXPECT_MSG_EQ(fs::is_character_file("/dev/null"), true, "still a device");
    NS_TEST_EXPECT_MSG_EQ(folder.Count(), 1, "nothing beside it");
}

LOSSLESS_TEST(g_suite, "what cannot be written to is refused before the run")
{
    const Folder folder;
    const std::string allowed =
        "a file in a folder that can be written to, or - for standard output";
    for (const std::string& path : {folder.GetPath(""), folder.GetPath("none/a")})
    {
        NS_TEST_EXPECT_MSG_EQ(OutputFile(path).Check().value_or(""), allowed, path);
    }
    const std::string writable = "a file that can be written, or - for standard output ";
    NS_TEST_EXPECT_MSG_EQ(OutputFile("/dev/full").Check().value_or(""),
                          writable + "(No space left on device)",
                          "a full device");
    // Linux allows 255 bytes.
    const OutputFile tooLong(folder.GetPath(std::string(300, 'a')));
    NS_TEST_EXPECT_MSG_EQ(tooLong.Check().value_or(""),
                          writable + "(File name too long)",
                          "a long name");
    for (const std::string& path :
         {folder.GetPath("a"), std::string("-"), std::string("/dev/null"), std::string("here")})
    {
        NS_TEST_EXPECT_MSG_EQ(OutputFile(path).Check().value_or(""), "", path);
    }
    NS_TEST_EXPECT_MSG_EQ(folder.Count(), 0, "the check leaves nothing");
}

/// Writes results and files to a folder until a signal ends the process.
[[noreturn]] void
WriteForEver(const Folder& folder)
{
    const auto write = [](std::ostream& os) { os << R"({"schema": "mark", "files": ["a", "b"]})"; };
    const ResultFolder results(folder.GetPath("results"), {"a", "mark", {}});
    while (true)
    {
        results.Check();
        results.Write({{"a", write}, {"b", write}});
        OutputFile(folder.GetPath("file")).Write(write);
    }
}

LOSSLESS_TEST(g_suite, "a signal at any instant leaves nothing unfinished")
{
    constexpr int RUNS = 40;
    const std::set<std::string> whole{"file", "results"};
    std::mt19937 random(1); // NOLINT(cert-msc51-cpp): always the same numbers
    std::uniform_int_distribution<useconds_t> microseconds(0, 60000);
    // If the tests run in the background, SIGINT may be ignored, and child processes inherit this.
    const auto interrupt = std::signal(SIGINT, SIG_DFL);
    const auto termination = std::signal(SIGTERM, SIG_DFL);
    for (int run = 0; run < RUNS; ++run)
    {
        const Folder folder;
        const pid_t child = fork();
        if (child == 0)
        {
            WriteForEver(folder);
        }
        usleep(microseconds(random));
        const int signal = run % 2 == 0 ? SIGINT : SIGTERM;
        kill(child, signal);
        int status = 0;
        waitpid(child, &status, 0);
        NS_TEST_EXPECT_MSG_EQ(WIFSIGNALED(status) && WTERMSIG(status) == signal, true, "ended");
        const auto left = folder.List();
        const bool isWhole = std::includes(whole.begin(), whole.end(), left.begin(), left.end());
        NS_TEST_EXPECT_MSG_EQ(isWhole, true, "parts of a result in run " << run);
        const bool isResult = fs::exists(folder.GetPath("results"));
        NS_TEST_EXPECT_MSG_EQ(fs::exists(folder.GetPath("results/b")), isResult, "all its files");
    }
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, termination);
}

} // namespace ns3::lossless::tests::THIS_FILE
