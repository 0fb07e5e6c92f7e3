#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipe.h"

namespace knead::data {

/// The columns of a csv file: how many there are, what the header calls them, which ones a field
/// reads.
class Columns {
 public:
  /// Looks at the first two rows. Throws knead::Error where names are used and there is no header.
  Columns(std::string_view text, const recipe::Csv& csv, std::string file);

  bool has_header() const { return has_header_; }
  std::size_t width() const { return width_; }

  /// The columns of a field in its order, from 0. Throws knead::Error for one that does not exist.
  std::vector<std::size_t> of(const std::string& name, const recipe::CsvField& field) const;

 private:
  std::size_t index_of(const std::string& field, const std::string& name) const;
  std::string width_words() const;
  void add_range(const std::string& field, std::int64_t begin, std::int64_t end,
                 std::vector<std::size_t>& out) const;

  std::string file_;
  std::string other_delimiter_;  // in words, where it may be what the columns stand between
  std::size_t width_ = 0;
  bool has_header_ = false;
  std::vector<std::string> names_;
};

}  // namespace knead::data
