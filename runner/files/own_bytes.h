#pragma once

#include <cstddef>
#include <memory_resource>

namespace knead::files {

/// Holds bytes in ordinary memory, or in that of another resource, as ScratchMemory, which must
/// outlive it. New bytes are not set, because they are written anyway: std::vector sets, moves and
/// destroys each one by itself where it has such a resource, which takes as long as to read a file.
/// A copy lies in ordinary memory.
class OwnBytes {
 public:
  using value_type = std::byte;

  OwnBytes() noexcept : OwnBytes(std::pmr::get_default_resource()) {}
  explicit OwnBytes(std::pmr::memory_resource* memory) noexcept : memory_(memory) {}
  explicit OwnBytes(std::size_t size) : OwnBytes() { resize(size); }
  OwnBytes(std::size_t size, std::byte value);
  OwnBytes(const std::byte* first, const std::byte* last);
  OwnBytes(const OwnBytes& other) : OwnBytes(other.begin(), other.end()) {}
  OwnBytes(OwnBytes&& other) noexcept : memory_(other.memory_) { swap(other); }
  OwnBytes& operator=(OwnBytes other) noexcept {
    swap(other);
    return *this;
  }
  ~OwnBytes();

  /// Keeps the bytes up to `size`; those behind are not set.
  void resize(std::size_t size);
  void swap(OwnBytes& other) noexcept;

  std::pmr::memory_resource* memory() const noexcept { return memory_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::byte* data() noexcept { return first_; }
  const std::byte* data() const noexcept { return first_; }
  std::byte* begin() noexcept { return first_; }
  std::byte* end() noexcept { return first_ + size_; }
  const std::byte* begin() const noexcept { return first_; }
  const std::byte* end() const noexcept { return first_ + size_; }
  std::byte& operator[](std::size_t at) noexcept { return first_[at]; }
  const std::byte& operator[](std::size_t at) const noexcept { return first_[at]; }

  friend bool operator==(const OwnBytes& a, const OwnBytes& b) noexcept;

 private:
  std::pmr::memory_resource* memory_;
  std::byte* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace knead::files
