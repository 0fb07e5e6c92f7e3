#pragma once

#include <functional>
#include <string>

#include "runner/files/digest.h"
#include "runner/files/file_system.h"

namespace knead::files {

/// Takes the bytes of a file, piece by piece, in order.
using Sink = std::function<void(std::span<const std::byte>)>;
/// Gives the bytes of a file to a sink.
using Content = std::function<void(const Sink&)>;

/// What a file holds, in short.
struct FileFacts {
  std::uint64_t size = 0;
  std::string digest;  // XXH3-128

  bool operator==(const FileFacts&) const = default;
};

/// A file that is being read from its beginning; digests what it gives. Interrupted and short calls
/// are not seen by the caller.
class InputFile {
 public:
  InputFile(FileSystem& files, const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t size() const { return size_; }  // when it was opened
  /// Fills `bytes` as far as the file reaches; fewer only at its end.
  std::size_t read(std::span<std::byte> bytes);
  /// Reads what is left and says what was read in all.
  FileFacts finish();

 private:
  void let_go();

  FileSystem& files_;
  std::filesystem::path path_;
  int file_;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;
  RunningDigest digest_;
};

/// Writes a new file and makes it durable (its name is not until its folder is synced). Throws
/// FileError; what is on disk then is the caller's to remove. A sync that failed is not tried
/// again: the system may have dropped what it could not write.
FileFacts write_new(FileSystem& files, const std::filesystem::path& path, const Content& content);

/// A text as the content of a file; borrows it.
Content text_content(std::string_view text);

/// Size and digest of a file.
FileFacts read_facts(FileSystem& files, const std::filesystem::path& path);

/// All bytes of a file of at most `limit` bytes. Throws Error where it has more.
std::string read_small(FileSystem& files, const std::filesystem::path& path, std::uint64_t limit);

/// Writes beside `path`, reads back, compares, then gives it its name, replacing what had it: at
/// any moment the old file is there whole or the new one. Throws FileError, or Error where another
/// content is read than was written; then the old file stays.
void publish(FileSystem& files, const std::filesystem::path& path, const Content& content);
void publish(FileSystem& files, const std::filesystem::path& path, std::string_view text);

}  // namespace knead::files
