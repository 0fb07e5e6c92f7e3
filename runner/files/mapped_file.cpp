#include "runner/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::files {
namespace {

/// An open file that is closed again; a map outlives it.
class Opened {
 public:
  explicit Opened(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Opened() {
    if (number_ >= 0) ::close(number_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)),
              "a path in a recipe is relative to the file that names it");
}

}  // namespace

Bytes map_file(const std::filesystem::path& path) {
  const Opened file(path);
  struct stat facts {};
  if (file.number() < 0 || ::fstat(file.number(), &facts) != 0) refuse(path);
  if (S_ISDIR(facts.st_mode)) throw Error(path.string() + " is a folder", "name a file");
  if (!S_ISREG(facts.st_mode)) {
    throw Error(path.string() + " is no file on a disk, which could be mapped into memory",
                "write what it gives to a file");
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0) return {};  // there is no map of nothing
  void* begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (begin == MAP_FAILED) refuse(path);
  const std::shared_ptr<const void> owner(begin, [size](void* mapped) { ::munmap(mapped, size); });
  return {owner, {static_cast<const char*>(begin), size}};
}

}  // namespace knead::files
