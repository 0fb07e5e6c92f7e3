#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory_resource>
#include <mutex>
#include <set>
#include <span>

#include "runner/files/tensor_bytes.h"

namespace knead::files {

/// Gives out memory whose pages lie in files of a folder, for what is larger than the memory of the
/// machine. The system reads pages on access, and writes them back when it needs their memory. The
/// files have no names, so that nothing stays when the process ends, however it ends. Blocks below
/// kLeast bytes lie in ordinary memory. Thread-safe.
class ScratchMemory final : public std::pmr::memory_resource {
 public:
  /// Bytes of the smallest block that gets a file. A page is the least that a file can hold.
  static constexpr std::size_t kLeast = 64 * 1024;

  /// Returns the memory in a folder, which is made if it is not there. The object lives until the
  /// process ends, since copies of checkpoints may outlive who took them. Throws knead::Error with
  /// Exit::not_usable if no file can be made there, or if the folder lies in memory itself.
  static ScratchMemory& in(const std::filesystem::path& folder);

  /// Requires that the disk has room for so many bytes. Throws knead::Error with Exit::not_usable.
  void expect_room(std::uint64_t bytes) const;

  /// Returns `bytes` bytes of zeros, aligned to 64 bytes. Throws knead::Error with Exit::not_usable
  /// if the disk is full.
  void* take(std::size_t bytes);
  /// Gives back what take() returned, with the same size.
  void give_back(void* begin, std::size_t bytes);

  /// Tells the system that a block is read soon. Does nothing for memory that is not of a file.
  void read_ahead(std::span<const std::byte> block) const;
  /// Removes the pages of a block from the process. What was written stays in the file. Does
  /// nothing for memory that is not of a file.
  void put_away(std::span<const std::byte> block) const;
  /// Moves a block into ordinary memory, at the same address. give_back() still frees it. Throws
  /// knead::Error if there is not so much memory.
  void move_to_memory(void* begin, std::size_t bytes);

 private:
  explicit ScratchMemory(std::filesystem::path folder) : folder_(std::move(folder)) {}

  int new_file() const;
  /// Returns a mapped file, or null and errno.
  void* try_map(std::size_t bytes);
  void unmap(void* begin, std::size_t bytes);
  void advise(std::span<const std::byte> block, int advice) const;

  // As std::pmr::memory_resource: throws std::bad_alloc if the disk is full.
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::set<const void*> blocks_;  // of files: an advice would destroy the content of other memory
};

/// Removes bytes from the process that lie in scratch memory.
void put_away(const OwnBytes& bytes);

}  // namespace knead::files
