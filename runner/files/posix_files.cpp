#include "runner/files/posix_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include <fmt/format.h>

namespace knead::files {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnFile = 0600;
constexpr mode_t kAnyFile = 0666;  // less what the umask takes
constexpr mode_t kOwnFolder = 0700;
constexpr std::size_t kMostAtOnce = 1U << 30;  // Linux transfers less than 2 GiB in a call

[[noreturn]] void fail(const std::string& doing) { throw FileError(doing, errno); }

std::string quoted(const std::string& verb, const fs::path& path) {
  return verb + " " + path.string();
}

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Returns the mount point of a folder: its highest ancestor on the same device.
fs::path mount_of(const fs::path& folder) {
  std::error_code failure;
  fs::path at = fs::canonical(folder, failure);
  struct stat here {};
  struct stat above {};
  if (failure || ::stat(at.c_str(), &here) != 0) return folder;
  while (at != at.parent_path() && ::stat(at.parent_path().c_str(), &above) == 0 &&
         above.st_dev == here.st_dev) {
    at = at.parent_path();
  }
  return at;
}

/// Returns whether an entry is a folder. Some file systems do not report types of entries.
bool is_folder(const dirent& entry, const fs::path& parent) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat facts {};
  return ::lstat((parent / entry.d_name).c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

}  // namespace

FileError::FileError(const std::string& doing, int number, std::string remedy)
    : Error(fmt::format("cannot {}: {}", doing, std::strerror(number)), std::move(remedy)),
      number_(number) {}

int PosixFiles::create(const fs::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          access_ == Access::owner ? kOwnFile : kAnyFile);
  if (file < 0) fail(quoted("create", path));
  return file;
}

int PosixFiles::open(const fs::path& path) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) fail(quoted("open", path));
  return file;
}

std::size_t PosixFiles::write(int file, std::span<const std::byte> bytes) {
  const ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), kMostAtOnce));
  if (written < 0) fail("write");
  return static_cast<std::size_t>(written);
}

std::size_t PosixFiles::read(int file, std::span<std::byte> bytes) {
  const ssize_t got = ::read(file, bytes.data(), std::min(bytes.size(), kMostAtOnce));
  if (got < 0) fail("read");
  return static_cast<std::size_t>(got);
}

std::uint64_t PosixFiles::size(int file) {
  struct stat facts {};
  if (::fstat(file, &facts) != 0) fail("look at");
  if (S_ISDIR(facts.st_mode)) throw FileError("read", EISDIR);
  return static_cast<std::uint64_t>(facts.st_size);
}

void PosixFiles::sync(int file) {
  if (::fsync(file) != 0) fail("sync");
}

void PosixFiles::close(int file) {
  // Linux releases the descriptor even if close() is interrupted.
  if (::close(file) != 0 && errno != EINTR) fail("close");
}

void PosixFiles::make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), kOwnFolder) != 0) fail(quoted("make the folder", path));
}

void PosixFiles::sync_folder(const fs::path& path) {
  const int folder = open_folder(path);
  if (folder < 0) fail(quoted("sync the folder", path));
  const bool failed = ::fsync(folder) != 0;
  const int number = errno;
  ::close(folder);
  // Some file systems cannot sync a folder and report that with EINVAL.
  if (failed && number != EINVAL) throw FileError(quoted("sync the folder", path), number);
}

std::vector<Entry> PosixFiles::list(const fs::path& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) fail(quoted("list", path));
  std::vector<Entry> out;
  while (true) {
    // readdir() returns null both at the end and on failure; only errno tells them apart.
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) fail(quoted("list", path));
    if (entry == nullptr) return out;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") out.push_back({name, is_folder(*entry, path)});
  }
}

void PosixFiles::rename(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    fail(fmt::format("rename {} to {}", from.string(), to.filename().string()));
  }
}

void PosixFiles::rename_new(const fs::path& from, const fs::path& to) {
  const std::string doing = fmt::format("rename {} to {}", from.string(), to.filename().string());
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) fail(doing);
  // This file system cannot refuse an existing name atomically; the lock of the folder keeps other
  // processes out meanwhile.
  struct stat facts {};
  if (::lstat(to.c_str(), &facts) == 0) throw FileError(doing, EEXIST);
  if (errno != ENOENT) fail(doing);
  if (::rename(from.c_str(), to.c_str()) != 0) fail(doing);
}

void PosixFiles::remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0) fail(quoted("remove", path));
}

void PosixFiles::remove_folder(const fs::path& path) {
  if (::rmdir(path.c_str()) != 0) fail(quoted("remove the folder", path));
}

Space PosixFiles::space(const fs::path& folder) {
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0) fail(quoted("ask for the space of", folder));
  // A file system without a size cannot report its free space.
  const std::uint64_t free = facts.f_blocks == 0
                                 ? std::numeric_limits<std::uint64_t>::max()
                                 : static_cast<std::uint64_t>(facts.f_bavail) * facts.f_frsize;
  return {free, mount_of(folder)};
}

}  // namespace knead::files
