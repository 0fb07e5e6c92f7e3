#pragma once

#include <functional>
#include <string>

#include "runner/files/digest.h"
#include "runner/files/file_system.h"

namespace knead::files {

/// Takes the bytes of a file piece by piece, in order. A piece is valid during the call only.
using Sink = std::function<void(std::span<const std::byte>)>;
/// Gives all bytes of a file to a sink, piece by piece, in order. An exception that it throws
/// passes through write_new() and publish().
using Content = std::function<void(const Sink&)>;

/// Identifies the content of a file by its size and its digest. Equal facts mean equal bytes,
/// unless somebody has made them collide on purpose.
struct FileFacts {
  std::uint64_t size = 0;
  std::string digest;  // XXH3-128

  bool operator==(const FileFacts&) const = default;
};

/// Reads a file from its beginning and computes the digest of the bytes. Repeats interrupted and
/// short reads. Throws FileError if a call to the file system fails. A program that has checked the
/// digest of finish() knows that the bytes it has parsed are the bytes that were written. Used by
/// one thread at a time.
class InputFile {
 public:
  /// Opens the file and asks for its size. Borrows `files`, which must outlive the object. Fails
  /// with ELOOP for a link and with EISDIR for a folder.
  InputFile(FileSystem& files, const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Returns the file's size in bytes at the time it was opened.
  std::uint64_t size() const { return size_; }
  /// Fills `bytes` and returns how many bytes were read: fewer than asked for only at the end of
  /// the file.
  std::size_t read(std::span<std::byte> bytes);
  /// Reads the rest of the file and returns the size and the digest of all bytes read.
  FileFacts finish();

 private:
  /// Closes the descriptor; ignores a failure, since nothing was written.
  void let_go();

  FileSystem& files_;
  std::filesystem::path path_;
  int file_;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;  // bytes read so far
  RunningDigest digest_;
};

/// Writes a new file and syncs it; its name becomes durable when its folder is synced. Returns the
/// facts of the bytes that were passed on, for a comparison with read_facts(). Throws FileError,
/// with EEXIST if the name is taken; the caller then removes what is on disk. Does not repeat a
/// failed sync, because the system may have dropped the data it could not write.
FileFacts write_new(FileSystem& files, const std::filesystem::path& path, const Content& content);

/// Returns `text` as the content of a file, in one piece. Borrows the text, which must outlive the
/// content.
Content text_content(std::string_view text);

/// Reads a whole file and returns its size and digest. Needs constant memory. Throws FileError.
FileFacts read_facts(FileSystem& files, const std::filesystem::path& path);

/// Reads all bytes of a file of at most `limit` bytes. Throws FileError, or Error if the file is
/// larger, before it reads or allocates anything.
std::string read_small(FileSystem& files, const std::filesystem::path& path, std::uint64_t limit);

/// Returns whether a path is that of a file that publish() leaves when its process is killed.
bool is_temporary(const std::filesystem::path& path);

/// Throws Error for a device, a FIFO or a socket, also behind a link: a file in its place would
/// take it away from all programs.
void expect_replaceable(const std::filesystem::path& path);

/// Replaces a file atomically: writes a temporary file in the same folder, reads it back, compares
/// the digests, renames it to `path` and syncs the folder. At any moment either the old file or the
/// new one is there, whole. The folder must exist; the file need not. A kill may leave a file
/// ".NAME.tmp-…" behind.
///
/// Throws FileError, or Error if the bytes read back differ or expect_replaceable() does; what was
/// there then stays, and the temporary file is removed. Only if the last sync, that of the folder,
/// fails, the new file is in its place but may be lost at a power cut.
void publish(FileSystem& files, const std::filesystem::path& path, const Content& content);
/// Replaces a file with `text` atomically, with the checks and the exceptions of publish() for a
/// Content.
void publish(FileSystem& files, const std::filesystem::path& path, std::string_view text);

}  // namespace knead::files
