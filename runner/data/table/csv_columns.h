#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/tables.h"

namespace knead::data {

/// Describes the columns of a csv file: their number, their names, and which of them a field reads.
/// It is made once per file, before the rows are read. Columns are counted from 0.
class Columns {
 public:
  /// Reads the first two rows. The recipe may say whether the first is a header; otherwise it is
  /// one if a cell in it is neither a number nor missing while the cell below is a number, if it is
  /// the counted header that pandas writes (",0,1,2"), or if a field names a column. `file`: for
  /// messages. `text` is not kept. Throws knead::Error if the file has no rows, and as CsvRows
  /// does.
  Columns(std::string_view text, const recipe::Csv& csv, std::string file);

  /// Returns whether the first row holds names and not a sample.
  bool has_header() const { return has_header_; }
  /// Returns the number of columns of the first row, which all rows must have.
  std::size_t width() const { return width_; }

  /// Returns the columns that a field reads, in its order and counted from 0. A column is given by
  /// its number, a range ("0:64", without the last) or its name. `name`: the field, for messages.
  /// Throws knead::Error if a column does not exist, with the most similar name, or if two columns
  /// have the name.
  std::vector<std::size_t> of(const std::string& name, const recipe::CsvField& field) const;

 private:
  /// Returns the column of a name. Throws knead::Error if no column or several have the name.
  std::size_t index_of(const std::string& field, const std::string& name) const;
  /// Tells the number of columns in a message, with the delimiter that the file may really use.
  std::string width_words() const;
  /// Appends the columns [begin, end). Throws knead::Error if one of them does not exist.
  void add_range(const std::string& field, std::int64_t begin, std::int64_t end,
                 std::vector<std::size_t>& out) const;

  std::string file_;
  std::string other_delimiter_;  // delimiter that the only column contains; empty if none
  std::size_t width_ = 0;
  bool has_header_ = false;
  std::vector<std::string> names_;
};

}  // namespace knead::data
