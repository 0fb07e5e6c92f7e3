#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "schema/document/error.h"

namespace knead::files {

/// Reports a system call that failed: "cannot write runs/digits/a: No space left on device".
/// Callers that handle one cause, such as a missing file, compare number() and rethrow the others.
class FileError : public Error {
 public:
  /// `doing`: the attempted action with its path, "write runs/digits/a". `number`: the errno.
  FileError(const std::string& doing, int number, std::string remedy = "");

  /// Returns the errno.
  int number() const { return number_; }

 private:
  int number_;
};

/// Describes an entry of a folder. The name has no path before it.
struct Entry {
  std::string name;
  bool is_folder = false;  // false for a link to a folder
};

/// Describes the free space of a mounted file system. `free` is the largest 64-bit number where the
/// file system has no size of its own; `mounted_at` is the folder itself if its mount point cannot
/// be found.
struct Space {
  std::uint64_t free = 0;  // bytes that this user may still write
  std::filesystem::path mounted_at;
};

/// Provides the file operations that crash safety depends on, one system call each and without
/// loops, so that tests can make any call fail, stop short or lose data. Every call throws
/// FileError, also for EINTR; other code uses file.h and folders.h instead. The caller closes
/// descriptors. Several threads may use the object; each descriptor belongs to one thread at a
/// time.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// Creates a file for writing and returns its descriptor. Nobody but its owner may read it,
  /// unless the implementation says otherwise. Fails with EEXIST if the name is taken, also by a
  /// dangling link.
  virtual int create(const std::filesystem::path& path) = 0;
  /// Opens a file for reading and returns its descriptor. Does not follow a link (ELOOP).
  virtual int open(const std::filesystem::path& path) = 0;
  /// Writes bytes at the end of what was written and returns their count, from one to all of them.
  /// Bytes are durable only after sync().
  virtual std::size_t write(int file, std::span<const std::byte> bytes) = 0;
  /// Reads bytes and returns their count; 0 at the end of the file.
  virtual std::size_t read(int file, std::span<std::byte> bytes) = 0;
  /// Returns the size of an open file in bytes. Fails with EISDIR for a folder.
  virtual std::uint64_t size(int file) = 0;
  /// Makes the written bytes durable, but not the name of the file. After a failure the bytes may
  /// be gone even if a repeated call succeeds.
  virtual void sync(int file) = 0;
  /// Closes a descriptor, which is invalid afterwards even if this throws.
  virtual void close(int file) = 0;

  /// Creates a folder with mode 0700.
  virtual void make_folder(const std::filesystem::path& path) = 0;
  /// Makes the names in a folder durable.
  virtual void sync_folder(const std::filesystem::path& path) = 0;
  /// Returns the entries of a folder in no particular order, without "." and "..".
  virtual std::vector<Entry> list(const std::filesystem::path& path) = 0;
  /// Renames a file or folder and replaces an existing file of the new name in one step. Both names
  /// are in one file system (EXDEV).
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  /// Renames a file or folder. Fails with EEXIST if the new name is taken, and leaves both as they
  /// are.
  virtual void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  /// Removes a name. Fails with ENOENT if it is missing and with EISDIR for a folder; of a link it
  /// removes the link itself.
  virtual void remove_file(const std::filesystem::path& path) = 0;
  /// Removes an empty folder. Fails with ENOTEMPTY if it has entries.
  virtual void remove_folder(const std::filesystem::path& path) = 0;
  /// Returns the free space of the file system that holds a folder.
  virtual Space space(const std::filesystem::path& folder) = 0;
};

}  // namespace knead::files
