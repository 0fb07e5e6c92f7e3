#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <span>

namespace knead::files {

/// A file of which any part is read when it is needed. Not a map of it: a mapped file that another
/// program shortens ends the process. May be used by several threads.
class RandomFile {
 public:
  /// Throws knead::Error that names the path where it is not there, is a folder, or cannot be read.
  explicit RandomFile(const std::filesystem::path& path);
  ~RandomFile();
  RandomFile(const RandomFile&) = delete;
  RandomFile& operator=(const RandomFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened

  /// Fills `bytes`, which lie within size(), from `offset`. Throws knead::Error where the file has
  /// become shorter, or the disk fails.
  void read(std::uint64_t offset, std::span<std::byte> bytes) const;

  /// Throws knead::Error where the file was written to since it was opened: what was read of it may
  /// be of two files.
  void check_unchanged() const;

 private:
  std::filesystem::path path_;
  int file_;
  std::uint64_t size_ = 0;
  std::timespec modified_{};
};

}  // namespace knead::files
