#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knead::schema {

/// The text of a recipe file or of one `key=value` argument. Every Place in the text shares
/// ownership. A Source never changes, so several threads may read it. Offsets count bytes from 0,
/// lines count from `first_line`.
class Source {
 public:
  /// `name` is shown in messages; `path` is the absolute path of the file, empty for an argument.
  /// `first_line` is the number of the first line: an argument uses its position on the command
  /// line.
  Source(std::string name, std::filesystem::path path, std::string text, int first_line = 1);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  const std::filesystem::path& path() const { return path_; }
  bool is_file() const { return !path_.empty(); }

  /// Returns the number of the line that holds byte `offset`; the last line for an offset after the
  /// text. Takes time logarithmic in the number of lines.
  int line_of(std::size_t offset) const;

  /// Returns the byte offset where `line` begins, or the size of the text for a line after the
  /// last.
  std::size_t line_start(int line) const;

  /// Returns a line without its line end (LF or CR LF), or an empty text for a line after the last.
  /// The view refers to this source.
  std::string_view line(int line) const;

  /// Counts the code points before byte `offset`. Takes constant time, because a text of one long
  /// line may hold a thousand problems.
  int code_points_before(std::size_t offset) const;

 private:
  std::string name_;
  std::filesystem::path path_;
  std::string text_;
  int first_line_;
  std::vector<std::size_t> starts_;  // byte offset of each line
  std::vector<int> points_;          // code points before each part of kPart bytes
};

/// The bytes [begin, end) of a source. It is cheap to copy; line and column are computed on demand,
/// and must not be asked of a null place.
struct Place {
  std::shared_ptr<const Source> source;  // null: not written anywhere, as a default is
  std::size_t begin = 0;
  std::size_t end = 0;

  explicit operator bool() const { return source != nullptr; }

  int line() const;    // from 1
  int column() const;  // from 1, in code points
  int length() const;  // code points up to the end of the line, at least 1
};

/// Compares source and begin; the ends may differ.
bool operator==(const Place& a, const Place& b);

/// Orders places as problems are shown: by file name, then position, arguments last in the order of
/// the command line.
bool operator<(const Place& a, const Place& b);

/// Returns "digits.yaml:3:7", or "default" for a null place. For an argument the line is its
/// position on the command line: "override:2:7".
std::string to_string(const Place& place);

/// Returns whether a byte of UTF-8 is the first byte of a code point.
inline bool begins_code_point(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// Counts the code points of valid UTF-8.
int code_points(std::string_view utf8);

/// Returns the length in bytes of the UTF-8 sequence at byte `at`, or 0 if it is invalid
/// (truncated, overlong, a surrogate, above U+10FFFF; RFC 3629, section 4). `at` must be less than
/// the size of the text.
std::size_t sequence_length(std::string_view text, std::size_t at);

}  // namespace knead::schema
