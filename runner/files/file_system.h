#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "schema/document/error.h"

namespace knead::files {

/// A call to the system that failed: "cannot write runs/digits/a: No space left on device".
class FileError : public Error {
 public:
  /// `doing` is what was tried, with the path: "write runs/digits/a". `number` is the errno.
  FileError(const std::string& doing, int number);

  int number() const { return number_; }

 private:
  int number_;
};

struct Entry {
  std::string name;
  bool is_folder = false;  // a link to a folder is none
};

struct Space {
  std::uint64_t free = 0;  // bytes that this user may still write
  std::filesystem::path mounted_at;
};

/// The disk as whatever must survive a crash sees it: one system call each, no loops, no
/// cleverness, so that tests can fail, cut short or forget any of them. Every call throws
/// FileError, also with EINTR; file.h and folders.h are what is meant to be used. Descriptors are
/// the caller's to close. May be used by several threads, a descriptor by one at a time.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// A new file to write to, 0600. EEXIST if anything has that name, a dangling link too.
  virtual int create(const std::filesystem::path& path) = 0;
  /// A file to read. Links are not followed (ELOOP).
  virtual int open(const std::filesystem::path& path) = 0;
  /// How many were written: from one to all.
  virtual std::size_t write(int file, std::span<const std::byte> bytes) = 0;
  /// How many were read; 0 at the end.
  virtual std::size_t read(int file, std::span<std::byte> bytes) = 0;
  virtual std::uint64_t size(int file) = 0;
  /// Makes what was written durable, but not the name of the file.
  virtual void sync(int file) = 0;
  /// The descriptor is gone even if this throws.
  virtual void close(int file) = 0;

  /// A new folder, 0700.
  virtual void make_folder(const std::filesystem::path& path) = 0;
  /// Makes the names in a folder durable.
  virtual void sync_folder(const std::filesystem::path& path) = 0;
  /// What is in a folder, in no order, without "." and "..".
  virtual std::vector<Entry> list(const std::filesystem::path& path) = 0;
  /// Replaces what has the new name.
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  /// EEXIST if anything has the new name.
  virtual void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void remove_file(const std::filesystem::path& path) = 0;
  /// ENOTEMPTY if anything is in it.
  virtual void remove_folder(const std::filesystem::path& path) = 0;
  /// Of the file system that holds a folder.
  virtual Space space(const std::filesystem::path& folder) = 0;
};

}  // namespace knead::files
