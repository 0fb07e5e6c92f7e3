#include "runner/files/file.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runner/files/folders.h"
#include "runner/files/retry.h"

namespace knead::files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBlock = 1 << 18;

/// Writes a file and computes its digest. The destructor closes the file without reporting a
/// failure, unless close() did so before.
class OutputFile {
 public:
  OutputFile(FileSystem& files, const fs::path& path)
      : files_(files),
        path_(path),
        file_(retry("create " + path.string(), [&] { return files.create(path); })) {}

  ~OutputFile() {
    try {
      if (file_ >= 0) files_.close(file_);
    } catch (const FileError&) {
      // Another exception is in flight, and the file will not be used.
    }
  }

  void write(std::span<const std::byte> bytes) {
    digest_.add(bytes);
    size_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t written =
          retry("write " + path_.string(), [&] { return files_.write(file_, bytes); });
      bytes = bytes.subspan(written);
    }
  }

  void sync() {
    retry("sync " + path_.string(), [&] { files_.sync(file_); });
  }

  FileFacts close() {
    const int file = std::exchange(file_, -1);
    // A repeated close could close a file that another thread has opened under the same number.
    try {
      files_.close(file);
    } catch (const FileError& error) {
      throw FileError("close " + path_.string(), error.number());
    }
    return {size_, digest_.text()};
  }

 private:
  FileSystem& files_;
  fs::path path_;
  int file_;
  std::uint64_t size_ = 0;
  RunningDigest digest_;
};

}  // namespace

InputFile::InputFile(FileSystem& files, const fs::path& path)
    : files_(files),
      path_(path),
      file_(retry("open " + path.string(), [&] { return files.open(path); })) {
  try {
    size_ = retry("read " + path.string(), [&] { return files.size(file_); });
  } catch (...) {
    let_go();
    throw;
  }
}

InputFile::~InputFile() { let_go(); }

void InputFile::let_go() {
  try {
    files_.close(file_);
  } catch (const FileError&) {
    // A failed close loses no data of a file that was only read.
  }
}

std::size_t InputFile::read(std::span<std::byte> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::span<std::byte> rest = bytes.subspan(filled);
    const std::size_t got =
        retry("read " + path_.string(), [&] { return files_.read(file_, rest); });
    if (got == 0) break;
    filled += got;
  }
  digest_.add(bytes.first(filled));
  read_ += filled;
  return filled;
}

FileFacts InputFile::finish() {
  const std::uint64_t left = size_ > read_ ? size_ - read_ : 0;
  // The block has one byte more than is expected, in case the file has grown.
  std::vector<std::byte> block(std::min<std::uint64_t>(left + 1, kBlock));
  while (read(block) > 0) {
  }
  return {read_, digest_.text()};
}

FileFacts write_new(FileSystem& files, const fs::path& path, const Content& content) {
  OutputFile out(files, path);
  content([&](std::span<const std::byte> bytes) { out.write(bytes); });
  out.sync();
  return out.close();
}

FileFacts read_facts(FileSystem& files, const fs::path& path) {
  return InputFile(files, path).finish();
}

std::string read_small(FileSystem& files, const fs::path& path, std::uint64_t limit) {
  InputFile in(files, path);
  if (in.size() > limit) {
    throw Error(fmt::format("{} has {} bytes, more than {}", path.string(), in.size(), limit));
  }
  std::string text(in.size(), '\0');
  text.resize(in.read(std::as_writable_bytes(std::span(text))));
  return text;
}

Content text_content(std::string_view text) {
  return [text](const Sink& sink) { sink(std::as_bytes(std::span(text))); };
}

namespace {

/// Returns what a user can do about a file that cannot be written.
std::string remedy_of_write(int number) {
  switch (number) {
    case ENOENT: return "make the folder first";
    case ENOTDIR: return "a part of the path is a file: name a folder";
    case EISDIR: return "it is a folder: name a file";
    case ENOSPC:
    case EDQUOT: return "make room there, or write to another disk";
    case EACCES:
    case EPERM:
    case EROFS: return "name a folder that you may write to";
    default: return "";
  }
}

}  // namespace

bool is_temporary(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t mark = name.rfind(".tmp-");
  const std::size_t digits = mark + std::string_view(".tmp-").size();
  return name.starts_with('.') && mark != name.npos &&
         name.find_first_not_of("0123456789abcdef", digits) == name.npos &&
         name.size() == digits + random_name().size();
}

void expect_replaceable(const fs::path& path) {
  std::error_code unknown;
  switch (fs::status(path, unknown).type()) {
    case fs::file_type::block:
    case fs::file_type::character:
    case fs::file_type::fifo:
    case fs::file_type::socket:
      throw Error(fmt::format("'{}' is no regular file", path.string()),
                  "name a new file, or one that may be replaced");
    default: return;
  }
}

void publish(FileSystem& files, const fs::path& path, const Content& content) {
  expect_replaceable(path);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const fs::path temporary =
      folder / fmt::format(".{}.tmp-{}", path.filename().string(), random_name());
  try {
    const FileFacts written = write_new(files, temporary, content);
    // Reading back finds a disk that loses data while the old file still exists.
    if (read_facts(files, temporary) != written) {
      throw Error(fmt::format("{} does not read back as it was written", path.string()),
                  "the disk may be damaged: write to another one");
    }
    retry("publish " + path.string(), [&] { files.rename(temporary, path); });
  } catch (const FileError& error) {
    remove_if_there(files, temporary);
    throw FileError("write " + path.string(), error.number(), remedy_of_write(error.number()));
  } catch (...) {
    remove_if_there(files, temporary);
    throw;
  }
  // The rename is durable only after the folder is synced.
  sync_folder(files, folder);
}

void publish(FileSystem& files, const fs::path& path, std::string_view text) {
  publish(files, path, text_content(text));
}

}  // namespace knead::files
