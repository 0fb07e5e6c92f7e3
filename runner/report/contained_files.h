#pragma once

#include "runner/files/file_system.h"

namespace knead::report {

/// Reads files below one folder and nothing outside of it, whatever lies there: no link is
/// followed, below the folder, and what is not a regular file (a pipe, a device) is not opened. So
/// a folder of other people can be looked at safely.
///
/// Paths begin with root(), as callers make them of it. A link gives FileError with ELOOP or
/// ENOTDIR, another kind of file EINVAL, a file above the limit EFBIG, and a path that leads out of
/// the folder EXDEV. All operations that write give EROFS. Several threads may use the object.
class ContainedFiles : public files::FileSystem {
 public:
  /// Files of more bytes are not opened, unless open_large() is asked for them.
  static constexpr std::uint64_t kMostBytes = 16 << 20;
  /// A folder with more entries is not listed (E2BIG).
  static constexpr std::size_t kMostEntries = 200'000;

  /// Opens the folder; if `root` is itself a link it is followed, because the user named it. Throws
  /// FileError.
  explicit ContainedFiles(std::filesystem::path root);
  ~ContainedFiles() override;
  ContainedFiles(const ContainedFiles&) = delete;
  ContainedFiles& operator=(const ContainedFiles&) = delete;

  const std::filesystem::path& root() const { return root_; }

  /// Opens a file of any size, for readers that do not hold all of it.
  int open_large(const std::filesystem::path& path);

  /// Returns whether a file or folder is there; false for a link, and for what cannot be reached.
  bool has(const std::filesystem::path& path);

  int open(const std::filesystem::path& path) override;
  std::size_t read(int file, std::span<std::byte> bytes) override;
  std::uint64_t size(int file) override;
  void close(int file) override;
  std::vector<files::Entry> list(const std::filesystem::path& path) override;
  files::Space space(const std::filesystem::path& folder) override;

  int create(const std::filesystem::path& path) override;
  std::size_t write(int file, std::span<const std::byte> bytes) override;
  void sync(int file) override;
  void make_folder(const std::filesystem::path& path) override;
  void sync_folder(const std::filesystem::path& path) override;
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void remove_file(const std::filesystem::path& path) override;
  void remove_folder(const std::filesystem::path& path) override;

 private:
  /// Opens a folder below the root, one part of its path after another.
  int open_folder(const std::filesystem::path& path) const;

  std::filesystem::path root_;
  int folder_;  // descriptor of the root
};

}  // namespace knead::report
