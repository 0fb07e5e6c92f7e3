#include "runner/files/scratch_memory.h"

#include <cstring>
#include <fstream>
#include <memory_resource>
#include <vector>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

namespace knead::files {
namespace {

namespace fs = std::filesystem;
using tests::Folder;

constexpr std::size_t kBytes = 1'000'000;

/// Returns the kilobytes of files that this process has in its memory.
std::size_t resident_files() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("RssFile:")) return std::stoul(line.substr(8));
  }
  return 0;
}

}  // namespace

TEST_CASE("scratch memory keeps what was written when it leaves the process") {
  const Folder folder;
  ScratchMemory& memory = ScratchMemory::in(folder.path() / "new");
  auto* const block = static_cast<unsigned char*>(memory.take(kBytes));
  CHECK(block[kBytes - 1] == 0);
  std::memset(block, 7, kBytes);
  const std::size_t before = resident_files();
  const std::span bytes(reinterpret_cast<std::byte*>(block), kBytes);
  memory.put_away(bytes);
  CHECK(resident_files() + 900 < before);
  memory.read_ahead(bytes);
  CHECK(block[0] == 7);
  CHECK(block[kBytes - 1] == 7);
  CHECK(fs::is_empty(folder.path() / "new"));  // nothing could stay behind
  memory.give_back(block, kBytes);
}

TEST_CASE("small blocks lie in ordinary memory") {
  const Folder folder;
  ScratchMemory& memory = ScratchMemory::in(folder.path());
  const std::size_t before = resident_files();
  auto* const block = static_cast<unsigned char*>(memory.take(100));
  std::memset(block, 7, 100);
  CHECK(resident_files() == before);
  CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
  memory.put_away({reinterpret_cast<const std::byte*>(block), 100});
  CHECK(block[99] == 7);
  memory.give_back(block, 100);
}

TEST_CASE("bytes lie in scratch memory") {
  const Folder folder;
  ScratchMemory& memory = ScratchMemory::in(folder.path());
  OwnBytes bytes(&memory);
  bytes.resize(kBytes);
  bytes[kBytes - 1] = std::byte{3};
  const OwnBytes moved = std::move(bytes);
  put_away(moved);
  CHECK(moved[kBytes - 1] == std::byte{3});
  CHECK(moved.memory() == &memory);
}

TEST_CASE("a folder that cannot hold scratch memory is refused") {
  CHECK_THROWS_WITH(ScratchMemory::in("/proc/knead"),
                    "no memory can be laid into /proc/knead: No such file or directory");
  CHECK_THROWS_WITH(ScratchMemory::in("/dev/shm"),
                    "no memory can be laid into /dev/shm: it lies in the memory of the machine "
                    "(tmpfs)");
  const Folder folder;
  const ScratchMemory& memory = ScratchMemory::in(folder.path());
  CHECK_NOTHROW(memory.expect_room(1));
  CHECK_THROWS_WITH(memory.expect_room(std::uint64_t{1} << 60),
                    Catch::Contains("1153 PB are needed, and "));
}

}  // namespace knead::files
