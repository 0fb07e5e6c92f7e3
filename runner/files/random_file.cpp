#include "runner/files/random_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::files {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)),
              errno == ENOENT ? "a path in a recipe is relative to the file that names it" : "");
}

[[noreturn]] void refuse_changed(const std::filesystem::path& path) {
  throw Error(fmt::format("{} was changed while it was read", path.string()),
              "start again when whoever writes it is done");
}

}  // namespace

RandomFile::RandomFile(const std::filesystem::path& path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (file_ < 0) fail(path);
  struct stat facts {};
  const bool is_known = fstat(file_, &facts) == 0;
  if (!is_known || !S_ISREG(facts.st_mode)) {
    const int number = errno;
    close(file_);
    errno = number;
    if (!is_known) fail(path);
    const char* kind = S_ISDIR(facts.st_mode) ? "a folder" : "no file";
    throw Error(fmt::format("{} is {}", path.string(), kind), "name a file");
  }
  size_ = static_cast<std::uint64_t>(facts.st_size);
  modified_ = facts.st_mtim;
}

RandomFile::~RandomFile() { close(file_); }

void RandomFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_);
    if (count == 0) refuse_changed(path_);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void RandomFile::check_unchanged() const {
  struct stat facts {};
  if (fstat(file_, &facts) != 0) fail(path_);
  if (static_cast<std::uint64_t>(facts.st_size) != size_ ||
      facts.st_mtim.tv_sec != modified_.tv_sec || facts.st_mtim.tv_nsec != modified_.tv_nsec)
    refuse_changed(path_);
}

}  // namespace knead::files
