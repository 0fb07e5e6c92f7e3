#pragma once

#include <cstddef>
#include <memory_resource>

namespace knead::files {

/// Gives out memory for what is large and soon freed, as a copy of a checkpoint. A large block is
/// made of pages of its own, which go back to the system at once; the free memory of the process
/// would keep them, in pieces. Thread-safe.
class PageMemory final : public std::pmr::memory_resource {
 public:
  /// Bytes of the smallest block that gets pages of its own.
  static constexpr std::size_t kLeast = 64 * 1024;

  /// Returns the memory, which lives until the process ends.
  static PageMemory& shared();

 private:
  PageMemory() = default;
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace knead::files
