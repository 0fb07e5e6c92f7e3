#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Cuts a text into rows and cells (RFC 4180; LF, CRLF and a byte order mark are fine, and so are
/// blank lines at the end). The text must outlive it.
class CsvRows {
 public:
  /// `name`: the file, for messages. Throws knead::Error for a text in UTF-16, and for one whose
  /// lines end in CR alone.
  CsvRows(std::string_view text, char delimiter, std::string name);

  /// Reads the next row; false at the end. The cells stay until the next call.
  /// Throws knead::Error at a quote that is never closed, or text behind a closing one.
  bool next();

  const std::vector<std::string_view>& cells() const { return cells_; }

  /// The line that the row begins in, from 1.
  std::uint64_t line() const { return line_; }

 private:
  std::string_view plain_cell();
  std::string_view quoted_cell();
  void end_line();

  std::string_view text_;
  char delimiter_;
  std::string name_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unescaped_;  // cells with doubled quotes; a deque never moves them
};

}  // namespace knead::data
