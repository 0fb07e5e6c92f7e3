#include "runner/engine/parallel/shared_memory.h"

#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace knead::engine::parallel {

SharedMemory SharedMemory::make() {
  SharedMemory memory;
  memory.descriptor_ = memfd_create("knead-ranks", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // A file that became shorter would end all who use its memory.
  if (memory.is_open()) fcntl(memory.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK);
  return memory;
}

SharedMemory SharedMemory::open(const std::string& address) {
  SharedMemory memory;
  memory.descriptor_ = ::open(address.c_str(), O_RDWR | O_CLOEXEC);
  return memory;
}

SharedMemory::~SharedMemory() {
  if (is_open()) close(descriptor_);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::string SharedMemory::address() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
}

bool SharedMemory::grow(std::size_t bytes) const {
  return ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0;
}

std::shared_ptr<std::byte> SharedMemory::map(std::size_t offset, std::size_t bytes) const {
  void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                           static_cast<off_t>(offset));
  if (begin == MAP_FAILED) return nullptr;
  // Fewer and larger pages, where the system has them: a step reads and writes all of it.
  madvise(begin, bytes, MADV_HUGEPAGE);
  return {static_cast<std::byte*>(begin), [bytes](std::byte* mapped) { munmap(mapped, bytes); }};
}

}  // namespace knead::engine::parallel
