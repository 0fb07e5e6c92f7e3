#include "runner/files/page_memory.h"

#include <new>

#include <sys/mman.h>

namespace knead::files {

PageMemory& PageMemory::shared() {
  static PageMemory memory;
  return memory;
}

void* PageMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kLeast) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  void* const begin =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  // A fault for each small page would take longer than the copy. The system may refuse.
  (void)::madvise(begin, bytes, MADV_HUGEPAGE);
  return begin;
}

void PageMemory::do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) {
  if (bytes < kLeast) {
    std::pmr::new_delete_resource()->deallocate(begin, bytes, alignment);
  } else {
    ::munmap(begin, bytes);
  }
}

}  // namespace knead::files
