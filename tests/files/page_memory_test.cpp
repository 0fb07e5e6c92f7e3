#include "runner/files/page_memory.h"

#include <cerrno>
#include <cstring>

#include <sys/mman.h>

#include <catch2/catch.hpp>

using knead::files::PageMemory;

TEST_CASE("a large block has pages of its own, which go back at once") {
  PageMemory& memory = PageMemory::shared();
  constexpr std::size_t kBytes = 8'000'000;
  void* const block = memory.allocate(kBytes);
  std::memset(block, 1, kBytes);
  unsigned char page = 0;
  CHECK(::mincore(block, 1, &page) == 0);
  memory.deallocate(block, kBytes);
  errno = 0;
  CHECK(::mincore(block, 1, &page) == -1);
  CHECK(errno == ENOMEM);
}

TEST_CASE("small blocks are ordinary memory") {
  PageMemory& memory = PageMemory::shared();
  for (const std::size_t bytes : {std::size_t{1}, PageMemory::kLeast - 1}) {
    void* const block = memory.allocate(bytes, 64);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
    std::memset(block, 1, bytes);
    memory.deallocate(block, bytes, 64);
  }
}

TEST_CASE("what does not fit is refused") {
  CHECK_THROWS_AS((void)PageMemory::shared().allocate(std::size_t{1} << 60), std::bad_alloc);
}
