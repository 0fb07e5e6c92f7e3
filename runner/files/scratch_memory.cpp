#include "runner/files/scratch_memory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include <fmt/format.h>

#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockAlignment = 64;

[[noreturn]] void refuse(const fs::path& folder, const std::string& what) {
  throw Error(fmt::format("no memory can be laid into {}: {}", folder.string(), what),
              "name a folder of a local disk in distributed.offload.path", Exit::not_usable);
}

}  // namespace

ScratchMemory& ScratchMemory::in(const fs::path& folder) {
  static std::mutex mutex;
  // Never destroyed: threads that write checkpoints may end after static objects.
  static auto& of_folders = *new std::map<fs::path, std::unique_ptr<ScratchMemory>>;
  const std::lock_guard lock(mutex);
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) refuse(folder, failure.message());
  std::unique_ptr<ScratchMemory>& memory = of_folders[fs::absolute(folder)];
  if (memory) return *memory;
  struct statfs disk {};
  if (::statfs(folder.c_str(), &disk) != 0) refuse(folder, std::strerror(errno));
  if (disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC)
    refuse(folder, "it lies in the memory of the machine (tmpfs)");
  std::unique_ptr<ScratchMemory> made(new ScratchMemory(folder));
  const int file = made->new_file();
  if (file < 0) refuse(folder, std::strerror(errno));
  ::close(file);
  memory = std::move(made);
  return *memory;
}

void ScratchMemory::expect_room(std::uint64_t bytes) const {
  struct statfs disk {};
  if (::statfs(folder_.c_str(), &disk) != 0) refuse(folder_, std::strerror(errno));
  const auto room = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_bsize;
  if (room >= bytes) return;
  refuse(folder_, fmt::format("{} are needed, and {} are free",
                              schema::byte_words(static_cast<double>(bytes)),
                              schema::byte_words(static_cast<double>(room))));
}

void* ScratchMemory::take(std::size_t bytes) {
  void* begin = nullptr;
  if (bytes >= kLeast) {
    begin = try_map(bytes);
  } else if (const std::size_t whole = (bytes / kBlockAlignment + 1) * kBlockAlignment;
             (begin = std::aligned_alloc(kBlockAlignment, whole))) {
    std::memset(begin, 0, bytes);
  }
  if (begin != nullptr) return begin;
  refuse(folder_, fmt::format("{} for {}", std::strerror(errno),
                              schema::byte_words(static_cast<double>(bytes))));
}

void ScratchMemory::give_back(void* begin, std::size_t bytes) {
  if (bytes < kLeast) {
    std::free(begin);
  } else {
    unmap(begin, bytes);
  }
}

void ScratchMemory::move_to_memory(void* begin, std::size_t bytes) {
  if (bytes < kLeast) return;
  void* const copy =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) throw Error(std::string("no memory: ") + std::strerror(errno));
  (void)::madvise(copy, bytes, MADV_HUGEPAGE);
  std::memcpy(copy, begin, bytes);
  const std::lock_guard lock(mutex_);
  blocks_.erase(begin);  // an advice would destroy the content now
  if (::mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, begin) == MAP_FAILED)
    throw Error(std::string("no memory: ") + std::strerror(errno));
}

void ScratchMemory::read_ahead(std::span<const std::byte> block) const {
  advise(block, MADV_WILLNEED);
}

void ScratchMemory::put_away(std::span<const std::byte> block) const {
  advise(block, MADV_DONTNEED);
}

void ScratchMemory::advise(std::span<const std::byte> block, int advice) const {
  const std::lock_guard lock(mutex_);
  if (!blocks_.contains(block.data())) return;
  // The system may refuse an advice; the memory stays right without it.
  (void)::madvise(const_cast<std::byte*>(block.data()), block.size(), advice);
}

void put_away(const OwnBytes& bytes) {
  const auto* memory = dynamic_cast<const ScratchMemory*>(bytes.memory());
  if (memory) memory->put_away(bytes);
}

/// Returns the descriptor of a new file without a name, or -1 and errno.
int ScratchMemory::new_file() const {
  const int file = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  // Some file systems know no files without names.
  std::string name = (folder_ / ".scratch-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

void* ScratchMemory::try_map(std::size_t bytes) {
  const int file = new_file();
  if (file < 0) return nullptr;
  // Without its blocks, a write to a page of a full disk would end the process (SIGBUS).
  int failure = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* begin = MAP_FAILED;
  if (failure == 0) {
    begin = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (begin == MAP_FAILED) failure = errno;
  }
  ::close(file);
  errno = failure;
  if (begin == MAP_FAILED) return nullptr;
  const std::lock_guard lock(mutex_);
  blocks_.insert(begin);
  return begin;
}

void ScratchMemory::unmap(void* begin, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  blocks_.erase(begin);
  ::munmap(begin, bytes);
}

void* ScratchMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kLeast) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  void* const begin = try_map(bytes);
  if (begin == nullptr) throw std::bad_alloc();
  return begin;
}

void ScratchMemory::do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) {
  if (bytes < kLeast) {
    std::pmr::new_delete_resource()->deallocate(begin, bytes, alignment);
  } else {
    unmap(begin, bytes);
  }
}

}  // namespace knead::files
