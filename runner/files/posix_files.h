#pragma once

#include "runner/files/file_system.h"

namespace knead::files {

/// Says who may read a new file, and who may write it.
enum class Access {
  /// Its owner alone. Runs are written so: they may hold what is secret.
  owner,
  /// Whoever the umask of the process lets. Files that a user names, for other programs and people,
  /// are written so.
  umask,
};

/// Implements FileSystem with the system calls of Linux. It never changes, so any number of threads
/// may use one object or several.
///
/// Differences between file systems are hidden where the promises allow it. rename_new() falls back
/// to a check and a rename where the system cannot refuse an existing name in one step; a lock must
/// then keep other processes out. sync_folder() ignores EINVAL, with which some file systems say
/// that they cannot sync a folder. close() ignores EINTR, because Linux has released the descriptor
/// by then. Modes of new files and folders are reduced by the process's umask.
class PosixFiles : public FileSystem {
 public:
  explicit PosixFiles(Access access = Access::owner) : access_(access) {}

  int create(const std::filesystem::path& path) override;
  int open(const std::filesystem::path& path) override;
  std::size_t write(int file, std::span<const std::byte> bytes) override;
  std::size_t read(int file, std::span<std::byte> bytes) override;
  std::uint64_t size(int file) override;
  void sync(int file) override;
  void close(int file) override;
  void make_folder(const std::filesystem::path& path) override;
  void sync_folder(const std::filesystem::path& path) override;
  std::vector<Entry> list(const std::filesystem::path& path) override;
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void remove_file(const std::filesystem::path& path) override;
  void remove_folder(const std::filesystem::path& path) override;
  Space space(const std::filesystem::path& folder) override;

 private:
  Access access_;
};

}  // namespace knead::files
