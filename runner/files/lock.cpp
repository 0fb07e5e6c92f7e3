#include "runner/files/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <sstream>
#include <string>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "runner/files/written_file.h"
#include "schema/document/error.h"

namespace knead::files {

namespace fs = std::filesystem;

namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

[[noreturn]] void refuse_lock(const fs::path& folder, int number) {
  throw Error(fmt::format("cannot lock {}: {}", folder.string(), std::strerror(number)),
              "a run needs a folder that it may write to: set output to one");
}

[[noreturn]] void refuse_look(const fs::path& folder, int number) {
  throw Error(fmt::format("cannot read the lock of {}: {}", folder.string(), std::strerror(number)),
              "LOCK in it must be a file that you may read, on a file system with locks");
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

/// Returns the three lines that LOCK has for this process: process id, host, time.
std::string own_words() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{}\n{}\n{:%Y-%m-%d %H:%M:%S}\n", ::getpid(), host_name(),
                     fmt::localtime(now));
}

/// Returns the holder that LOCK names, "process 4711 on HOST since 2026-11-21 17:05:12"; an empty
/// string if LOCK names none.
std::string holder(int file, const fs::path& folder) {
  std::array<char, 1024> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  if (size < 0) refuse_look(folder, errno);
  std::istringstream lines(std::string(text.data(), static_cast<std::size_t>(size)));
  std::string process;
  std::string host;
  std::string since;
  std::getline(lines, process);
  std::getline(lines, host);
  std::getline(lines, since);
  return since.empty() ? "" : fmt::format("process {} on {} since {}", process, host, since);
}

/// Names the holder in a message. LOCK is still empty if the lock was taken a moment ago.
std::string somebody(const std::string& holder) {
  return holder.empty() ? "another process" : holder;
}

/// Tries to take the lock. Returns false if another process holds it.
bool try_lock(int file, const fs::path& folder) {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) refuse_lock(folder, errno);
  }
  return true;
}

/// Returns whether another process holds the lock. The attempt takes a shared lock, so that readers
/// do not report each other; a run that starts at this moment waits for its own lock.
bool is_locked(int file, const fs::path& folder) {
  while (::flock(file, LOCK_SH | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return true;
    if (errno != EINTR) refuse_look(folder, errno);
  }
  return false;
}

/// Tries to take the lock until `patience` is over. Returns false if another process still holds
/// it.
bool lock_within(int file, const fs::path& folder, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!try_lock(file, folder)) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

/// Writes the three lines of this process to LOCK.
void write_words(int file, const fs::path& folder) {
  const std::string words = own_words();
  if (::ftruncate(file, 0) != 0 ||
      ::pwrite(file, words.data(), words.size(), 0) != static_cast<ssize_t>(words.size())) {
    refuse_lock(folder, errno);
  }
}

}  // namespace

Lock::Lock(const fs::path& folder, std::chrono::milliseconds patience)
    // O_TRUNC is missing on purpose: it would erase the name of the holder before the lock is
    // taken.
    : file_(open_written_file(folder / kLockFile, O_RDWR | O_CREAT, 0600)) {
  if (file_ < 0) refuse_lock(folder, errno);
  try {
    if (!lock_within(file_, folder, patience)) {
      throw Error(
          fmt::format("{} is in use by {}", folder.string(), somebody(holder(file_, folder))),
          "wait for it or stop it; another name (name=…) makes another run");
    }
    write_words(file_, folder);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Lock::~Lock() {
  // LOCK is emptied but not removed: after a removal two processes could each lock a file named
  // LOCK.
  if (std::uncaught_exceptions() == 0 && ::ftruncate(file_, 0) != 0) {
    // LOCK then keeps the name of a process that has ended.
  }
  ::close(file_);
}

LockState look_at_lock(const fs::path& folder) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int file =
      ::open((folder / kLockFile).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return {};
  if (file < 0) refuse_look(folder, errno);
  try {
    const bool is_held = is_locked(file, folder);
    LockState state{is_held, holder(file, folder)};
    ::close(file);
    return state;
  } catch (...) {
    ::close(file);
    throw;
  }
}

}  // namespace knead::files
