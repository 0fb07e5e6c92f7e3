#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <span>
#include <string>

namespace knead::files {

/// Keeps a file open for reading at any offset, from any thread. It needs no memory for the
/// content, and a file that is truncated meanwhile gives an error instead of a SIGBUS. A file that
/// is replaced by a rename stays the old one for this object. Links are followed, since users name
/// data by them.
class OpenFile {
 public:
  /// Opens the file. Throws knead::Error that names the file if it does not exist, is not a regular
  /// file, or cannot be opened.
  explicit OpenFile(std::filesystem::path path);
  /// Takes over a descriptor that is open for reading. Throws knead::Error that names `path` if it
  /// is not that of a regular file; the descriptor is then closed.
  OpenFile(std::filesystem::path path, int descriptor);
  ~OpenFile();
  /// Takes over the descriptor; `other` can only be destroyed afterwards.
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Returns the file's size in bytes at the time it was opened.
  std::uint64_t size() const { return size_; }
  /// Returns the descriptor, which this object still owns.
  int descriptor() const { return file_; }

  /// Fills `bytes` from offset `at` on. Throws knead::Error with the offset if the file ends before
  /// that or cannot be read.
  void read(std::uint64_t at, std::span<std::byte> bytes) const;
  /// Returns `size` bytes from offset `at` on. Throws knead::Error with the offset if the file ends
  /// before that or cannot be read. Allocates `size` bytes first, so a size that comes from the
  /// file must be checked against size() before.
  std::string read(std::uint64_t at, std::uint64_t size) const;
  /// Returns the first `most` bytes of the file, or the whole file if it is shorter.
  std::string beginning(std::uint64_t most) const { return read(0, std::min(most, size_)); }

  /// Throws knead::Error if the file states more than 256 MiB of which less than a 64th is on the
  /// disk: such a file costs its maker nothing, and whoever keeps all of it in memory the stated
  /// size. Called by readers that do; what is read in pieces need not be on the disk.
  void expect_content() const;

  /// Throws knead::Error if the file was written to since it was opened, because the bytes read so
  /// far may mix two versions. Compares size and time of modification; call it after the last read.
  void check_unchanged() const;

  /// Returns inode, size and times of the file as the system reports them now, as a text to compare
  /// and not to parse. A write or a replacement of the file changes the stamp, unless the file was
  /// changed a moment before: see is_young(). So do a copy and a change of its rights, although the
  /// content stays. Throws knead::Error if the system gives no answer.
  std::string stamp() const;
  /// Returns whether the file was changed so recently that another change might not alter its
  /// stamp: times of files are coarse, on some file systems two seconds.
  bool is_young() const;

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t on_disk_ = 0;  // bytes that are not holes
  std::timespec modified_{};
};

/// Raises the process's limit of open files to hold `count` and some others, as far as the system
/// allows. Never lowers it. Ignores a failure: open() reports it.
void expect_open_files(std::size_t count);

}  // namespace knead::files
