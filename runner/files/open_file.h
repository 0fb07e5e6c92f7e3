#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>

namespace knead::files {

/// A file that stays open to be read at any place, by any thread: a file of any size takes no
/// memory, and one that is cut short meanwhile is an error and not the end of the process.
class OpenFile {
 public:
  /// Throws knead::Error that names the file where it is not there, is no file, or may not be read.
  explicit OpenFile(std::filesystem::path path);
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened
  int descriptor() const { return file_; }      // borrowed

  /// Fills `bytes` from byte `at` on. Throws knead::Error with the place where the file ends before
  /// that, or cannot be read.
  void read(std::uint64_t at, std::span<std::byte> bytes) const;
  std::string read(std::uint64_t at, std::uint64_t size) const;
  /// Its first bytes, so many if it has them.
  std::string beginning(std::uint64_t most) const { return read(0, std::min(most, size_)); }

  /// Throws knead::Error where the file was written to since it was opened: what was read of it may
  /// be of two files.
  void check_unchanged() const;

  /// What the system says of the file now: who writes to it, or puts another one in its place,
  /// changes this, unless it was changed a moment before.
  std::string stamp() const;
  /// Whether it was changed so lately that another change might not show: clocks of files tick,
  /// some only every other second.
  bool is_young() const;

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::timespec modified_{};
};

/// Sees to it that so many files more can be open at once, as far as the system lets a process have
/// them.
void expect_open_files(std::size_t count);

}  // namespace knead::files
