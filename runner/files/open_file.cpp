#include "runner/files/open_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/byte_words.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::files {
namespace {

constexpr std::uint64_t kStatBlock = 512;  // bytes of a block, as stat() counts them

[[noreturn]] void refuse_open(const std::filesystem::path& path, int reason) {
  throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(reason)),
              reason == EMFILE ? "a process may not have so many files open: raise 'ulimit -n'"
                               : "a path in a recipe is relative to the file that names it");
}

/// Opens a file. Throws knead::Error that says why that cannot be done.
int opened(const std::filesystem::path& path) {
  const schema::OpenedFile file = schema::open_regular(path.string(), schema::Links::follow);
  if (file.reason == 0) return file.descriptor;
  if (file.reason == EISDIR) throw Error(path.string() + " is a folder", "name a file");
  if (file.reason == schema::kNoRegularFile)
    throw Error(path.string() + " is no file on a disk, which could be read at any place",
                "write what it gives to a file");
  refuse_open(path, file.reason);
}

}  // namespace

OpenFile::OpenFile(std::filesystem::path path) : OpenFile(path, opened(path)) {}

OpenFile::OpenFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), file_(descriptor) {
  struct stat facts {};
  if (::fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode)) {
    size_ = static_cast<std::uint64_t>(facts.st_size);
    on_disk_ = static_cast<std::uint64_t>(facts.st_blocks) * kStatBlock;
    modified_ = facts.st_mtim;
    return;
  }
  ::close(std::exchange(file_, -1));
  throw Error(path_.string() + " is no file on a disk, which could be read at any place",
              "write what it gives to a file");
}

OpenFile::~OpenFile() {
  if (file_ >= 0) ::close(file_);
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      on_disk_(other.on_disk_),
      modified_(other.modified_) {}

void OpenFile::read(std::uint64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    // pread() leaves the position of the descriptor alone, so threads can share it.
    const ssize_t count = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error(
          fmt::format("cannot read {} at byte {}: {}", path_.string(), at, std::strerror(errno)));
    }
    if (count == 0) {
      throw Error(fmt::format("{} ends at byte {}; it had {} when it was opened", path_.string(),
                              at, size_),
                  "leave the files of a run as they are until it has ended");
    }
    at += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

std::string OpenFile::read(std::uint64_t at, std::uint64_t size) const {
  std::string bytes(size, '\0');
  read(at, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void OpenFile::expect_content() const {
  constexpr std::uint64_t kSmall = 256 << 20;  // bytes that may be holes without harm
  constexpr std::uint64_t kMostTimes = 64;     // file systems that compress reach some 30
  if (size_ <= kSmall || on_disk_ >= size_ / kMostTimes) return;
  throw Error(fmt::format("{} says that it has {}, of which {} are on the disk: it consists of "
                          "holes",
                          path_.string(), schema::byte_words(static_cast<double>(size_)),
                          schema::byte_words(static_cast<double>(on_disk_))),
              "it was never written to its end: fetch or write it again");
}

void OpenFile::check_unchanged() const {
  struct stat facts {};
  if (::fstat(file_, &facts) != 0) refuse_open(path_, errno);
  if (static_cast<std::uint64_t>(facts.st_size) == size_ &&
      facts.st_mtim.tv_sec == modified_.tv_sec && facts.st_mtim.tv_nsec == modified_.tv_nsec)
    return;
  throw Error(fmt::format("{} was changed while it was read", path_.string()),
              "start again when whoever writes it is done");
}

std::string OpenFile::stamp() const {
  struct stat facts {};
  if (::fstat(file_, &facts) != 0) refuse_open(path_, errno);
  const auto seconds = [](const std::timespec& time) {
    return fmt::format("{}.{:09}", time.tv_sec, time.tv_nsec);
  };
  return fmt::format("inode {}, {} bytes, written {}, changed {}", facts.st_ino, facts.st_size,
                     seconds(facts.st_mtim), seconds(facts.st_ctim));
}

bool OpenFile::is_young() const {
  constexpr std::time_t kYouth = 3;  // seconds; the coarsest file times tick every 2 seconds
  struct stat facts {};
  if (::fstat(file_, &facts) != 0) refuse_open(path_, errno);
  return facts.st_ctim.tv_sec + kYouth > std::time(nullptr);
}

void expect_open_files(std::size_t count) {
  constexpr rlim_t kOthers = 256;  // other files that the process may have open
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count + kOthers) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, count + kOthers);
  ::setrlimit(RLIMIT_NOFILE, &limit);  // on failure, opening a file too many reports it
}

}  // namespace knead::files
