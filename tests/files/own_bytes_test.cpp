#include "runner/files/own_bytes.h"

#include <array>
#include <utility>

#include <catch2/catch.hpp>

using knead::files::OwnBytes;

namespace {

/// Counts the bytes that are taken from it.
class Counting final : public std::pmr::memory_resource {
 public:
  std::size_t taken = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    taken += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    taken -= bytes;
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

constexpr std::array kThree{std::byte{1}, std::byte{2}, std::byte{3}};

}  // namespace

TEST_CASE("own bytes are copied, moved, compared and cut as those of a vector are") {
  const OwnBytes three(kThree.data(), kThree.data() + 3);
  CHECK(three.size() == 3);
  CHECK(three[2] == std::byte{3});
  OwnBytes copy = three;
  CHECK(copy == three);
  copy[0] = std::byte{9};
  CHECK_FALSE(copy == three);
  copy = three;
  copy.resize(2);
  CHECK(copy == OwnBytes(kThree.data(), kThree.data() + 2));
  copy.resize(4);
  CHECK(copy[1] == std::byte{2});
  const OwnBytes moved = std::move(copy);
  CHECK(moved.size() == 4);
  CHECK(OwnBytes(2, std::byte{7})[1] == std::byte{7});
  CHECK(OwnBytes() == OwnBytes(std::size_t{0}));
  CHECK(OwnBytes().empty());
}

TEST_CASE("own bytes lie in the memory that they are given, and are given back to it") {
  Counting memory;
  {
    OwnBytes bytes(&memory);
    bytes.resize(100);
    CHECK(memory.taken == 100);
    OwnBytes other;
    other = std::move(bytes);
    CHECK(other.memory() == &memory);
    CHECK(memory.taken == 100);
    const OwnBytes copy = other;
    CHECK(copy.memory() != &memory);
    other = {};
    CHECK(memory.taken == 0);
  }
  CHECK(memory.taken == 0);
}
