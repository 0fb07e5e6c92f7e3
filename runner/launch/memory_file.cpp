#include "runner/launch/memory_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::launch {
namespace {

constexpr ssize_t kBytesOfNumber = sizeof(std::uint64_t);

off_t size_of(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

}  // namespace

MemoryFile::MemoryFile(const std::string& name)
    : descriptor_(memfd_create(name.c_str(), MFD_CLOEXEC)) {
  if (descriptor_ >= 0 && fcntl(descriptor_, F_SETFL, O_APPEND) == 0) return;
  const int error = errno;
  if (descriptor_ >= 0) close(descriptor_);
  throw Error(fmt::format("cannot create a file in memory for the ranks: {}", std::strerror(error)),
              "'ulimit -n' limits the open files");
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

void MemoryFile::hold_numbers(int count, std::size_t text) const {
  const off_t size = static_cast<off_t>(count) * kBytesOfNumber + static_cast<off_t>(text);
  if (ftruncate(descriptor_, size) == 0) return;
  throw Error(fmt::format("cannot enlarge a file in memory: {}", std::strerror(errno)),
              "the machine has no memory left");
}

std::uint64_t MemoryFile::number_at(int index) const {
  std::uint64_t number = 0;
  const ssize_t got =
      pread(descriptor_, &number, kBytesOfNumber, static_cast<off_t>(index) * kBytesOfNumber);
  return got == kBytesOfNumber ? number : 0;
}

std::string MemoryFile::end(std::size_t most) const {
  const off_t size = size_of(descriptor_);
  const off_t start = std::max<off_t>(0, size - static_cast<off_t>(most));
  std::string text(static_cast<std::size_t>(size - start), '\0');
  ssize_t got;
  do {
    got = pread(descriptor_, text.data(), text.size(), start);
  } while (got < 0 && errno == EINTR);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  return text;
}

void MemoryFile::free_all_but(std::size_t most) const {
  const off_t unused = size_of(descriptor_) - static_cast<off_t>(most);
  if (unused <= 0) return;
  // A failure costs memory only.
  fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, unused);
}

}  // namespace knead::launch
