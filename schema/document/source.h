#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knead::schema {

/// A text that was read: a recipe file, or one `key=value` argument. Lives as long as a Place in it
/// does.
class Source {
 public:
  /// `name` is what messages show; `path` is the absolute path of the file it came from (empty for
  /// an argument). `first_line` is the number of the text's first line: an argument counts as the
  /// line of its position.
  Source(std::string name, std::filesystem::path path, std::string text, int first_line = 1);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  const std::filesystem::path& path() const { return path_; }
  bool is_file() const { return !path_.empty(); }

  /// The number of the line that holds byte `offset`.
  int line_of(std::size_t offset) const;

  /// Byte offset of the beginning of `line`; the text's size past its end.
  std::size_t line_start(int line) const;

  /// One line without its end. Empty past the end.
  std::string_view line(int line) const;

  /// Code points before byte `offset`: a line may be all of the text, and hold a thousand problems.
  int code_points_before(std::size_t offset) const;

 private:
  std::string name_;
  std::filesystem::path path_;
  std::string text_;
  int first_line_;
  std::vector<std::size_t> starts_;
  std::vector<int> points_;  // code points before each part of the text
};

/// Where something is written: bytes [begin, end) of a source. Cheap to copy; lines and columns are
/// counted when they are shown.
struct Place {
  std::shared_ptr<const Source> source;  // null: not written anywhere (a default)
  std::size_t begin = 0;
  std::size_t end = 0;

  explicit operator bool() const { return source != nullptr; }

  int line() const;    // from 1
  int column() const;  // from 1, in code points
  int length() const;  // code points up to the end of that line, at least 1
};

bool operator==(const Place& a, const Place& b);

/// By file, then position, arguments last: the order in which problems are shown.
bool operator<(const Place& a, const Place& b);

/// "digits.yaml:3:7", or "default".
std::string to_string(const Place& place);

/// Whether a byte of UTF-8 is the first of a code point.
inline bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// Code points in valid UTF-8.
int code_points(std::string_view utf8);

/// Length of the UTF-8 sequence at byte `at`; 0 if it is invalid (truncated, overlong, a surrogate,
/// beyond U+10FFFF).
std::size_t sequence_length(std::string_view text, std::size_t at);

}  // namespace knead::schema
