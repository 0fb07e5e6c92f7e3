#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Cuts a text into rows and cells (RFC 4180). Accepts LF, CRLF, a byte order mark and blank lines
/// at the end; a blank line elsewhere is a row of one empty cell. Spaces around a cell belong to
/// it. Does not compare the lengths of rows. The text must outlive this object.
class CsvRows {
 public:
  /// `name`: the file, for messages. `delimiter`: what separates cells, mostly a comma. Throws
  /// knead::Error if the text is in UTF-16 or its lines end in CR alone.
  CsvRows(std::string_view text, char delimiter, std::string name);

  /// Reads the next row; returns false at the end, at once for an empty text. The cells stay valid
  /// until the next call. Throws knead::Error with the line for a quote that is never closed, for
  /// text behind a closing quote, and for a row of more than 32 MiB or a million cells.
  bool next();

  /// Returns the cells of the current row.
  const std::vector<std::string_view>& cells() const { return cells_; }

  /// Returns the line in which the current row begins, counted from 1; a quoted cell may extend
  /// over several lines.
  std::uint64_t line() const { return line_; }

 private:
  /// Reads a cell up to the next delimiter or line end.
  std::string_view plain_cell();
  /// Reads a cell in quotes and undoubles the quotes in it.
  std::string_view quoted_cell();
  /// Throws knead::Error if the row reaches the limit of its length.
  void expect_end() const;
  [[noreturn]] void refuse_line(const std::string& what) const;
  /// Moves past the line end.
  void end_line();

  std::string_view text_;
  char delimiter_;
  std::string name_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  // where the current row ends at the latest
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unescaped_;  // cells with doubled quotes; a deque keeps their place
};

}  // namespace knead::data
