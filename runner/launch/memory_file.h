#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace knead::launch {

/// Owns a file that has no name in a folder: its memory is freed with the last descriptor of it, so
/// that nothing stays behind when all processes are killed. The descriptor is closed on exec.
class MemoryFile {
 public:
  /// Creates an empty file; `name` shows in /proc. Writes append to it. Throws knead::Error.
  explicit MemoryFile(const std::string& name);
  ~MemoryFile();
  MemoryFile(MemoryFile&& other) noexcept : descriptor_(other.descriptor_) {
    other.descriptor_ = -1;
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  /// Returns the path of the file for a process that has inherited the descriptor. Each open() of
  /// it makes an open file description of its own, so that flock() works between processes.
  std::string path() const;

  /// Makes the file one of so many numbers of 8 bytes, all 0, and of a text of so many bytes after
  /// them, which end() returns. Throws knead::Error if there is no memory for them.
  void hold_numbers(int count, std::size_t text) const;

  /// Returns a number that a process has written into the file; 0 if it cannot be read.
  std::uint64_t number_at(int index) const;

  /// Returns the last bytes, at most `most`; empty if they cannot be read.
  std::string end(std::size_t most) const;

  /// Frees the memory of all but about the last `most` bytes, which then read as zeros. The size of
  /// the file stays, and so does what is appended meanwhile.
  void free_all_but(std::size_t most) const;

 private:
  int descriptor_;
};

}  // namespace knead::launch
