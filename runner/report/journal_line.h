#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace knead::report {

/// Reads lines of a journal, flat objects of JSON, without making a tree of each: a million lines
/// in a second. A line of another form is read by the JSON library. Not thread-safe.
class JournalLine {
 public:
  /// A key with its value: a number, or a text that is no number. NaN and infinities, which a
  /// journal holds as texts, are numbers.
  struct Field {
    std::string_view key;
    bool is_number = false;
    double number = 0;
    std::string_view text{};
  };

  /// Reads a line, which must outlive the fields. Returns false if it is not an object. Leaves out
  /// values that are neither numbers nor texts.
  bool read(std::string_view line);

  /// Returns the fields of the last line, valid until the next one is read.
  const std::vector<Field>& fields() const { return fields_; }

  /// Returns a number of the last line; `otherwise` if there is none of this key.
  double number(std::string_view key, double otherwise) const;

  /// Returns a text of the last line; empty if there is none of this key.
  std::string_view text(std::string_view key) const;

 private:
  bool read_flat(std::string_view line);
  bool read_any(std::string_view line);

  std::vector<Field> fields_;
  std::deque<std::string> texts_;  // of a line that the JSON library has read
};

}  // namespace knead::report
