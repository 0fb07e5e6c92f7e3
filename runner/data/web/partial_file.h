#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace knead::data {

/// Appends received bytes to a file, which survives an interrupted transfer. Functions throw
/// knead::Error if the file cannot be written.
class PartialFile {
 public:
  /// Opens or makes the file. Follows no link and opens only a regular file: in a folder that
  /// others write to, a link may lead to a file of the user.
  explicit PartialFile(std::filesystem::path path);

  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

  void add(const char* bytes, std::size_t count);

  /// Drops what has come.
  void start_over();

  void close() { file_.reset(); }

  /// Throws knead::Error if the disk has no room for a file of `size` bytes.
  void expect_room(std::uint64_t size) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void open(int more_flags);
  [[noreturn]] void refuse(const std::string& why) const;

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

}  // namespace knead::data
