#include "runner/files/lock.h"

#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

namespace {

int flock_failure = 0;  // errno of each flock(); 0: the system decides

}  // namespace

/// Takes the place of the system's function in this program.
extern "C" int flock(int file, int operation) noexcept {
  if (flock_failure == 0) return static_cast<int>(::syscall(SYS_flock, file, operation));
  errno = flock_failure;
  return -1;
}

namespace knead::tests {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Another process that holds a lock until it is killed.
class Holder {
 public:
  explicit Holder(const fs::path& folder) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    process_ = ::fork();
    if (process_ == 0) {
      const files::Lock lock(folder);
      if (::write(ends[1], "x", 1) != 1) ::_exit(1);
      ::pause();
      ::_exit(0);
    }
    char byte = 0;
    REQUIRE(::read(ends[0], &byte, 1) == 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Holder() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  pid_t process() const { return process_; }

 private:
  pid_t process_ = 0;
};

std::string lines(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a second runner is refused within two seconds and told who the first is") {
  const Folder folder;
  const Holder holder(folder.path());
  const auto begin = steady_clock::now();
  try {
    const files::Lock second(folder.path());
    FAIL("both have it");
  } catch (const Error& error) {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    CHECK_THAT(error.what(),
               Catch::Matches(fmt::format("{} is in use by process {} on {} since "
                                          "[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} [0-9:]{{8}}",
                                          folder.path().string(), holder.process(), host)));
    CHECK(error.remedy() == "wait for it or stop it; another name (name=…) makes another run");
    CHECK(error.code() == Exit::not_usable);
  }
  CHECK(steady_clock::now() - begin < milliseconds(1900));
}

TEST_CASE("the lock of one that was killed is taken over") {
  const Folder folder;
  { const Holder killed(folder.path()); }
  CHECK_THAT(lines(folder.path() / "LOCK"), Catch::Contains("\n"));  // it still names the dead one
  CHECK_NOTHROW(files::Lock(folder.path(), milliseconds(0)));
  CHECK(lines(folder.path() / "LOCK") == "");
}

TEST_CASE("a lock is waited for as long as it takes somebody to die") {
  const Folder folder;
  std::optional<files::Lock> first(folder.path());
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(100));
    first.reset();
  });
  CHECK_NOTHROW(files::Lock(folder.path()));
  later.join();
}

TEST_CASE("of two that race for a lock one wins, a thousand times") {
  const Folder folder;
  std::atomic<int> winners = 0;
  std::atomic<int> losers = 0;
  std::barrier line(2);
  const auto race = [&] {
    for (int round = 0; round < 1'000; ++round) {
      line.arrive_and_wait();
      std::optional<files::Lock> lock;
      try {
        lock.emplace(folder.path(), milliseconds(0));
        ++winners;
      } catch (const Error&) {
        ++losers;
      }
      line.arrive_and_wait();  // the winner holds it until both have tried
    }
  };
  std::thread other(race);
  race();
  other.join();
  CHECK(winners == 1'000);
  CHECK(losers == 1'000);
}

TEST_CASE("a folder that cannot be locked is named") {
  const Folder folder;
  CHECK_THROWS_WITH(
      files::Lock(folder.path() / "missing"),
      "cannot lock " + (folder.path() / "missing").string() + ": No such file or directory");
  fs::create_symlink("elsewhere", folder.path() / "LOCK");
  CHECK_THROWS_AS(files::Lock(folder.path()), Error);
  CHECK_FALSE(fs::exists(folder.path() / "elsewhere"));
}

TEST_CASE("who looks at a lock sees whether it is held, and by whom") {
  const Folder folder;
  CHECK_FALSE(files::look_at_lock(folder.path()).is_held);  // there is no LOCK
  {
    const Holder other(folder.path());
    const files::LockState state = files::look_at_lock(folder.path());
    CHECK(state.is_held);
    CHECK_THAT(state.holder, Catch::StartsWith(fmt::format("process {} on ", other.process())));
  }
  CHECK_FALSE(files::look_at_lock(folder.path()).is_held);
  CHECK_FALSE(files::look_at_lock(folder.path()).holder.empty());  // it was killed
}

TEST_CASE("a lock that nobody can look at is neither free nor held") {
  const Folder folder;
  const auto look = [&] { files::look_at_lock(folder.path()); };
  const std::string said = "cannot read the lock of " + folder.path().string() + ": ";
  fs::create_symlink("elsewhere", folder / "LOCK");
  CHECK_THROWS_WITH(look(), said + "Too many levels of symbolic links");
  fs::remove(folder / "LOCK");
  fs::create_directory(folder / "LOCK");
  CHECK_THROWS_WITH(look(), said + "Is a directory");
  fs::remove(folder / "LOCK");
  folder.write("LOCK", "");
  flock_failure = ENOLCK;
  CHECK_THROWS_WITH(look(), said + "No locks available");
  flock_failure = 0;
  CHECK_NOTHROW(look());
  fs::permissions(folder / "LOCK", fs::perms::none);
  if (::geteuid() != 0) CHECK_THROWS_WITH(look(), said + "Permission denied");  // root reads all
}

}  // namespace knead::tests
